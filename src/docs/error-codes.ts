/** `/docs/api-reference/error-codes`: where `doc_url` points. Made of the catalogue alone. */

import { errorsOf } from '../api/reference/errors.ts';
import type { Route } from '../api/reference/operations.ts';
import { ERROR_CODES, type ErrorCode, errorEntry } from '../domain/errors.ts';
import { code, type Html, html } from './html.ts';
import type { Page } from './layout.ts';

const EXAMPLE = `{
  "error": {
    "type": "card_error",
    "code": "card_declined",
    "audience": "caller",
    "message": "The issuer declined the card.",
    "advice_code": "try_again_later",
    "agent_message": "I'm sorry, that card was declined. Would you like to use a different card?",
    "display_message": "Your card was declined. Please try a different card.",
    "agent_action": "offer_different_card",
    "doc_url": "…/api-reference/error-codes#card_declined",
    "request_id": "req_…",
    "decline_code": "insufficient_funds",
    "charge": "ch_…"
  }
}`;

export function errorCodesPage(routes: readonly Route[]): Page {
  const body = html`<h1>Error codes</h1>
<p class="lead">Every failing answer has the same body. Branch on <code>code</code>, not on the message.</p>
${code(EXAMPLE)}
<ul>
<li><code>audience</code> <strong>developer</strong>: the integration is at fault. There is nothing to say on the call: <code>agent_message</code>,
<code>display_message</code> and <code>agent_action</code> are null, and the agent does not raise payment.</li>
<li><code>audience</code> <strong>caller</strong>: it concerns the person on the call. Say <code>agent_message</code> as it stands, then do
<code>agent_action</code>.</li>
<li><code>advice_code</code> is for the program: <code>try_again_later</code>, <code>do_not_try_again</code>, <code>confirm_card_data</code>. A decline may say
<code>do_not_try_again</code> of this card and still offer a different one.</li>
<li>Quote <code>request_id</code>, which is also the <code>X-Request-Id</code> header, when you ask for help.</li>
</ul>
<h2>All codes</h2>
${ERROR_CODES.map((name) => entry(name, routes))}`;
  return { path: '/docs/api-reference/error-codes', title: 'Error codes', body };
}

function entry(name: ErrorCode, routes: readonly Route[]): Html {
  const { status, type, audience, message, advice, action, agentMessage } = errorEntry(name);
  const own = routes.filter((route) => errorsOf(route).includes(name)).map(({ id }) => id);
  const where = own.length === 0 ? '' : own.length > MOST ? 'most operations' : own.join(', ');
  return html`<section class="error" id="${name}">
<h3><a href="#${name}">${name}</a></h3>
<p>${message}</p>
${agentMessage === null ? '' : html`<blockquote><small>The agent says</small>${agentMessage}</blockquote>`}
<ul class="facts">
<li>HTTP ${status}</li><li>${type}</li><li>${audience}</li><li>${advice}</li>
${action === null ? '' : html`<li>then: ${action}</li>`}
${where === '' ? '' : html`<li>from: ${where}</li>`}
</ul>
</section>`;
}

const MOST = 6;

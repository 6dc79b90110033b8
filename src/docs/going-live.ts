/** `/docs/going-live`: what changes between the sandbox and real money. */
import { MAX_DECLINES_A_SESSION, VELOCITY, type VelocityRule } from '../payments/velocity.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

export const goingLivePage = (): Page => ({
  path: '/docs/going-live',
  title: 'Going live',
  body: html`<h1>Going live</h1>
<p class="lead">The same code works in both environments; the key picks the one. A list to go through once.</p>
<h2>Your side</h2>
<ol>
<li>Make a live key (<code>rk_live_…</code>) and keep it server-side: never in a prompt, a transcript, or anything a model writes.</li>
<li>Create the merchant with the live key, connect its processor, and read <code>GET /v1/merchants/{id}/status</code> until nothing keeps it from taking
live payments.</li>
<li>Register a webhook endpoint with the live key. Verify its signature, keep the event ids, and let <code>checkout.completed</code> decide what is paid.</li>
<li>Send an <code>Idempotency-Key</code> with each POST, and the same one when you send a request again.</li>
<li>Handle every <a href="/docs/api-reference/error-codes">error</a> by <code>code</code>. On <code>424 processor_unavailable</code> and <code>pending</code>, take no
other payment for that order.</li>
<li>Say <code>agent_message</code> as it stands; say nothing when it is null.</li>
<li>Transfer only when <code>transfer_to</code> is not null, and check the <a href="/docs/sip-headers">signature</a> of what comes back.</li>
<li>Try every path with the <a href="/docs/test-cards">test cards</a>: a decline, a card in doubt, one that stays pending, a caller who hangs up.</li>
</ol>
<h2>Card testing</h2>
<p>Failed attempts to pay are counted, and past a limit the processor is not asked: REST answers <code>429 rate_limit</code>, the line says that it
cannot take the payment now. An attempt counts from its start until it has succeeded.</p>
<ul>
<li>A session has ${MAX_DECLINES_A_SESSION} declines at most, in test mode too.</li>
<li>A caller's number: ${told(VELOCITY.live.caller)}.</li>
<li>A card: ${told(VELOCITY.live.card)}. Cards are told apart by a fingerprint (an HMAC under the first of <code>RINGKEY_ENCRYPTION_KEYS</code>), never by
their number; a new first key starts the count anew.</li>
<li>The address of a payer on the pay page: ${told(VELOCITY.live.origin)}.</li>
</ul>
<p>The last three count at all merchants of the account, and in live mode only.</p>
<h2>The service's side</h2>
<ol>
<li>TLS is the proxy's: put one in front, and name its addresses in <code>RINGKEY_TRUSTED_PROXIES</code>. Only then is <code>X-Forwarded-For</code> believed.</li>
<li>The keyless demo is off unless <code>RINGKEY_DEMO=on</code>. Leave it off. A
demo that strangers reach (not on loopback, behind a proxy, or with a public URL) lets nobody change its keys, merchants and the caller's saved card; what one
visitor types, the others can read.</li>
<li>Webhooks and order sources go to public addresses only, checked at connect, in test mode too. Only <code>RINGKEY_PRIVATE_TARGETS=on</code> lets test
mode's reach your own network: for a machine of one's own.</li>
<li>Set <code>RINGKEY_ENCRYPTION_KEYS</code>: processor credentials are kept encrypted with them.</li>
<li>Run the real engines (drachtio-server and FreeSWITCH), PostgreSQL and Redis of your own, and more than one process of each role.</li>
<li>Watch <code>/readyz</code> and scrape <code>/metrics</code>. The latter answers private addresses only (<code>RINGKEY_METRICS_FROM</code>): do not route it
from outside.</li>
</ol>`,
});

function told({ attempts, seconds }: VelocityRule): string {
  return `${attempts} failed attempts in ${seconds / 3_600} h`;
}

/** `/docs/sip-headers`: how the agent learns the outcome when the caller comes back. */
import { code, html } from './html.ts';
import { type Page, table } from './layout.ts';

/** In the order of signing; `domain/outcome.ts` writes them. A test holds the recipe against it. */
const HEADERS: readonly (readonly [name: string, meaning: string])[] = [
  ['X-Ringkey-Outcome', 'succeeded, failed, pending, canceled, expired or agent (the caller asked for the agent)'],
  ['X-Ringkey-Session', 'the checkout session'],
  ['X-Ringkey-Charge', 'the charge, where there is one'],
  ['X-Ringkey-Amount', 'in minor units'],
  ['X-Ringkey-Currency', 'for instance USD'],
  ['X-Ringkey-Order', 'order_id of the session'],
  ['X-Ringkey-Decline-Code', 'the issuer’s reason, after a decline'],
  ['X-Ringkey-Call', 'platform_call_id of the session'],
];

export const SIGNATURE_RECIPE = `import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNED = ['outcome', 'session', 'charge', 'amount', 'currency', 'order', 'decline-code', 'call'];

/** @param headers of the INVITE or REFER, names in lower case, values as they came @param secret of your account */
export function isFromRingkey(headers, secret, nowSeconds = Date.now() / 1000) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(headers['x-ringkey-signature'] ?? '') ?? [];
  if (t === undefined || Math.abs(nowSeconds - Number(t)) > 300) return false;
  const lines = [t, ...SIGNED.map((name) => headers['x-ringkey-' + name] ?? '')];
  const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(lines.join('\\n')).digest();
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'));
}`;

export const sipHeadersPage = (): Page => ({
  path: '/docs/sip-headers',
  title: 'SIP headers',
  body: html`<h1>SIP headers</h1>
<p class="lead">When the caller comes back to <code>return_to</code>, the outcome comes along.</p>
<p>The headers are on the INVITE of a bridged return. On a transfer they are on the REFER itself and, as URI headers, inside <code>Refer-To</code>, so
that they reach the INVITE that the platform then sends.</p>
${table(
  ['Header', 'Value'],
  [
    ...HEADERS.map(([name, meaning]) => [html`<code>${name}</code>`, html`${meaning}`]),
    [
      html`<code>X-Ringkey-Reason</code>`,
      html`why a call failed: no_input, invalid_input, declined, too_many_attempts (none is made for a while), error. Not signed.`,
    ],
    [html`<code>X-Ringkey-Signature</code>`, html`<code>t=&lt;unix time&gt;,v1=&lt;hex&gt;</code>, see below`],
    [html`<code>User-to-User</code>`, html`all of it again (RFC 7433, hex), for carriers that drop X- headers`],
  ],
)}
<p>What has no value has no header. Values are percent-encoded UTF-8. A line never passes 1,024 bytes: a longer value is left out.</p>
<ul>
<li><code>pending</code> is not a failure: the money may have been taken. Do not ask for another payment; a webhook brings the outcome.</li>
<li>Headers tell the agent what to say. What your books say follows the webhook <code>checkout.completed</code>.</li>
</ul>
<h2>Checking the signature</h2>
<p>An HMAC-SHA256 with your account's secret (base64) over the time and the eight values, as they stand in the headers and in the order above, one a line;
an absent one is an empty line. Compare in constant time and refuse what is older than five minutes.</p>
${code(SIGNATURE_RECIPE)}
<h2>In User-to-User</h2>
<p>The value is the hex of <code>o=…&amp;s=…&amp;c=…&amp;a=…&amp;u=…&amp;r=…&amp;d=…&amp;i=…&amp;w=…&amp;t=…&amp;v1=…</code>: outcome, session, charge, amount, currency, order, decline code,
call, reason, and the signature's two parts.</p>`,
});

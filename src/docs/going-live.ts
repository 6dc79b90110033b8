/** `/docs/going-live`: what changes between the sandbox and real money. */
import { REQUIREMENTS } from '../merchants/status.ts';
import { MAX_DECLINES_A_SESSION, VELOCITY, type VelocityRule } from '../payments/velocity.ts';
import { code, html, marked } from './html.ts';
import { type Page, table } from './layout.ts';

/** What the page sends. A test sends it, too. */
export const LIVE_REQUESTS = {
  merchant: {
    business_name: 'Corner Bakery',
    numbers: ['+15550100201'],
    payment_policy: 'always',
    time_zone: 'America/New_York',
  },
  processor: { processor: 'stripe', credentials: { secret_key: 'sk_live_YourSecretKey' } },
  webhook: {
    url: 'https://agents.example.com/ringkey',
    events: ['checkout.completed', 'checkout.failed', 'checkout.pending'],
  },
};

export const goingLivePage = (): Page => ({
  path: '/docs/going-live',
  title: 'Going live',
  body: html`<h1>Going live</h1>
<p class="lead">The same code works in both environments; the key picks the one. A list to go through once.</p>
<h2 id="key">1. A live key</h2>
<p>Whoever runs the service makes the account and its first keys; later ones can be made, rolled and revoked by <a href="/docs#create_key">REST</a>. A key can create
charges: keep it server-side, never in a prompt, a transcript, or anything a model writes.</p>
${code(`ringkey account create --name "Acme Voice"
ringkey key create --account acct_… --mode live --name "Voice agent"`)}
<p>The first command also shows the secret that signs the <a href="/docs/sip-headers">SIP headers</a>.</p>
<h2 id="merchant">2. The merchant</h2>
<p>Made with the live key: nothing of test mode is there. The numbers are what its callers dial.</p>
${code(liveCurl('/v1/merchants', LIVE_REQUESTS.merchant))}
<h2 id="processor">3. Its processor</h2>
<p>The credentials are tried, then kept encrypted. <a href="/docs#connect_processor">Each processor has its own names</a>; keypad payments need one that takes keyed cards
(<code>stripe</code>; <code>square</code> takes saved cards and page tokens only). Stripe takes card numbers, and
payments by telephone (MOTO), only of accounts that its support has enabled for both: ask for it first, for until then every keyed card is declined with
<code>processing_error</code>.</p>
${code(liveCurl('/v1/merchants/$MERCHANT/processor', LIVE_REQUESTS.processor))}
<p>To have callers asked whether their card is to be kept for next time, set <a href="/docs#change_merchant"><code>card_saving</code></a> to <code>ask</code>. What
they agreed to, in which words and on which call, is kept with the card.</p>
<h2 id="trunk">4. The phone line</h2>
<ul>
<li>Let your voice platform's trunk transfer calls to the host in <code>transfer_to</code>: that is all the SIP URI needs.</li>
<li>Only where the platform can transfer to a number alone: have the operator set <code>RINGKEY_TRANSFER_NUMBER</code> and your trunk's addresses in
<code>RINGKEY_TRUNKS</code>. The caller's number must be on the call.</li>
<li>For a <code>return_to</code> that is a number, <code>RINGKEY_TRUNK_TARGET</code> takes the calls.</li>
<li>Try both ways back, REFER and bridge, and set <code>return_mode</code> where only one works.</li>
</ul>
<h2 id="webhook">5. The webhook</h2>
<p>Its secret is shown this once. <a href="/docs/events#verify">Verify signatures</a>, keep the event ids, and let <code>checkout.completed</code> decide what is paid. A test
event shows that it arrives.</p>
${code(`${liveCurl('/v1/webhook_endpoints', LIVE_REQUESTS.webhook)}
curl -s -X POST "$RINGKEY/v1/webhook_endpoints/$ENDPOINT/test" -H "Authorization: Bearer $LIVE_KEY"`)}
<h2 id="status">6. What is still missing</h2>
<p>Ask until <code>can_take_live_payments</code> is true; then <code>requirements</code> is empty. It asks the processor whether it takes the credentials.</p>
${code('curl -s "$RINGKEY/v1/merchants/$MERCHANT/status" -H "Authorization: Bearer $LIVE_KEY"')}
${table(
  ['Requirement', 'What to do'],
  Object.entries(REQUIREMENTS).map(([requirement, what]) => [html`<code>${requirement}</code>`, marked(what)]),
)}
<h2 id="checklist">7. Before the first caller</h2>
<ul class="checks">
<li>Every POST has an <code>Idempotency-Key</code>, and the same one when it is sent again.</li>
<li>Every <a href="/docs/api-reference/error-codes">error</a> is handled by <code>code</code>; on <code>424 processor_unavailable</code> and <code>pending</code> no other
payment is taken for that order.</li>
<li>The agent says <code>agent_message</code> as it stands, and nothing when it is null.</li>
<li>The call is transferred only when <code>transfer_to</code> is not null, and the <a href="/docs/sip-headers#signature">signature</a> of what comes back is checked.</li>
<li>Transcription and recording stop while the caller is on the payment line.</li>
<li>Every path was tried with the <a href="/docs/test-cards">test cards</a>: a decline, a card in doubt, one that stays pending, a caller who hangs up.</li>
</ul>
<h2 id="card-testing">Card testing</h2>
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
<h2 id="operator">For whoever runs the service</h2>
<ol>
<li>TLS is the proxy's: put one in front, and name its addresses in <code>RINGKEY_TRUSTED_PROXIES</code>. Only then is <code>X-Forwarded-For</code> believed.</li>
<li>The keyless demo is off unless <code>RINGKEY_DEMO=on</code>. Leave it off. A
demo that strangers reach (not on loopback, behind a proxy, or with a public URL) lets nobody change its keys, merchants and the caller's saved card; what one
visitor types, the others can read.</li>
<li>Webhooks and order sources go to public addresses only, checked at connect, in test mode too. Only <code>RINGKEY_PRIVATE_TARGETS=on</code> lets test
mode's reach your own network: for a machine of one's own.</li>
<li>Set <code>RINGKEY_ENCRYPTION_KEYS</code>: processor credentials are kept encrypted with them.</li>
<li>Run the real engines (drachtio-server and FreeSWITCH), PostgreSQL and Redis of your own, and more than one process of each role.</li>
<li>Look for <code>given up</code> at level <code>error</code> in the log. A charge whose processor says nothing of it for three days, and a refund after a month, stay
<code>pending</code> for good: look in the processor's books, then settle them with <code>ringkey charge settle</code> or <code>ringkey refund settle</code>.</li>
<li>Watch <code>/readyz</code> and scrape <code>/metrics</code>. The latter answers private addresses only (<code>RINGKEY_METRICS_FROM</code>): do not route it
from outside.</li>
</ol>`,
});

/** A POST with the live key, for a shell. */
function liveCurl(path: string, body: object): string {
  return `curl -s "$RINGKEY${path}" \\
  -H "Authorization: Bearer $LIVE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`;
}

function told({ attempts, seconds }: VelocityRule): string {
  return `${attempts} failed attempts in ${seconds / 3_600} h`;
}

/** `/docs/events`: what is sent, when, and how to know that it is from us. */
import { EVENT_TYPES, type EventType } from '../store/events.ts';
import { code, html } from './html.ts';
import { type Page, table } from './layout.ts';

const WHEN: Record<EventType, string> = {
  'checkout.succeeded': 'A charge settled: the money was taken. One for each such charge.',
  'checkout.failed': 'A charge settled: declined. One for each such charge; the caller may try again.',
  'checkout.completed':
    'The session is final: at once when it is paid, else when its time is over. Exactly once a session. data.outcome is succeeded, failed or expired: the source of truth.',
  'checkout.pending': 'The processor gave no outcome yet. Do not start another payment; an outcome follows.',
  'checkout.expired': 'The session ran out of time without a payment.',
  'refund.succeeded': 'Money was given back: the processor has made the refund. data.refund is the refund.',
  'refund.failed':
    'A refund came to nothing: at once, or after it was pending. data.refund.failure says why; what was to be given back can be again.',
};

const BODY = `{
  "id": "evt_…",
  "type": "checkout.completed",
  "created_at": "2026-11-20T12:00:00.000Z",
  "sequence": 1042,
  "mode": "test",
  "data": {
    "checkout_session": { "checkout_session_id": "cs_…", "session_status": "complete", "…": "as retrieved" },
    "charge": { "charge_id": "ch_…", "status": "succeeded", "amount_cents": 4250, "processor_payment_id": "…" },
    "outcome": "succeeded"
  }
}`;

const VERIFY = `import { Webhook } from 'standardwebhooks';   // npm install standardwebhooks; other languages have it, too

const webhook = new Webhook(process.env.SIGNING_SECRET);   // whsec_…

export function receive(request) {
  // The raw body, before any JSON parser. Throws when the signature is wrong or older than five minutes.
  const event = webhook.verify(request.rawBody, request.headers);
  if (event.type === 'checkout.completed') settleOrder(event.id, event.data);
}`;

export const eventsPage = (): Page => ({
  path: '/docs/events',
  title: 'Events and webhooks',
  body: html`<h1>Events and webhooks</h1>
<p class="lead">Every outcome is reported to your endpoints, whichever way the payment came and whatever the caller heard.</p>
${table(
  ['Kind', 'Sent when'],
  EVENT_TYPES.map((kind) => [html`<code>${kind}</code>`, html`${WHEN[kind]}`]),
)}
<h2>The body</h2>
<p><code>checkout_session</code> has the shape that <a href="/docs/api-reference">retrieve_checkout_session</a> answers. A declined charge brings
<code>failure</code>, the <a href="/docs/api-reference/error-codes">error object</a>. <code>sequence</code> ascends in the order in which things happened:
deliveries may overtake each other.</p>
${code(BODY)}
<h2>Is it from Ringkey?</h2>
<p>Deliveries follow <strong>Standard Webhooks</strong>: the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>
(<code>v1,</code> and the base64 of an HMAC-SHA256 over id, timestamp and raw body, joined by dots). The secret,
<code>whsec_…</code>, is shown once, when the endpoint is created or its secret rolled. While a rolled secret is still valid there are two
signatures: one that fits is enough.</p>
${code(VERIFY)}
<h2>Deliveries</h2>
<ul>
<li>Answer with 2xx within 15 seconds, before doing any work. Anything else, a redirect included, counts as not delivered.</li>
<li>It is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, give or take; <code>Retry-After</code> is honoured.</li>
<li>The same event may come twice: keep the <code>webhook-id</code>, which is the event's <code>id</code>.</li>
<li><code>410 Gone</code> turns the endpoint off.</li>
<li>In live mode events go to https addresses in the public internet only.</li>
<li>Missed some? List them and have them sent again under <a href="/docs/api-reference">Events</a>.</li>
</ul>`,
});

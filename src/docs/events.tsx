/** `/docs/events`: the kinds of events, their bodies, how to verify a signature, retries. */
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../markup/code-block.tsx';
import { RETRY_DELAYS_MS } from '../webhooks/retry-schedule.ts';
import { EVENT_TYPES, type EventType } from '../db/events/events.ts';
import { Table } from './layout.tsx';
import { deliveryHeaders, eventExample } from './story.ts';

/** When each kind is sent. Markdown. */
export const WHEN_SENT: Record<EventType, string> = {
  'checkout.succeeded': 'A charge settled: the money was taken. One for each such charge.',
  'checkout.failed': 'A charge settled: declined. One for each such charge; the caller may try again.',
  'checkout.completed':
    'The session is final: at once when it is paid, else when its time is over. Exactly once a session that had something to pay. `data.outcome` is `succeeded`, `failed` or `expired`: the source of truth.',
  'checkout.pending': 'The processor gave no outcome yet. Do not start another payment; an outcome follows.',
  'checkout.expired': 'The session ran out of time without a payment. Not of a session with the verdict `none`.',
  'refund.succeeded': 'Money was given back: the processor has made the refund. `data.refund` is the refund.',
  'refund.failed':
    'A refund came to nothing: at once, or after it was pending. `data.refund.failure` says why; what was to be given back can be again.',
};

export const VERIFY_NODE = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.SIGNING_SECRET); // whsec_…

createServer(async (request, response) => {
  // The body as it came: before any JSON parser.
  const body = Buffer.concat(await request.toArray()).toString();
  let event;
  try {
    // Throws: a wrong signature, or one older than five minutes.
    event = webhook.verify(body, request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // at once; work comes after
  console.log(event.id, event.type, event.data.outcome);
}).listen(process.env.PORT ?? 8000);`;

export const VERIFY_PYTHON = `import base64, hashlib, hmac, json, time

def verify(headers, body, secret):
    """The event; None where it is not from Ringkey or older than five minutes.

    headers: names in lower case. body: bytes, as they came. secret: whsec_…
    """
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    for signature in headers.get("webhook-signature", "").split():
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(value, expected):
            return json.loads(body)
    return None`;

/** @param docsUrl base of `doc_url` in the examples */
export const EventsPage = ({ docsUrl }: { docsUrl: string }) => (
  <>
    <h1>Events and webhooks</h1>
    <p class="lead">
      Every outcome is reported to your endpoints, whichever way the payment came and whatever the caller heard.
    </p>
    <p>
      Register an endpoint with{' '}
      <a href="/docs#create_webhook_endpoint">
        <code>POST /v1/webhook_endpoints</code>
      </a>
      , keep its <code>signing_secret</code>, and try it with <a href="/docs#send_test_event">a test event</a>. Let{' '}
      <code>checkout.completed</code> decide what is paid.
    </p>
    <Table
      head={['Kind', 'Sent when']}
      rows={EVENT_TYPES.map((kind) => [
        <a href={`#${kind}`}>
          <code>{kind}</code>
        </a>,
        WHEN_SENT[kind],
      ])}
    />
    <h2 id="body">The body</h2>
    <p>
      The same members in every kind; <code>id</code> is also the <code>webhook-id</code> header.
    </p>
    <Table head={['Member', 'What it is']} rows={MEMBERS.map(([name, what]) => [<code>{name}</code>, what])} />
    <p>
      An event is rendered once: the same bytes at every attempt, at every endpoint, and in{' '}
      <a href="/docs#list_events">
        <code>GET /v1/events</code>
      </a>
      . New members may be added: ignore what you do not know.
    </p>
    <h2 id="examples">Of each kind</h2>
    {EVENT_TYPES.map((kind) => (
      <EventExample key={kind} kind={kind} docsUrl={docsUrl} />
    ))}
    <h2 id="verify">Is it from Ringkey?</h2>
    <p>
      Deliveries follow <strong>Standard Webhooks</strong>: the headers <code>webhook-id</code>,{' '}
      <code>webhook-timestamp</code> and <code>webhook-signature</code>. The signature is <code>v1,</code> and the
      base64 of an HMAC-SHA256 over id, timestamp and raw body, joined by dots; the key is what follows{' '}
      <code>whsec_</code> in the secret, decoded from base64. While a rolled secret is still valid there are two
      signatures, with a blank between: one that fits is enough.
    </p>
    <CodeBlock text={deliveryExample(docsUrl)} />
    <h3>Node</h3>
    <CodeBlock text={VERIFY_NODE} />
    <h3>Python</h3>
    <CodeBlock text={VERIFY_PYTHON} />
    <h2 id="deliveries">Deliveries and retries</h2>
    <ul>
      <li>
        Answer with 2xx within 15 seconds, before doing any work. Anything else, a redirect included, counts as not
        delivered.
      </li>
      <li>
        It is sent again after{' '}
        {RETRY_DELAYS_MS.map(durationText)
          .join(', ')
          .replace(/, ([^,]*)$/, ' and $1')}
        , each up to a tenth later, or later still where <code>Retry-After</code> says so. Then it is given up; you can{' '}
        <a href="/docs#resend_event">have it sent again</a>.
      </li>
      <li>
        Several events may come at the same time, and one that waits for its retry is overtaken. Their order is told by{' '}
        <code>sequence</code>, not by arrival.
      </li>
      <li>
        The same event may come twice. Keep the <code>id</code>s that you have worked through.
      </li>
      <li>
        <code>410 Gone</code> turns the endpoint off. Turn it on again with <code>PATCH</code> and{' '}
        <code>{'{"disabled": false}'}</code>.
      </li>
      <li>
        Events go to public https addresses only, checked again when we connect. A demo on your own machine also takes{' '}
        <code>http://127.0.0.1</code>.
      </li>
      <li>
        What each attempt came to is in <a href="/docs#list_webhook_deliveries">the delivery log</a>; what you missed is
        in <a href="/docs#list_events">the list of events</a>.
      </li>
    </ul>
  </>
);

const MEMBERS: readonly (readonly [name: string, what: ComponentChildren])[] = [
  ['id', 'The event, `evt_…`: the same on every attempt.'],
  ['type', 'One of the kinds above, or `test`.'],
  ['created_at', 'When it happened.'],
  ['sequence', 'Ascends in the order in which things happened.'],
  ['mode', '`test` or `live`.'],
  [
    'data.checkout_session',
    <>
      The session, in the shape of <a href="/docs#retrieve_checkout_session">retrieve</a>, as it was then. Null in a{' '}
      <code>test</code> event.
    </>,
  ],
  ['data.charge', 'The charge that it is about. Null where there is none.'],
  [
    'data.failure',
    <>
      After a decline, and while a charge is pending: the <a href="/docs/api-reference/error-codes">error object</a>.
    </>,
  ],
  ['data.outcome', '`succeeded`, `failed`, `pending` or `expired`. Absent in a `test` event, and of a refund.'],
  ['data.refund', 'Of a `refund.…` event only.'],
];

function EventExample({ kind, docsUrl }: { kind: EventType; docsUrl: string }) {
  const pretty = JSON.stringify(JSON.parse(eventExample(kind, docsUrl)), null, 2);
  return (
    <details class="plain">
      <summary>
        <code>{kind}</code>
      </summary>
      <div id={kind}>
        <CodeBlock text={pretty} />
      </div>
    </details>
  );
}

function deliveryExample(docsUrl: string): string {
  const body = eventExample('checkout.completed', docsUrl);
  const headers = Object.entries(deliveryHeaders(body)).map(([name, value]) => `${name}: ${value}`);
  return ['POST /ringkey HTTP/1.1', 'content-type: application/json', ...headers, '', `${body.slice(0, 90)}…`].join(
    '\n',
  );
}

/** `5 s`, `30 min`, `2 h`. */
function durationText(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

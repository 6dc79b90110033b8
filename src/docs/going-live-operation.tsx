/** Of `/docs/going-live`: how it runs, for whoever runs the service. */
import { MarkedList } from './markdown.tsx';
import { Table } from './layout.tsx';

export const OperationSections = () => (
  <>
    <h2 id="operator">For whoever runs the service</h2>
    <MarkedList items={SETUP} />
    <h3 id="money">The money</h3>
    <MarkedList items={MONEY} />
    <h3 id="failures">What happens when something dies</h3>
    <Table head={['What', 'What happens', 'What the caller hears']} rows={FAILURES} />
    <h3 id="health">Health and stopping</h3>
    <MarkedList items={HEALTH} />
    <h3 id="upgrades">Upgrading, and backups</h3>
    <MarkedList items={UPGRADES} />
    <h3 id="capacity">Capacity</h3>
    <MarkedList items={CAPACITY} />
    <h3 id="retention">What is kept for how long</h3>
    <Table head={['What', 'How long']} rows={RETENTION} />
  </>
);

const SETUP: readonly string[] = [
  'Run the real engines (drachtio-server and FreeSWITCH), PostgreSQL and Redis of your own, and more than one process of each role.',
  'Put a proxy with TLS in front of REST, and name its addresses in `RINGKEY_TRUSTED_PROXIES`. Only then is `X-Forwarded-For` believed; without it all clients count as one address.',
  'Set `RINGKEY_ENCRYPTION_KEYS`, and keep a copy apart from the database: without them every merchant’s processor has to be connected again.',
  'Leave `RINGKEY_DEMO` off. A tunnel to a demo on loopback needs the demo’s key, and its host in `RINGKEY_PUBLIC_URL`.',
  'Pay links need an https address that callers’ browsers reach, `RINGKEY_LINK_URL` (else `RINGKEY_PUBLIC_URL`): `/p/…` and `/pay/…` below it go to REST. It is in each text, so keep it short. Without one nothing offers a link, the start warns, and merchants’ status says `pay_links_unavailable`. The path of a link is the way to pay: keep it out of your proxy’s log.',
  'Texts of live mode need a carrier (`RINGKEY_SMS`). Without one callers are promised none, the start warns, and merchants’ status says `sms_carrier_missing`. Point the carrier’s answers at `/hooks/sms/…`: a STOP ends all texts to that number. Texts of test mode go to the log.',
  'The line speaks with espeak-ng. Better voices (`RINGKEY_SYNTHESIZER`, merchants’ `voice`) come from OpenAI, Google, Amazon Polly or ElevenLabs, or from a server of your own (`RINGKEY_TTS_URL`). A vendor is sent each sentence once, when the checkout is created: business name, amount and the integrator’s messages are in them. Of a card it learns nothing: digits are rendered one by one, as words that all calls share, and a text that may hold a card number is spoken by espeak-ng. `ringkey_speech_characters_total` counts what it charges for.',
];

const MONEY: readonly string[] = [
  'It needs a database that loses nothing in a failover: a synchronous standby (`synchronous_standby_names`) and `synchronous_commit` at `on` or more. Call records and heartbeats do not wait for it.',
  'With an asynchronous standby the last second of charges can be lost. A payment of the same session then meets the same idempotency key at the processor, and an outcome without its row writes it again; a charge whose process died as well, and that nobody tries again, is in the processor’s books alone.',
  'Look for `given up` at level `error` in the log. A charge whose processor says nothing of it for three days, and a refund after a month, stay `pending` for good: look in the processor’s books, then settle them on their pages in the dashboard, with `settle_charge` and `settle_refund`, or with `ringkey charge settle` and `ringkey refund settle`. `list_charges` and `list_refunds` find them with `needs_settling=true`.',
  'Look for `was paid` at level `error`, too: a charge that was called failed, as the processor did not have it, is looked at again after an hour and a day. The audit trail has it as `charge.paid_late`, and a session that is still open ends, so that it is not paid again.',
];

const FAILURES: readonly (readonly [what: string, happens: string, hears: string])[] = [
  [
    'A phone process',
    'Another one notices within five seconds (ten where the host is frozen), closes its calls, and sends the callers back to the agent by REFER with the outcome that the database knows. A charge under way is settled later.',
    'Silence, then the agent. Where REFER is not allowed or fails, the call ends.',
  ],
  [
    'The SIP server, or the way to it',
    'Calls go on for five seconds without a connection. After that they are recorded as `failed`, `error`. A dead SIP server cannot hang up: the caller’s side does, by its session timer (half an hour at most) or its own watch on the audio.',
    'The conversation, then silence.',
  ],
  [
    'A FreeSWITCH',
    'Its calls move to another one of `FREESWITCH_HOSTS` by re-INVITE. Without another: back to the agent by REFER. A caller who is already bridged to the agent is cut off.',
    'A pause, then the conversation goes on; or the agent.',
  ],
  [
    'A synthesizer',
    'Of what is not rendered yet espeak-ng speaks the same sentence in the same language, then a recording does, without name and amount. A synthesizer that fails is left alone for ten seconds at a time, in that language and voice; `ringkey_speech_rendering_duration_seconds` counts by `result`.',
    'The sentence, in another voice.',
  ],
  [
    'PostgreSQL',
    'Phone processes withdraw from the SIP server, and new calls get 503. REST answers 5xx. A keyed card waits up to 15 seconds for it before it is charged.',
    '“Still working”; if it does not come back, that the payment cannot be taken now, and the agent.',
  ],
  [
    'Redis',
    'Webhooks and texts are sent by the workers without its queue. Rate limits do not count.',
    'Nothing of it.',
  ],
  ['A worker', 'Webhooks, texts and look-ups wait in the database for another one.', 'Nothing of it.'],
  [
    'The processor’s answer',
    'The charge is `pending`, the outcome `pending`. It is looked up until it is known, and reported by webhook.',
    'Not to pay again; that a text follows, where one can be sent.',
  ],
];

const HEALTH: readonly string[] = [
  'Let the load balancer ask `/readyz`: it is 503 when PostgreSQL cannot be written to, and for `RINGKEY_SHUTDOWN_DELAY_SECONDS` (5) before a process stops to listen. Without Redis it is 200 and `degraded`: watch for that.',
  'A phone process that drains, is full, or is cut off from PostgreSQL or its media servers withdraws from the SIP server: others take the calls. On SIGTERM live calls may go on for `RINGKEY_DRAIN_SECONDS` (60), and then return to the agent.',
  'Scrape `/metrics`. It answers private addresses only (`RINGKEY_METRICS_FROM`): do not route it from outside.',
];

const UPGRADES: readonly string[] = [
  'Read the changelog first. Then `ringkey migrate`, or start the new version: each process brings the database up to date before it does anything else. Processes of the version before run on it meanwhile, and start on it, so the way back needs no backup.',
  'Replace `api` and `worker` processes one by one, then each `phone`, which lets its calls finish. With `compose.yaml`: `docker compose up -d --build`. It has one `phone`: while that drains and starts again, new calls get 503, so choose an hour with few.',
  'Back up PostgreSQL (`docker compose exec -T postgres pg_dump -U ringkey -Fc ringkey > ringkey.dump`), and `RINGKEY_ENCRYPTION_KEYS` apart from it. Redis and rendered sentences need no backup.',
  'A database that was restored has forgotten what came after the backup: charges since then are in the processor’s books alone, revoked keys and removed users are back, and webhooks and texts that waited at that time go out once more. Archive its write-ahead log to lose as little as you can.',
];

const CAPACITY: readonly string[] = [
  '`RINGKEY_MAX_CALLS` (500) of a phone process, `RINGKEY_MAX_CALLS_PER_ACCOUNT` (100) over all. Beyond: 503.',
  'FreeSWITCH counts channels, and a bridged call has two: `FREESWITCH_MAX_SESSIONS` is twice the calls.',
  'A bridge holds caller and agent for `RINGKEY_MAX_BRIDGE_MINUTES` (60) at most. A caller returned by REFER costs nothing more.',
  'Rendered sentences never take more of the disk than `RINGKEY_SPEECH_CACHE_MB` (1024), all accounts together; of one account no more than `RINGKEY_SPEECH_ACCOUNT_MB` (100) are made in an hour. Beyond that, and when the disk’s share is full of files in use, recordings stand in.',
];

const RETENTION: readonly (readonly [what: string, howLong: string])[] = [
  ['Idempotency keys and their answers', 'a day'],
  ['Fingerprints of cards, hashes of numbers and addresses', 'two days after the charge'],
  ['What screening found of callers’ numbers and calls', 'two days'],
  ['Deliveries of webhooks', '30 days'],
  ['REST requests, without secrets, names and numbers', '30 days (`RINGKEY_REQUEST_LOG_DAYS`; `0`: not kept)'],
  ['Rendered sentences (amounts and merchants’ names)', '30 days after their last use'],
  ['Events, texts', '90 days'],
  ['Pay links', 'as long as the number of their session; none leads to a payment once it is paid or over'],
  ['Audit events', 'a year'],
  ['Sessions without a charge, and their calls', '400 days (`RINGKEY_RETENTION_DAYS`; `0`: kept)'],
  ['Number, `metadata`, line items, messages, `return_to` of sessions with a charge', 'as long'],
  [
    'Charges, refunds and their sessions, callers, consents',
    'not deleted by themselves; `DELETE /v1/consumers/{id}` erases a caller',
  ],
];

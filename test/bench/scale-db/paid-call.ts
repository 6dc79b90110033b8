/** The writes of a paid call, one after the other, by the functions that make them; and the WAL that they cost. */
import { insertCall, updateCall } from '../../../src/db/calls/calls.ts';
import { EVENT_TYPES } from '../../../src/db/events/events.ts';
import { claimUnrelayed, relayEvents } from '../../../src/db/events/outbox.ts';
import type { Database, Sql } from '../../../src/db/pool.ts';
import { readOne } from '../../../src/db/pool.ts';
import { insertRequests } from '../../../src/db/requests/requests.ts';
import { claimText, insertTexts, writeTextOutcome } from '../../../src/db/texts/texts.ts';
import { writeAttempts } from '../../../src/db/webhooks/deliveries.ts';
import { type CallId, type ChargeId, newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import { KEY_BYTES } from '../../../src/lib/vault/vault.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { ACCOUNT, MERCHANT, seededCaller } from './seed.ts';

const MERCHANT_OF_CALL = { accountId: ACCOUNT, merchantId: MERCHANT, mode: 'test' } as TestMerchant;
const LEASE = 1;
const QUIET = { info: () => undefined, warn: console.error, error: console.error };
const STAGES = ['greeting', 'collecting', 'charging'] as const;

/** From one caller to the next: each is at another place of the indexes by number. */
const STRIDE = 7_919_993;

/**
 * @param callers of the seed, who call again
 * @returns bytes of WAL for each call, after a checkpoint: pages are then logged in full once, as in production
 */
export async function walOfPaidCalls(database: Database, count: number, callers: number): Promise<number> {
  const pay = payer(database);
  await addEndpoint(database);
  await database.query('checkpoint');
  const before = await position(database);
  for (let n = 0; n < count; n += 1) await takePaidCall(database, pay, seededCaller((n * STRIDE) % callers), n);
  return ((await position(database)) - before) / count;
}

/** The endpoints of the seed want no events. */
async function addEndpoint(sql: Sql): Promise<void> {
  await sql.query(
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
     values ('we_paid', $1, $2, 'https://example.com/', $3, 'x') on conflict (id) do nothing`,
    [MERCHANT_OF_CALL.accountId, MERCHANT_OF_CALL.mode, EVENT_TYPES],
  );
}

async function position(sql: Sql): Promise<number> {
  const text = `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`;
  return (await readOne<{ bytes: number }>(sql, text)).bytes;
}

function payer(database: Database) {
  const deps = {
    database,
    processors: [createSandbox(database)],
    inFlight: new InFlight(),
    log: QUIET,
    onPending: () => undefined,
    fingerprint: createFingerprint(Buffer.alloc(KEY_BYTES, 1)),
  };
  return takePayment.bind(null, deps);
}

async function takePaidCall(
  database: Database,
  pay: ReturnType<typeof payer>,
  callerPhone: string,
  n: number,
): Promise<void> {
  const sessionId = await createTestSession(database, MERCHANT_OF_CALL, { callerPhone, orderId: `paid_${n}` });
  const call = { id: newId('Call'), leaseId: LEASE };
  const { accountId, mode, merchantId } = MERCHANT_OF_CALL;
  const facts = { accountId, mode, merchantId, sessionId, instance: 'phone', sipCallId: `${call.id}@192.0.2.1` };
  const dialog = { sipDialogs: [`${call.id};tag=1`], sourceAddress: '192.0.2.1', allowsRefer: true };
  await insertCall(database, { ...call, ...facts, ...dialog }, 1_000_000);
  for (const stage of STAGES) await updateCall(database, call, snapshot(stage, null));
  const card = {
    number: Secret.of('4242424242424242'),
    expiry: Secret.of('0431'),
    securityCode: Secret.of('999'),
    postalCode: null,
  };
  const paid = await pay({
    sessionId,
    scope: { accountId, mode },
    source: 'phone',
    card: { kind: 'keyed', card },
    call: { number: callerPhone, source: '192.0.2.1' },
  });
  if (paid.type !== 'succeeded') throw new Error(`a payment of the bench was ${paid.type}`);
  await updateCall(database, call, snapshot('charging', paid.charge.id));
  await notify(database, paid.charge.id, call.id, sessionId, callerPhone);
}

function snapshot(stage: (typeof STAGES)[number], chargeId: ChargeId | null): Parameters<typeof updateCall>[2] {
  const isOver = chargeId !== null;
  return {
    sipDialogs: ['dialog;tag=1'],
    localContact: 'sip:192.0.2.2:5060',
    dialogFacts: [],
    mediaLegId: 'media',
    returnSipCallId: null,
    timeline: [
      { step: 'answered', atMs: 20 },
      { step: 'ask card_number', atMs: 4_000 },
      { step: 'ask expiry', atMs: 14_000 },
      { step: 'ask security_code', atMs: 20_000 },
      { step: 'charge', atMs: 26_000 },
    ],
    outcome: isOver ? 'succeeded' : null,
    reason: null,
    chargeId,
    stage: stage as Parameters<typeof updateCall>[2]['stage'],
    keyKind: 'telephone-event',
    returnMode: null,
    answeredAt: new Date(),
    endedAt: isOver ? new Date() : null,
    textsLink: false,
    codec: 'PCMU',
    packetsReceived: 1_500,
    packetsLost: 0,
    jitterMs: 1,
  };
}

/** What follows a payment: its events to one webhook endpoint, the receipt, and two requests in the log. */
async function notify(
  database: Database,
  chargeId: ChargeId,
  callId: CallId,
  sessionId: Parameters<typeof insertTexts>[1][number]['sessionId'],
  recipient: string,
): Promise<void> {
  const { accountId, mode } = MERCHANT_OF_CALL;
  const deliveries = await database.transaction(async (sql) => {
    const events = await claimUnrelayed(sql, 100);
    return relayEvents(
      sql,
      events.map(({ id }) => ({ id, body: JSON.stringify({ id, text: 'x'.repeat(1_200) }) })),
    );
  });
  for (const delivery of deliveries) {
    const text = 'select created_at::text as at from webhook_deliveries where endpoint_id = $1 and event_id = $2';
    const { at } = await readOne<{ at: string }>(database, text, [delivery.endpointId, delivery.eventId]);
    const answer = {
      sentAt: new Date(),
      signature: 'v1,x',
      latencyMs: 20,
      statusCode: 200,
      answer: 'ok',
      failure: null,
      failureDetail: null,
    };
    const attempt = { ...delivery, relayedAt: at, status: 'delivered' as const, attempts: 1, nextInMs: 0 };
    await writeAttempts(database, [{ ...attempt, ...answer }]);
  }
  const body = 'Bench: you paid 42.50 USD for order 1 with Visa 4242. Thank you.';
  const text = { accountId, mode, sessionId, chargeId, kind: 'receipt', recipient, body, segments: 1 };
  const [id = ''] = await insertTexts(database, [text]);
  const due = await claimText(database, id, 60_000);
  if (due !== null) {
    const sent = { status: 'sent' as const, carrier: 'log', carrierMessageId: callId, errorCode: null, nextInMs: 0 };
    await writeTextOutcome(database, due, sent);
  }
  const request = {
    accountId,
    mode,
    method: 'POST',
    status: 200,
    code: null,
    param: null,
    durationMs: 12,
    keyId: null,
    source: '192.0.2.3',
    requestBody: '{"amount_cents":4250}'.padEnd(300),
    answerBody: '{"checkout_session_id":"cs"}'.padEnd(700),
    createdAt: new Date(),
  };
  for (const route of ['/v1/create_checkout', '/v1/checkout_sessions/{checkout_session_id}']) {
    const logged = { ...request, id: newId('Request'), route, path: route };
    await insertRequests(database, [logged as unknown as Parameters<typeof insertRequests>[1][number]]);
  }
}

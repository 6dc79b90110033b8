/** `POST /v1/charges`: a merchant charges a saved card without its caller, as far as the caller agreed. */
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import type { Sql } from '../../src/db/pool.ts';
import { findSessionOfCall } from '../../src/db/sessions/sessions.ts';
import { parseId } from '../../src/domain/ids.ts';
import { InFlight } from '../../src/lib/concurrency/in-flight.ts';
import { createVault, KEY_BYTES } from '../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { takePayment } from '../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { createRecordingLog, FAST_SANDBOX, keyedCard } from '../integration/payments/test-payments.ts';
import { useFixture } from '../support/fixtures.ts';
import { expectError } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const MERCHANT = 'mer_demo_diner';
const PATH = '/v1/charges';

const vault = createVault([Buffer.alloc(KEY_BYTES, 7)]);
const api = useFixture(() => startTestApi({ vault }));

let names = 0;
/** A name that no other test uses: digits alone could look like a card number. */
function newName(kind: string): string {
  names += 1;
  return `${kind}_${names}`;
}

let callers = 0;
/** A card of a new caller. */
async function save(token: string, terms: Record<string, unknown> = {}): Promise<{ id: string; caller: string }> {
  callers += 1;
  const caller = `+1555013${String(callers).padStart(4, '0')}`;
  const answer = await api.post('/v1/cards', { merchant_id: MERCHANT, caller_phone: caller, token, ...terms });
  expect(answer.status, answer.text).toBe(200);
  return { id: String(answer.body.instrument_id), caller };
}
const agreed = (token = 'tok_visa', more: Record<string, unknown> = {}) =>
  save(token, { save_terms: 'merchant_initiated', ...more });

interface ChargeOptions {
  key?: string;
  [field: string]: unknown;
}

function charge(instrument_id: string, { key = newName('key'), ...more }: ChargeOptions = {}): Promise<Answer> {
  const order = { amount_cents: 2_500, order_id: newName('fee') };
  const body = { initiator: 'merchant', merchant_id: MERCHANT, instrument_id, ...order, ...more };
  return api.post(PATH, body, { 'idempotency-key': key });
}

async function countSessions(caller: string): Promise<number> {
  const { rows } = await api.database.query('select from checkout_sessions where caller_phone = $1', [caller]);
  return rows.length;
}

async function countPayments(instrument: string): Promise<number> {
  const { rows } = await api.database.query(
    'select from sandbox_payments p join charges c on c.id = p.reference where c.instrument_id = $1',
    [instrument],
  );
  return rows.length;
}

test('charges a card whose caller agreed, and records who did it', async () => {
  const { id, caller } = await agreed('tok_visa', { max_amount_cents: 2_500 });
  const order_id = newName('fee');
  const { status, body } = await charge(id, { order_id, metadata: { reason: 'no-show' } });
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      status: 'succeeded',
      amount_cents: 2_500,
      currency: 'USD',
      source: 'saved_card',
      initiator: 'merchant',
      instrument_id: id,
      order_id,
      caller_phone: caller,
      last_four: '4242',
      platform_call_id: null,
    }),
  ]);
  const { body: session } = await api.get(`/v1/checkout_sessions/${body.checkout_session_id}`);
  expect(session).toMatchObject({ session_status: 'complete', metadata: { reason: 'no-show' }, caller_phone: caller });
  const { body: events } = await api.get(`/v1/events?checkout_session_id=${body.checkout_session_id}`);
  expect((events.events as { type: string }[]).map(({ type }) => type).sort()).toEqual([
    'checkout.completed',
    'checkout.succeeded',
  ]);
  const { body: audit } = await api.get(`/v1/audit_events?object=${body.charge_id}`);
  expect(audit.audit_events).toMatchObject([
    { action: 'charge.created', changes: { instrument: id, order: order_id, amount_cents: 2_500, currency: 'USD' } },
  ]);
});

test('rejects a card that was saved for its caller only, at this merchant or any other', async () => {
  expectError(await charge((await save('tok_visa')).id), 'consent_missing', 'instrument_id');
  const { id, caller } = await agreed();
  // The agreement was with another merchant of the same account at the processor.
  await api.database.query(
    `update card_consents set merchant_id = (select id from merchants where id <> $2 and account_id = 'acct_demo' limit 1)
      where instrument_id = $1`,
    [id, MERCHANT],
  );
  expectError(await charge(id), 'consent_missing', 'instrument_id');
  expect([await countPayments(id), await countSessions(caller)]).toEqual([0, 0]);
});

test('charges at most the amount that the caller agreed to, by the newest agreement', async () => {
  const { id, caller } = await agreed('tok_visa', { max_amount_cents: 2_499 });
  expectError(await charge(id), 'consent_exceeded', 'amount_cents');
  expect(await countSessions(caller)).toBe(0);
  const again = { merchant_id: MERCHANT, caller_phone: caller, token: 'tok_visa' };
  await api.post('/v1/cards', { ...again, save_terms: 'merchant_initiated', max_amount_cents: 2_500 });
  // Saving the card for the caller's own payments does not end the agreement.
  await api.post('/v1/cards', again);
  expect((await charge(id)).status).toBe(200);
});

test('charges nothing in another currency than that of the agreed maximum', async () => {
  const limited = await agreed('tok_visa', { max_amount_cents: 2_500 });
  const unlimited = await agreed();
  const change = (currency: string) => api.send('PATCH', `/v1/merchants/${MERCHANT}`, { currency });
  expect((await change('EUR')).status).toBe(200);
  try {
    expectError(await charge(limited.id, { amount_cents: 1 }), 'consent_exceeded', 'amount_cents');
    expect((await charge(unlimited.id)).body.currency).toBe('EUR');
  } finally {
    await change('USD');
  }
  expect((await charge(limited.id)).status).toBe(200);
});

test('lists what the caller agreed to', async () => {
  const consent_text = 'We charge this card if you do not come.';
  const { caller } = await agreed('tok_visa', { max_amount_cents: 5_000, consent_text });
  await api.post('/v1/cards', { merchant_id: MERCHANT, caller_phone: caller, token: 'tok_amex' });
  const { body } = await api.get(`/v1/cards?merchant_id=${MERCHANT}&caller_phone=${encodeURIComponent(caller)}`);
  const agreed_at = expect.stringMatching(/^20.*Z$/);
  expect(body.cards).toMatchObject([
    { save_terms: 'returning', max_amount_cents: null, consent: { channel: 'rest', wording: null, agreed_at } },
    {
      save_terms: 'merchant_initiated',
      max_amount_cents: 5_000,
      consent: { channel: 'rest', wording: consent_text, agreed_at },
    },
  ]);
});

const SAVING = {
  save_terms: 'merchant_initiated',
  save_sentence: 'May we charge this card up to 30 dollars if you do not come?',
  save_max_amount_cents: 3_000,
};

test('charges a card that was saved with a payment by phone, on the terms that the caller agreed to', async () => {
  const caller_phone = '+15550137777';
  const checkout = { merchant_id: MERCHANT, amount_cents: 1_000, caller_phone, ...SAVING };
  const { checkout_session_id } = await api.checkout(checkout);
  const path = `/v1/checkout_sessions/${checkout_session_id}`;
  expect((await api.get(path)).body.instrument_id).toBeNull();
  const sessionId = parseId('CheckoutSession', checkout_session_id);
  const reading = sessionId && (await findSessionOfCall(api.database, sessionId));
  if (reading == null) throw new Error('no session');
  const { saving } = reading.session;
  expect(saving).toEqual({
    saveTerms: 'merchant_initiated',
    sentence: SAVING.save_sentence,
    maxAmountCents: 3_000,
  });
  const paid = await takePayment(
    {
      database: api.database,
      vault,
      processors: [createSandbox(api.database, FAST_SANDBOX)],
      inFlight: new InFlight(),
      log: createRecordingLog(),
      onPending: () => undefined,
    },
    {
      sessionId: reading.session.id,
      scope: { accountId: DEMO_ACCOUNT, mode: 'test' },
      source: 'page',
      card: keyedCard('visa'),
      consent: {
        channel: 'page',
        callId: null,
        wordingId: 'page.own',
        language: 'en-US',
        wording: SAVING.save_sentence,
        ...(saving !== null && { terms: saving }),
      },
    },
  );
  expect(paid).toMatchObject({ type: 'succeeded', cardSaved: true });
  const { body: session } = await api.get(path);
  const id = String(session.instrument_id);
  expect((await charge(id, { amount_cents: 3_001 })).body.error.code).toBe('consent_exceeded');
  expect((await charge(id, { amount_cents: 3_000 })).status).toBe(200);
  await api.send('DELETE', `/v1/cards/${id}`, undefined, {});
  expect((await api.get(path)).body.instrument_id).toBeNull();
});

test.each<[string, Record<string, unknown>, ErrorCode, string]>([
  ['terms without a sentence', { save_sentence: undefined }, 'invalid_value', 'save_terms'],
  [
    'a sentence without terms',
    { save_terms: undefined, save_max_amount_cents: undefined },
    'invalid_value',
    'save_sentence',
  ],
  ['a maximum for returning callers', { save_terms: 'returning' }, 'invalid_value', 'save_max_amount_cents'],
])('rejects a checkout with %s', async (_name, change, code, param) => {
  const body = { merchant_id: MERCHANT, amount_cents: 1_000, ...SAVING, ...change };
  expectError(await api.post('/v1/create_checkout', body), code, param);
});

test('rejects a maximum for a card that is saved for its caller only', async () => {
  const card = { merchant_id: MERCHANT, caller_phone: '+15550139999', token: 'tok_visa', max_amount_cents: 100 };
  expectError(await api.post('/v1/cards', card), 'invalid_value', 'max_amount_cents');
});

test('charges nothing once the card is deleted', async () => {
  const { id } = await agreed();
  await api.send('DELETE', `/v1/cards/${id}`, undefined, {});
  expectError(await charge(id), 'instrument_not_found', 'instrument_id');
});

test('requires an Idempotency-Key', async () => {
  const { id } = await agreed();
  const body = { initiator: 'merchant', merchant_id: MERCHANT, instrument_id: id, amount_cents: 1, order_id: 'fee' };
  expectError(await api.post(PATH, body), 'missing_required_fields', 'Idempotency-Key');
  expectError(await api.post(PATH, { ...body, initiator: 'caller' }), 'invalid_value', 'initiator');
});

test('charges once for one key, at once or after the stored answer is gone', async () => {
  const { id } = await agreed();
  const same = { key: newName('key'), order_id: newName('fee'), allow_repeat: true };
  const answers = await Promise.all([charge(id, same), charge(id, same), charge(id, same)]);
  await api.database.query('delete from idempotency_keys');
  answers.push(await charge(id, same));
  expect(new Set(answers.map(({ body }) => body.charge_id)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await countPayments(id)).toBe(1);
  // Another amount is another request.
  expectError(await charge(id, { ...same, amount_cents: 1 }), 'charge_details_mismatch', 'Idempotency-Key');
});

test('answers a repeat with the charge of the first request even if the card was deleted since', async () => {
  const [paid, declined] = [await agreed(), await agreed('tok_insufficient_funds')];
  const [same, other] = [newName('key'), newName('key')].map((key) => ({ key, order_id: newName('fee') }));
  const first = await charge(paid.id, same);
  const refused = await charge(declined.id, other);
  await api.database.query('delete from idempotency_keys');
  for (const { id } of [paid, declined]) await api.send('DELETE', `/v1/cards/${id}`, undefined, {});
  const repeated = await charge(paid.id, same);
  expect([repeated.status, repeated.body.charge_id]).toEqual([200, first.body.charge_id]);
  const repeatedDecline = await charge(declined.id, other);
  expectError(repeatedDecline, 'card_declined');
  expect(repeatedDecline.body.error.charge).toBe(refused.body.error.charge);
});

test('charges an order once, unless it may be repeated', async () => {
  const { id } = await agreed();
  const order_id = newName('fee');
  const { body: paid } = await charge(id, { order_id });
  const { status, body } = await charge(id, { order_id });
  expect([status, body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'charge_details_mismatch', charge: paid.charge_id }),
  ]);
  expect((await charge(id, { order_id, allow_repeat: true })).status).toBe(200);
  expect(await countPayments(id)).toBe(2);
});

test('answers a decline, and its repeat, with the same charge', async () => {
  const { id } = await agreed('tok_insufficient_funds');
  const same = { key: newName('key'), order_id: newName('fee') };
  const first = await charge(id, same);
  expect([first.status, first.body.error]).toEqual([
    402,
    expect.objectContaining({ code: 'card_declined', decline_code: 'insufficient_funds' }),
  ]);
  await api.database.query('delete from idempotency_keys');
  expect((await charge(id, same)).body.error.charge).toBe(first.body.error.charge);
  expect(await countPayments(id)).toBe(1);
});

test('answers an unknown outcome with 424, and its repeat with the pending charge', async () => {
  const { id } = await agreed('tok_hangs_taken');
  const same = { key: newName('key'), order_id: newName('fee') };
  const first = await charge(id, same);
  expectError(first, 'processor_unavailable');
  const repeated = await charge(id, same);
  expect([repeated.status, repeated.body.status, repeated.body.charge_id]).toEqual([
    200,
    'pending',
    first.body.error.charge,
  ]);
});

test('rejects a processor that cannot charge without the caller', async () => {
  let own: TestApi | null = null;
  // The sandbox of the service's own database, which comes with the service.
  const late = { query: ((...args: Parameters<Sql['query']>) => own?.database.query(...args)) as Sql['query'] };
  const sandbox = createSandbox(late);
  const { merchantInitiated: _, ...can } = sandbox.can;
  own = await startTestApi({ processors: [{ ...sandbox, can }] });
  try {
    const terms = { save_terms: 'merchant_initiated', token: 'tok_visa', caller_phone: '+15550138888' };
    const { body: card } = await own.post('/v1/cards', { merchant_id: MERCHANT, ...terms });
    const order = { amount_cents: 100, order_id: 'fee', instrument_id: card.instrument_id, merchant_id: MERCHANT };
    const answer = await own.post(PATH, { initiator: 'merchant', ...order }, { 'idempotency-key': 'fee' });
    expectError(answer, 'not_configured');
  } finally {
    await own.close();
  }
});

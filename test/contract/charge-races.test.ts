/** Phone, REST and pay page charge the same session at once: one succeeds, the others get its result. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CheckoutSessionId, parseId } from '../../src/domain/ids.ts';
import { InFlight } from '../../src/lib/concurrency/in-flight.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { takePayment } from '../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import type { PaymentCard } from '../../src/payments/shared/card.ts';
import { lookUpSession, type NumberRules } from '../../src/phone/session-lookup.ts';
import {
  createRecordingLog,
  FAST_SANDBOX,
  keyedCard,
  readPaymentState,
} from '../integration/payments/test-payments.ts';
import { CALLER, expectError } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const CARD = 'card_demo_visa';
const ROUNDS = 10;
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function session(): Promise<CheckoutSessionId> {
  const body = { merchant_id: 'mer_demo_diner', amount_cents: 1_234, caller_phone: CALLER };
  const id = parseId('CheckoutSession', (await api.checkout(body)).checkout_session_id);
  if (id === null) throw new Error('no session id');
  return id;
}

const byRest = (id: string) => api.post('/v1/charge', { checkout_session_id: id, instrument_id: CARD });

/** Like a process other than that of the REST service. */
function by(source: 'phone' | 'page', sessionId: CheckoutSessionId, card: PaymentCard) {
  const { database } = api;
  const deps = {
    database,
    processors: [createSandbox(database, FAST_SANDBOX)],
    inFlight: new InFlight(),
    log: createRecordingLog(),
    onPending: () => undefined,
  };
  return takePayment(deps, { sessionId, scope: { accountId: DEMO_ACCOUNT, mode: 'test' }, source, card });
}

/** The answer of REST about its own charge, or about the one that blocks it. */
function wordOf({ status, body }: Answer): string {
  if (status === 200) return body.replay === true ? 'replay' : String(body.status);
  return body.error.code;
}

test('charges the first request, and answers the others with its charge', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await session();
    const [first, second, phone, page] = await Promise.all([
      byRest(id),
      byRest(id),
      by('phone', id, keyedCard('visa')),
      by('page', id, { kind: 'token', token: 'tok_mastercard' }),
    ]);
    const state = await readPaymentState(api.database, id);
    expect(state).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      ledger: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
    const [paid] = state.rows;
    if (paid === undefined) throw new Error('nothing was paid');
    for (const [source, result] of Object.entries({ phone, page })) {
      if (source === paid.source) expect(result.type).toBe('succeeded');
      else expect(result).toMatchObject({ type: 'refused', charge: { id: paid.id } });
      if (result.type === 'refused') expect(['already_paid', 'in_progress']).toContain(result.reason);
    }
    const words = [first, second].map(wordOf).sort();
    if (paid.source === 'saved_card') expect(words).toEqual(['replay', 'succeeded']);
    else expect(words).toEqual(['charge_details_mismatch', 'charge_details_mismatch']);
    for (const { status, body } of [first, second]) {
      expect(status === 200 ? body.charge_id : body.error.charge).toBe(paid.id);
    }
  }
});

test('makes no other charge while the outcome of a phone charge is unknown', async () => {
  const id = await session();
  const phone = await by('phone', id, keyedCard('breaks_then_succeeds'));
  expect(phone.type).toBe('pending');
  expect(wordOf(await byRest(id))).toBe('charge_details_mismatch');
  expect(await by('page', id, { kind: 'token', token: 'tok_visa' })).toMatchObject({
    type: 'refused',
    reason: 'in_progress',
    charge: { id: phone.charge?.id },
  });
  expect(await readPaymentState(api.database, id)).toMatchObject({ charges: ['pending'], ledger: ['succeeded'] });
});

test('allows another charge after a decline on the phone', async () => {
  const id = await session();
  expect((await by('phone', id, keyedCard('do_not_honor'))).type).toBe('declined');
  expect(wordOf(await byRest(id))).toBe('succeeded');
  expect(await by('page', id, { kind: 'token', token: 'tok_visa' })).toMatchObject({ reason: 'already_paid' });
});

test('returns 429 after too many failed attempts of a caller', async () => {
  const own = await startTestApi({
    pay: async () => ({
      type: 'refused',
      reason: 'too_many_attempts',
      charge: null,
      order: { orderId: null, platformCallId: null },
    }),
  });
  try {
    const body = { merchant_id: 'mer_demo_diner', amount_cents: 1_234, caller_phone: CALLER };
    const { checkout_session_id } = await own.checkout(body);
    const { status, body: answer } = await own.post('/v1/charge', { checkout_session_id, instrument_id: CARD });
    expect({ status, code: answer.error.code }).toEqual({ status: 429, code: 'rate_limit' });
    expect(answer.error.agent_message).toMatch(/can't try another payment/);
  } finally {
    await own.close();
  }
});

test.each([3_600_000, -3_600_000])(
  'a session, with our clock %i ms off, lives from its opening to its charge by the clock of the database',
  async (ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    try {
      const body = { merchant_id: 'mer_demo_diner', amount_cents: 1_234, caller_phone: CALLER, ttl_seconds: 600 };
      const opened = await api.checkout(body);
      const { rows } = await api.database.query<{ left: number }>(
        'select extract(epoch from $1::timestamptz - now())::double precision as left',
        [opened.expires_at],
      );
      expect(rows[0]?.left).toBeGreaterThan(300);
      expect(rows[0]?.left).toBeLessThanOrEqual(600);
      const read = () => api.get(`/v1/checkout_sessions/${opened.checkout_session_id}`);
      const call = {
        requestUser: userOf(opened.transfer_to),
        sourceAddress: '',
        callingNumber: null,
        calledNumber: null,
        divertedFrom: [],
      };
      const lookUp = () => lookUpSession(api.database, NO_NUMBERS, call);
      expect((await read()).body.session_status).toBe('open');
      expect(await lookUp()).toHaveProperty('found');
      expect(wordOf(await byRest(opened.checkout_session_id))).toBe('succeeded');
    } finally {
      vi.useRealTimers();
    }
  },
);

test.each([3_600_000, -3_600_000])(
  'a session that is over by the clock of the database is over, with our clock %i ms off',
  async (ms) => {
    const body = { merchant_id: 'mer_demo_diner', amount_cents: 1_234, caller_phone: CALLER };
    const { checkout_session_id: id, transfer_to: transferTo } = await api.checkout(body);
    await api.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    try {
      expect((await api.get(`/v1/checkout_sessions/${id}`)).body.session_status).toBe('expired');
      const call = {
        requestUser: userOf(transferTo),
        sourceAddress: '',
        callingNumber: null,
        calledNumber: null,
        divertedFrom: [],
      };
      expect(await lookUpSession(api.database, NO_NUMBERS, call)).toEqual({ status: 410 });
      expectError(await byRest(id), 'session_expired');
    } finally {
      vi.useRealTimers();
    }
  },
);

/** Rules for calls without a token, which these tests do not place. */
const NO_NUMBERS: NumberRules = {
  isTrunk: () => false,
  transferNumbers: { owned: [], unassigned: null },
  trunkCountry: null,
};

/** The user part of a SIP URI. */
const userOf = (uri: string) => uri.slice('sip:'.length, uri.indexOf('@'));

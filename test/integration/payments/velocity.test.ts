/** The velocity rules against card testing: failed attempts count, and beyond a limit no charge is created. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import { type PaymentRequest, takePayment } from '../../../src/payments/charges/take-payment.ts';
import { declinedUnpaid } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { MAX_DECLINES_A_SESSION, VELOCITY, type VelocityRules } from '../../../src/payments/rules/velocity.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createTestPayments, keyedCard, paymentRequest, scriptedProcessor } from './test-payments.ts';

const THREE = { attempts: 3, seconds: 3_600 };
const DECLINED = 'do_not_honor';

const db = useTestDatabase();
let merchant: TestMerchant;
const fingerprint = createFingerprint(randomBytes(32));
let callers = 0;

beforeEach(async () => {
  merchant = await createTestMerchant(db.database);
});

/** A session of a caller; a new caller by default. */
async function session(caller?: string): Promise<CheckoutSessionId> {
  const id = await createTestSession(db.database, merchant);
  callers += 1;
  await db.database.query('update checkout_sessions set caller_phone = $2 where id = $1', [
    id,
    caller ?? `+1555030${String(callers).padStart(4, '0')}`,
  ]);
  return id;
}

async function statusesOf(sessionId: CheckoutSessionId): Promise<string[]> {
  const { rows } = await db.database.query<{ status: string }>('select status from charges where session_id = $1', [
    sessionId,
  ]);
  return rows.map(({ status }) => status);
}

/** Makes all attempts older. */
async function passes(minutes: number): Promise<void> {
  for (const [table, column] of [
    ['charges', 'created_at'],
    ['charge_signals', 'created_at'],
    ['attempt_counts', 'minute'],
  ]) {
    await db.database.query(
      `update ${table} set ${column} = ${column} - $2 * interval '1 minute' where account_id = $1`,
      [merchant.accountId, minutes],
    );
  }
}

/** The number of statements that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await db.database.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

interface Attempt {
  sessionId?: CheckoutSessionId;
  card?: string;
  origin?: string;
  call?: PaymentRequest['call'];
  from?: TestMerchant;
}

/** @returns the outcome as one word */
async function attempt(rules: Partial<VelocityRules>, { sessionId, card, origin, call, from = merchant }: Attempt) {
  const all: VelocityRules = { ...VELOCITY.test, ...rules };
  const deps = { ...createTestPayments(db.database), fingerprint, velocity: { test: all, live: all } };
  const request = paymentRequest(from, sessionId ?? (await session()), keyedCard(card ?? DECLINED));
  const result = await takePayment(deps, {
    ...request,
    ...(origin !== undefined && { origin }),
    ...(call !== undefined && { call }),
  });
  return result.type === 'refused' ? result.reason : result.type;
}

const times = async (count: number, once: () => Promise<string>) => {
  const outcomes: string[] = [];
  while (outcomes.length < count) outcomes.push(await once());
  return outcomes;
};

const REFUSED = 'too_many_attempts';
/** The refusal of a session with five declines. */
const NO_MORE = 'too_many_declines';

test('a session has at most five declines, whatever the cards', async () => {
  const sessionId = await session();
  const cards = [DECLINED, 'lost_card', 'stolen_card', 'expired_card', 'insufficient_funds', 'visa', 'visa'];
  const outcomes: string[] = [];
  for (const card of cards) outcomes.push(await attempt({}, { sessionId, card }));
  expect(outcomes).toEqual([...Array(MAX_DECLINES_A_SESSION).fill('declined'), NO_MORE, NO_MORE]);
  expect(await statusesOf(sessionId)).toHaveLength(MAX_DECLINES_A_SESSION);
});

test('a request that was already waiting sees the fifth decline', async () => {
  const sessionId = await session();
  await times(MAX_DECLINES_A_SESSION - 1, () => attempt({}, { sessionId }));
  // The fifth is being settled, which locks the session, and the sixth waits for the lock.
  const fifth = newId('Charge');
  await db.database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, source, processor)
     select $2, session_id, account_id, mode, merchant_id, amount_cents, currency, source, processor
       from charges where session_id = $1 limit 1`,
    [sessionId, fifth],
  );
  let late: Promise<string> | undefined;
  await db.database.transaction(async (sql) => {
    await sql.query('select from checkout_sessions where id = $1 for no key update', [sessionId]);
    late = attempt({}, { sessionId });
    await expect.poll(waitingForLocks).toBe(1);
    await sql.query(`update charges set status = 'failed', decline_code = 'do_not_honor' where id = $1`, [fifth]);
  });
  expect(await late).toBe(NO_MORE);
  expect(await statusesOf(sessionId)).toEqual(Array(MAX_DECLINES_A_SESSION).fill('failed'));
});

test('a hundred concurrent requests cause no sixth decline', async () => {
  const sessionId = await session();
  const outcomes: string[] = [];
  for (let wave = 0; wave < 10; wave += 1) {
    outcomes.push(...(await Promise.all(Array.from({ length: 10 }, () => attempt({}, { sessionId })))));
  }
  expect(outcomes.filter((outcome) => outcome === 'declined')).toHaveLength(MAX_DECLINES_A_SESSION);
  expect(await statusesOf(sessionId)).toEqual(Array(MAX_DECLINES_A_SESSION).fill('failed'));
});

test('a caller is refused after too many failures, in any session and with any card; other callers are not', async () => {
  const caller = '+15550309999';
  const next = async (card?: string) =>
    attempt({ caller: THREE }, { sessionId: await session(caller), ...(card !== undefined && { card }) });
  expect(await times(4, () => next())).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('visa')).toBe(REFUSED);
  expect(await attempt({ caller: THREE }, { card: 'visa' })).toBe('succeeded');
});

test('a card is refused after too many failures, from any caller; other cards and accounts are not', async () => {
  const next = (card: string) => attempt({ card: THREE }, { card });
  expect(await times(4, () => next(DECLINED))).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('visa')).toBe('succeeded');
  const from = await createTestMerchant(db.database);
  const elsewhere = await createTestSession(db.database, from);
  expect(await attempt({ card: THREE }, { sessionId: elsewhere, from })).toBe('declined');
});

test('an address is refused after too many failures', async () => {
  const next = (origin: string) => attempt({ origin: THREE }, { origin, card: 'lost_card' });
  expect(await times(4, () => next('192.0.2.1'))).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('192.0.2.2')).toBe('declined');
});

test('successes do not count, and failures count only for a while', async () => {
  const rules = { card: THREE };
  expect(await times(5, () => attempt(rules, { card: 'visa' }))).toEqual(Array(5).fill('succeeded'));
  await times(3, () => attempt(rules, {}));
  expect(await attempt(rules, {})).toBe(REFUSED);
  await passes(59);
  expect(await attempt(rules, {})).toBe(REFUSED);
  await passes(2);
  expect(await attempt(rules, {})).toBe('declined');
});

test('a refusal because of the merchant’s setup does not count, because it says nothing about card or caller', async () => {
  const sessionId = await session('+15550309999');
  const rules = { ...VELOCITY, test: { ...VELOCITY.test, caller: THREE, card: THREE, origin: THREE } };
  const processors = [scriptedProcessor(db.database, async () => ({ status: 'refused', processorCode: 'no_moto' }))];
  const deps = { ...createTestPayments(db.database, { processors }), fingerprint, velocity: rules };
  const request = () => ({ ...paymentRequest(merchant, sessionId, keyedCard('visa')), origin: '192.0.2.9' });
  for (let attempt = 0; attempt <= MAX_DECLINES_A_SESSION; attempt += 1) {
    expect(await takePayment(deps, request())).toMatchObject({
      type: 'merchant_fault',
      charge: { status: 'failed', declineCode: null, processorCode: 'no_moto' },
    });
  }
  const working = { ...deps, processors: createTestPayments(db.database).processors };
  expect(await takePayment(working, request())).toMatchObject({ type: 'succeeded' });
});

test('attempts without an outcome count', async () => {
  const caller = '+15550308888';
  const next = async (card: string) => attempt({ caller: THREE }, { sessionId: await session(caller), card });
  expect(await times(3, () => next('breaks_then_succeeds'))).toEqual(['pending', 'pending', 'pending']);
  expect(await next('visa')).toBe(REFUSED);
});

test('a refused attempt is neither stored nor sent to the processor, and the number is nowhere', async () => {
  const rules = { card: { ...THREE, attempts: 1 } };
  await attempt(rules, {});
  const refused = await session();
  expect(await attempt(rules, { sessionId: refused })).toBe(REFUSED);
  const { rows } = await db.database.query<{ card_fingerprint: Buffer }>(
    'select card_fingerprint from charge_signals where account_id = $1',
    [merchant.accountId],
  );
  expect(rows.map((row) => row.card_fingerprint.length)).toEqual([32]);
  expect((await db.database.query('select from charges where session_id = $1', [refused])).rowCount).toBe(0);
});

describe('a call', () => {
  const HALF = { declines: 3, share: 0.5, seconds: 3_600 };
  /** From a session without a number, as the tool form creates it. */
  const called = async (
    rules: Partial<VelocityRules>,
    number: string | null,
    source = '192.0.2.7',
    card = DECLINED,
  ) => {
    const sessionId = await createTestSession(db.database, merchant, { callerPhone: null });
    return attempt(rules, { sessionId, card, call: { number, source } });
  };

  test('of a session without a number counts by its calling number', async () => {
    const rules = { callingNumber: HALF };
    expect(await times(4, () => called(rules, '+15550307001'))).toEqual(['declined', 'declined', 'declined', REFUSED]);
    expect(await called(rules, '+15550307002')).toBe('declined');
  });

  test('without any number counts by its trunk, separately from calls with a number', async () => {
    const rules = { callSource: HALF };
    expect(await times(4, () => called(rules, null))).toEqual(['declined', 'declined', 'declined', REFUSED]);
    expect(await called(rules, '+15550307003')).toBe('declined');
    expect(await called(rules, null, '192.0.2.8')).toBe('declined');
  });

  test('from a trunk with mostly paid calls is accepted, however many are declined', async () => {
    const rules = { callSource: HALF, callingNumber: HALF };
    await times(5, () => called(rules, '+15550307004', '192.0.2.9', 'visa'));
    expect(await times(4, () => called(rules, '+15550307004', '192.0.2.9'))).toEqual(Array(4).fill('declined'));
  });
});

test('a merchant with mostly declines takes no keyed card for the rest of the hour', async () => {
  const rules = { merchant: { declines: 3, share: 0.8, seconds: 3_600 } };
  expect(await times(3, () => attempt(rules, {}))).toEqual(Array(3).fill('declined'));
  const refused = await session();
  expect(await attempt(rules, { sessionId: refused, card: 'visa' })).toBe('merchant_paused');
  expect(await statusesOf(refused)).toEqual([]);
  await passes(62);
  expect(await attempt(rules, { card: 'visa' })).toBe('succeeded');
});

test('an outage of the processor counts neither for trunk nor for merchant', async () => {
  const three = { declines: 3, share: 0.5, seconds: 3_600 };
  const rules = { ...VELOCITY.test, merchant: three, callSource: three, callingNumber: three };
  const payAt = async (processors?: Processor[]) => {
    const deps = { ...createTestPayments(db.database, processors && { processors }), fingerprint };
    const sessionId = await createTestSession(db.database, merchant, { callerPhone: null });
    const call = { number: '+15550307005', source: '192.0.2.10' };
    const velocity = { test: rules, live: rules };
    const result = await takePayment(
      { ...deps, velocity },
      { ...paymentRequest(merchant, sessionId, keyedCard('visa')), call },
    );
    return result.type === 'refused' ? result.reason : result.type;
  };
  for (const declineCode of ['try_again_later', 'processing_error'] as const) {
    const away = scriptedProcessor(db.database, async () => declinedUnpaid('not_connected', declineCode));
    expect(await times(3, () => payAt([away]))).toEqual(Array(3).fill('declined'));
  }
  expect(await payAt()).toBe('succeeded');
});

test('a caller is refused after too many cards, even if the bank accepted them; earlier cards do not count again', async () => {
  const caller = '+15550307777';
  const rules = { callerCards: { cards: 3, seconds: 3_600 } };
  const next = async (card: string) => attempt(rules, { sessionId: await session(caller), card });
  const outcomes: string[] = [];
  for (const card of ['visa', 'mastercard', 'amex', 'discover', 'visa']) outcomes.push(await next(card));
  expect(outcomes).toEqual(['succeeded', 'succeeded', 'succeeded', REFUSED, 'succeeded']);
});

test('concurrent sessions do not pass a limit together', async () => {
  const caller = '+15550306666';
  const sessions = await Promise.all(Array.from({ length: 12 }, () => session(caller)));
  const outcomes = await Promise.all(sessions.map((sessionId) => attempt({ caller: THREE }, { sessionId })));
  expect(outcomes.toSorted()).toEqual([...Array(3).fill('declined'), ...Array(9).fill(REFUSED)]);
  const cards = await Promise.all(Array.from({ length: 12 }, () => attempt({ card: THREE }, { card: 'stolen_card' })));
  expect(cards.filter((outcome) => outcome === 'declined')).toHaveLength(3);
});

test('live merchants are limited as documented; test cards can be declined without limit', () => {
  expect(VELOCITY.live).toMatchObject({ caller: { attempts: 10 }, card: { attempts: 10 }, origin: { attempts: 20 } });
  expect(VELOCITY.test.card.attempts).toBeGreaterThan(1_000);
});

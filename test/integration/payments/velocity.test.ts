/** The velocity rules against card testing: failed attempts are counted, and beyond a limit no charge is begun. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { MAX_DECLINES_A_SESSION, VELOCITY, type VelocityRules } from '../../../src/payments/velocity.ts';
import { createFingerprint } from '../../../src/vault/fingerprint.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  keyedCard,
  createTestSession,
  createTestMerchant,
  createTestPayments,
  paymentRequest,
  type TestMerchant,
} from './test-payments.ts';

const OPEN = { attempts: 1_000, seconds: 3_600 };
const THREE = { attempts: 3, seconds: 3_600 };
const DECLINED = 'do_not_honor';

let db: TestDatabase;
let merchant: TestMerchant;
const fingerprint = createFingerprint(randomBytes(32));
let callers = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  merchant = await createTestMerchant(db.database);
});
afterAll(() => db.close());

/** A session of a caller; a new one where none is named. */
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
  from?: TestMerchant;
}

/** @returns the outcome as one word */
async function attempt(rules: Partial<VelocityRules>, { sessionId, card, origin, from = merchant }: Attempt) {
  const all: VelocityRules = { caller: OPEN, card: OPEN, origin: OPEN, ...rules };
  const deps = { ...createTestPayments(db.database), fingerprint, velocity: { test: all, live: all } };
  const request = paymentRequest(from, sessionId ?? (await session()), keyedCard(card ?? DECLINED));
  const result = await takePayment(deps, { ...request, ...(origin !== undefined && { origin }) });
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

test('a session has five declines at most, whatever the cards', async () => {
  const sessionId = await session();
  const cards = [DECLINED, 'lost_card', 'stolen_card', 'expired_card', 'insufficient_funds', 'visa', 'visa'];
  const outcomes: string[] = [];
  for (const card of cards) outcomes.push(await attempt({}, { sessionId, card }));
  expect(outcomes).toEqual([...Array(MAX_DECLINES_A_SESSION).fill('declined'), NO_MORE, NO_MORE]);
  expect(await statusesOf(sessionId)).toHaveLength(MAX_DECLINES_A_SESSION);
});

test('the fifth decline is seen by a request that was there before it', async () => {
  const sessionId = await session();
  await times(MAX_DECLINES_A_SESSION - 1, () => attempt({}, { sessionId }));
  // The fifth is being settled, which locks the session, and the sixth waits for that.
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
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1));
    await sql.query(`update charges set status = 'failed' where id = $1`, [fifth]);
  });
  expect(await late).toBe(NO_MORE);
  expect(await statusesOf(sessionId)).toEqual(Array(MAX_DECLINES_A_SESSION).fill('failed'));
});

test('a hundred requests at once make no sixth decline', async () => {
  const sessionId = await session();
  const outcomes: string[] = [];
  for (let wave = 0; wave < 10; wave += 1) {
    outcomes.push(...(await Promise.all(Array.from({ length: 10 }, () => attempt({}, { sessionId })))));
  }
  expect(outcomes.filter((outcome) => outcome === 'declined')).toHaveLength(MAX_DECLINES_A_SESSION);
  expect(await statusesOf(sessionId)).toEqual(Array(MAX_DECLINES_A_SESSION).fill('failed'));
});

test('a caller is refused after so many failures, in any session and with any card; others are not', async () => {
  const caller = '+15550309999';
  const next = async (card?: string) =>
    attempt({ caller: THREE }, { sessionId: await session(caller), ...(card !== undefined && { card }) });
  expect(await times(4, () => next())).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('visa')).toBe(REFUSED);
  expect(await attempt({ caller: THREE }, { card: 'visa' })).toBe('succeeded');
});

test('a card is refused after so many failures, from any caller; another card, or account, is not', async () => {
  const next = (card: string) => attempt({ card: THREE }, { card });
  expect(await times(4, () => next(DECLINED))).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('visa')).toBe('succeeded');
  const from = await createTestMerchant(db.database);
  const elsewhere = await createTestSession(db.database, from);
  expect(await attempt({ card: THREE }, { sessionId: elsewhere, from })).toBe('declined');
});

test('an address is refused after so many failures', async () => {
  const next = (origin: string) => attempt({ origin: THREE }, { origin, card: 'lost_card' });
  expect(await times(4, () => next('192.0.2.1'))).toEqual(['declined', 'declined', 'declined', REFUSED]);
  expect(await next('192.0.2.2')).toBe('declined');
});

test('successes do not count, and failures only for a while', async () => {
  const rules = { card: THREE };
  expect(await times(5, () => attempt(rules, { card: 'visa' }))).toEqual(Array(5).fill('succeeded'));
  await times(3, () => attempt(rules, {}));
  expect(await attempt(rules, {})).toBe(REFUSED);
  await db.database.query(`update charges set created_at = created_at - interval '59 minutes' where account_id = $1`, [
    merchant.accountId,
  ]);
  expect(await attempt(rules, {})).toBe(REFUSED);
  await db.database.query(`update charges set created_at = created_at - interval '2 minutes' where account_id = $1`, [
    merchant.accountId,
  ]);
  expect(await attempt(rules, {})).toBe('declined');
});

test('attempts without an outcome yet count', async () => {
  const caller = '+15550308888';
  const next = async (card: string) => attempt({ caller: THREE }, { sessionId: await session(caller), card });
  expect(await times(3, () => next('breaks_then_succeeds'))).toEqual(['pending', 'pending', 'pending']);
  expect(await next('visa')).toBe(REFUSED);
});

test('a refused attempt is neither written down nor known to the processor, and the number is nowhere', async () => {
  const rules = { caller: OPEN, card: { ...THREE, attempts: 1 }, origin: OPEN };
  await attempt(rules, {});
  const refused = await session();
  expect(await attempt(rules, { sessionId: refused })).toBe(REFUSED);
  const { rows } = await db.database.query<{ card_fingerprint: Buffer }>(
    'select card_fingerprint from charges where account_id = $1',
    [merchant.accountId],
  );
  expect(rows.map((row) => row.card_fingerprint.length)).toEqual([32]);
  expect((await db.database.query('select from charges where session_id = $1', [refused])).rowCount).toBe(0);
});

test('live merchants are guarded as documented; the test cards can be declined all day', () => {
  expect(VELOCITY.live).toMatchObject({ caller: { attempts: 10 }, card: { attempts: 10 }, origin: { attempts: 20 } });
  expect(VELOCITY.test.card.attempts).toBeGreaterThan(1_000);
});

/** Pending charges are looked up until they have an outcome. */
import { describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { type ChargeId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { findToSettle } from '../../../src/payments/manual/manual-settlement.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { RESOLVE_DELAYS_MS } from '../../../src/payments/shared/schedule.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  agePendingCharges,
  createTestPayments,
  FAST_SANDBOX,
  interceptQueries,
  keyedCard,
  readPaymentState,
} from './test-payments.ts';
import { createTestResolver } from './test-resolver.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { resolver, leftPending } = createTestResolver(db, merchant);

describe('a pending charge', () => {
  it.each([
    ['hangs_taken', 2, 'complete', 'succeeded', ['checkout.pending', 'checkout.succeeded', 'checkout.completed']],
    [
      'breaks_then_succeeds',
      2,
      'complete',
      'succeeded',
      ['checkout.pending', 'checkout.succeeded', 'checkout.completed'],
    ],
    ['breaks_then_declines', 2, 'open', 'failed', ['checkout.pending', 'checkout.failed']],
    ['hangs_not_taken', 101, 'open', 'failed', ['checkout.pending', 'checkout.failed']],
  ])('is settled as the processor has it: %s', async (card, seconds, session, charge, events) => {
    const sessionId = await leftPending(card);
    await agePendingCharges(db.database, sessionId, seconds);
    await resolver().run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session, charges: [charge], events });
  });

  it('is looked up only when it is due', async () => {
    const sessionId = await leftPending('hangs_taken');
    await db.database.query(`update charges set resolve_at = now() + interval '1 minute' where session_id = $1`, [
      sessionId,
    ]);
    await resolver().run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
  });

  it('is not failed while the processor may still receive it', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 60);
    await resolver().run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
    await agePendingCharges(db.database, sessionId, 45);
    await resolver([{ ...createSandbox(db.database), lookUpLagMs: 60_000 }]).run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
    await agePendingCharges(db.database, sessionId, 0);
    await resolver().run();
    const state = await readPaymentState(db.database, sessionId);
    expect(state).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(state.rows[0]).toMatchObject({ declineCode: 'processing_error', processorPaymentId: null });
    expect(await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'succeeded',
    });
  });

  it('is looked up after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, then hourly for 3 days, then left to an operator', async () => {
    const sessionId = await leftPending('hangs_taken');
    const silent = { ...createSandbox(db.database), lookUp: async (): Promise<ProcessorAnswer> => UNKNOWN };
    const { run, log } = resolver([silent]);
    const first = await dueAt(db.database, sessionId);
    expect(first.due - first.now).toBeLessThanOrEqual(1);
    for (let attempt = 1; attempt <= PAUSES_SECONDS.length; attempt += 1) {
      await agePendingCharges(db.database, sessionId, 0);
      const before = await dueAt(db.database, sessionId);
      await run();
      const after = await dueAt(db.database, sessionId);
      const pause = PAUSES_SECONDS[attempt - 1] ?? Number.NaN;
      // It was postponed between the two readings of the clock.
      expect(pause, `attempt ${attempt}`).toSatisfy(
        () => pause >= after.due - after.now && pause <= after.due - before.now,
      );
    }
    expect(log.lines.filter((line) => line.includes('given up'))).toHaveLength(1);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      charges: ['pending'],
      events: ['checkout.pending'],
    });
  });

  it('is looked up again as soon as it can be failed, not minutes later', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    // Not before 100 s. The next usual pause would end after a minute and ten.
    await db.database.query('update charges set resolve_attempts = 4 where session_id = $1', [sessionId]);
    await agePendingCharges(db.database, sessionId, 60);
    await resolver().run();
    const { due, now } = await dueAt(db.database, sessionId);
    expect(due - now).toBeLessThanOrEqual(40);
    await agePendingCharges(db.database, sessionId, 40);
    await resolver().run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['failed'] });
  });

  it('is settled at once if the processor says that it will never be taken', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    const lookups: unknown[] = [];
    const lookUp: Processor['lookUp'] = async ({ settles }) => {
      lookups.push(settles);
      return { status: 'not_found', never: true };
    };
    await agePendingCharges(db.database, sessionId, 2);
    await resolver([{ ...createSandbox(db.database), lookUp }]).run();
    const { rows, charges } = await readPaymentState(db.database, sessionId);
    expect(charges).toEqual(['failed']);
    expect(lookups).toEqual([rows[0]?.amount]);
  });

  it('stays pending when the processor is not configured, or its adapter throws', async () => {
    const sessionId = await leftPending('hangs_taken');
    const broken = { ...createSandbox(db.database), lookUp: () => Promise.reject(new Error('bug')) };
    for (const processors of [[], [broken]]) {
      await agePendingCharges(db.database, sessionId, 0);
      await resolver(processors).run();
      expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
    }
  });

  it('can be settled manually only after the last lookup has ended', async () => {
    const sessionId = await leftPending('hangs_taken');
    const { rows } = await readPaymentState(db.database, sessionId);
    const id = rows[0]?.id as ChargeId;
    const isGivenUp = async () => (await findToSettle(db.database, 'charge', id))?.givenUp;
    const duringLook: unknown[] = [];
    const silent: Processor = {
      ...createSandbox(db.database, FAST_SANDBOX),
      async lookUp() {
        duringLook.push(await isGivenUp());
        return UNKNOWN;
      },
    };
    const { log, run } = resolver([silent]);
    const attempts = 'update charges set resolve_attempts = $2, resolve_at = now() where id = $1';
    await db.database.query(attempts, [id, RESOLVE_DELAYS_MS.length]);
    await run();
    expect(log.lines.at(-1)).toMatch(/given up: look it up at the processor and settle it/);
    expect(await isGivenUp()).toBe(false);
    await db.database.query('update charges set resolve_at = now() where id = $1', [id]);
    await run();
    expect([await isGivenUp(), duringLook]).toEqual([true, [false]]);
  });

  it('is settled once by ten concurrent resolvers', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => leftPending('hangs_taken')));
    for (const id of sessions) await agePendingCharges(db.database, id, 2);
    const lookups: string[] = [];
    const sandbox = createSandbox(db.database);
    const counted: Processor = {
      ...sandbox,
      lookUp: (...args) => {
        lookups.push(args[0].chargeId);
        return sandbox.lookUp(...args);
      },
    };
    await Promise.all(Array.from({ length: 10 }, () => resolver([counted]).run()));
    for (const id of sessions) {
      const state = await readPaymentState(db.database, id);
      expect(state).toMatchObject({
        session: 'complete',
        charges: ['succeeded'],
        events: ['checkout.pending', 'checkout.succeeded', 'checkout.completed'],
      });
      expect(lookups.filter((chargeId) => chargeId === state.rows[0]?.id)).toHaveLength(1);
    }
  });

  it('is reported as pending before it is reported as failed, even if the database was unavailable: its caller waits for a text', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    let isAway = false;
    const database = interceptQueries(db.database, (query, args) =>
      isAway ? Promise.reject(new Error('Connection terminated')) : query(...args),
    );
    const declining: Processor = {
      ...sandbox,
      async charge(...args) {
        const answer = await sandbox.charge(...args);
        isAway = true;
        return answer;
      },
    };
    const payments = createTestPayments(database, { processors: [declining], timings: { recordLimitMs: 100 } });
    expect(await payments.pay(merchant, sessionId, keyedCard('lost_card'))).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, sessionId, 60);
    await resolver().run();
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      charges: ['failed'],
      events: ['checkout.pending', 'checkout.failed'],
    });
  });

  it('keeps its first outcome if the processor contradicts itself, and logs an error', async () => {
    const sessionId = await leftPending('hangs_taken');
    await agePendingCharges(db.database, sessionId, 2);
    const { log, run } = resolver([
      {
        ...createSandbox(db.database),
        async lookUp(): Promise<ProcessorAnswer> {
          await resolveLate(sessionId);
          return { status: 'declined', declineCode: 'lost_card', processorCode: null, processorPaymentId: null };
        },
      },
    ]);
    await run();
    expect(log.lines).toContain('charge already settled with another outcome');
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
    });
  });

  async function resolveLate(sessionId: CheckoutSessionId): Promise<void> {
    await agePendingCharges(db.database, sessionId, 2);
    await db.database.query('update charges set resolve_at = now() where session_id = $1', [sessionId]);
    await resolver().run();
  }
});

const UNKNOWN: ProcessorAnswer = { status: 'unknown', cause: 'test' };

const HOURLY = Array.from({ length: 72 }, () => 3_600);
/** The pauses after each lookup. The first lookup is a second after the payment. */
/** The last but one: until the answer to the last lookup has certainly arrived. */
const PAUSES_SECONDS = [5, 30, 120, 600, 3_600, ...HOURLY, 120, Number.POSITIVE_INFINITY];

/** The time of the charge's next lookup, and the current time, in seconds by the database's clock. */
async function dueAt(sql: Sql, sessionId: CheckoutSessionId): Promise<{ due: number; now: number }> {
  const { rows } = await sql.query<{ due: number; now: number }>(
    `select extract(epoch from resolve_at)::float8 as due, extract(epoch from clock_timestamp())::float8 as now
       from charges where session_id = $1`,
    [sessionId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no charge');
  return row;
}

describe('charges of several merchants', () => {
  it('take turns, so that one whose processor does not answer delays no other', async () => {
    // Whatever other tests left.
    await db.database.query(`update charges set resolve_at = 'infinity' where status = 'pending'`);
    const [silent, other] = [await createTestMerchant(db.database), await createTestMerchant(db.database)];
    for (let charges = 0; charges < 25; charges += 1) await insertDue(silent, 3_600 - charges);
    await insertDue(other, 1);
    const asked: string[] = [];
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    const unanswered: Processor = {
      ...sandbox,
      lookUp: ({ chargeId }) => {
        asked.push(chargeId);
        return Promise.resolve({ status: 'unknown', cause: 'timeout' });
      },
    };
    expect(await resolver([unanswered]).run()).toEqual({ claimed: 20, more: true });
    const { rows } = await db.database.query<{ id: string }>('select id from charges where merchant_id = $1', [
      other.merchantId,
    ]);
    expect(asked).toContain(rows[0]?.id);
    expect(await resolver([unanswered]).run()).toEqual({ claimed: 6, more: false });
    expect(new Set(asked).size).toBe(26);
  });

  /** A pending charge that has been due for so long. */
  async function insertDue(of: TestMerchant, seconds: number): Promise<void> {
    await db.database.query(
      `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor, resolve_at)
       select $1, id, account_id, merchant_id, mode, amount_cents, currency, 'phone', 'sandbox', now() - $3::integer * interval '1 second'
         from checkout_sessions where id = $2`,
      [newId('Charge'), await createTestSession(db.database, of), seconds],
    );
  }
});

import { describe, expect, it } from 'vitest';
import type { Database, Sql } from '../../../src/db/pool.ts';
import { type ChargeId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { NotFound, ProcessorAnswer } from '../../../src/payments/answers.ts';
import { findToSettle } from '../../../src/payments/manual-settlement.ts';
import type { Processor } from '../../../src/payments/ports.ts';
import { recheckDueCharges } from '../../../src/payments/recheck.ts';
import { type ResolveDeps, resolveDueCharges } from '../../../src/payments/resolve.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { RESOLVE_DELAYS_MS } from '../../../src/payments/schedule.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  agePendingCharges,
  createRecordingLog,
  createTestPayments,
  FAST_SANDBOX,
  interceptQueries,
  keyedCard,
  readPaymentState,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

const NEVER = new AbortController().signal;

function resolver(processors: Processor[] = [createSandbox(db.database, FAST_SANDBOX)]) {
  const deps: ResolveDeps & { log: ReturnType<typeof createRecordingLog> } = {
    database: db.database,
    processors,
    log: createRecordingLog(),
  };
  return { log: deps.log, run: () => resolveDueCharges(deps, NEVER) };
}

/** A session whose charge with this card stays pending. */
async function leftPending(card: string): Promise<CheckoutSessionId> {
  const sessionId = await createTestSession(db.database, merchant);
  const payments = createTestPayments(db.database);
  expect(await payments.pay(merchant, sessionId, keyedCard(card))).toMatchObject({ type: 'pending' });
  return sessionId;
}

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

  it('is looked up an hour and a day after it failed, and a late success is recorded and logged', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const late: string[] = [];
    const log = createRecordingLog();
    // The first lookup finds nothing. At the second, the processor is unavailable first.
    const answers: (ProcessorAnswer | NotFound)[] = [{ status: 'not_found' }, UNKNOWN, UNKNOWN];
    const lookups: unknown[] = [];
    const lookUp: Processor['lookUp'] = async ({ settles }) => {
      lookups.push(settles);
      return answers.shift() ?? { status: 'succeeded', processorPaymentId: 'late_1' };
    };
    const processors = [{ ...createSandbox(db.database), lookUp }];
    const deps = { database: db.database, processors, log, onLateSuccess: () => late.push('late') };
    const hoursLater = (hours: number) =>
      db.database.query(
        `update charge_rechecks set due_at = due_at - $2::integer * interval '1 hour'
          where charge_id in (select id from charges where session_id = $1)`,
        [sessionId, hours],
      );
    await recheckDueCharges(deps, NEVER);
    expect(lookups).toEqual([]);
    for (const hours of [1, 23, 1, 1, 1_000]) {
      await hoursLater(hours);
      await recheckDueCharges(deps, NEVER);
    }
    // A mere lookup: the charge is final.
    expect(lookups).toEqual([undefined, undefined, undefined, undefined]);
    expect(late).toHaveLength(1);
    expect(log.lines.join('\n')).toContain('a charge reported as failed was paid');
    const { rows, session, charges } = await readPaymentState(db.database, sessionId);
    expect([session, charges]).toEqual(['complete', ['succeeded']]);
    const { rows: audited } = await db.database.query(
      'select action, actor_kind, changes from audit_events where object_id = $1',
      [rows[0]?.id],
    );
    const changes = {
      status: { from: 'failed', to: 'succeeded' },
      processor: 'sandbox',
      processor_payment_id: 'late_1',
      amount_cents: 4250,
      currency: 'USD',
    };
    expect(audited).toEqual([{ action: 'charge.paid_late', actor_kind: 'system', changes }]);
  });

  it('is looked up again until the bank has paid it if it was a bank debit that was accepted after all', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const log = createRecordingLog();
    const debited: ProcessorAnswer = { status: 'debited', processorPaymentId: 'debit_1', settlesInMs: 7_200_000 };
    const answers: ProcessorAnswer[] = [debited, debited, debited];
    const lookUp = async () => answers.shift() ?? ({ status: 'succeeded', processorPaymentId: 'debit_1' } as const);
    const deps = { database: db.database, processors: [{ ...createSandbox(db.database), lookUp }], log };
    const mine = 'charge_id in (select id from charges where session_id = $1)';
    const look = async () => {
      await db.database.query(`update charge_rechecks set due_at = now() where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      await recheckDueCharges(deps, NEVER);
    };
    for (let time = 0; time < 3; time += 1) await look();
    expect(log.lines.join('\n')).toContain('a bank debit was accepted whose charge was reported as failed');
    const { rows } = await db.database.query(
      `select due_at > now() + interval '1 hour' as "isLater" from charge_rechecks where ${mine}`,
      [sessionId],
    );
    expect(rows).toEqual([{ isLater: true }]);
    await look();
    expect((await readPaymentState(db.database, sessionId)).charges).toEqual(['succeeded']);
  });

  it('is looked up again for three days while the processor is unavailable, and then logged for an operator', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const log = createRecordingLog();
    const lookUp = async (): Promise<ProcessorAnswer> => UNKNOWN;
    const deps = { database: db.database, processors: [{ ...createSandbox(db.database), lookUp }], log };
    const left = async () => {
      const mine = 'charge_id in (select id from charges where session_id = $1)';
      await db.database.query(`update charge_rechecks set due_at = now() where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      await recheckDueCharges(deps, NEVER);
      const due = await db.database.query(`select from charge_rechecks where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      return due.rowCount;
    };
    const looks: (number | null)[] = [];
    for (let look = 0; look < 5; look += 1) looks.push(await left());
    expect(looks).toEqual([1, 1, 1, 1, 1]);
    await db.database.query(`update charges set created_at = now() - interval '73 hours' where session_id = $1`, [
      sessionId,
    ]);
    await left();
    expect(await left()).toBe(0);
    expect(log.lines.at(-1)).toMatch(/could not be checked again/);
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

/** Stands for a process that died: a promise that never settles. */
const DEATH = new Promise<never>(() => undefined);

describe('a crash', () => {
  type Step = 'begin' | 'send' | 'settle';
  const LOST = ['checkout.pending', 'checkout.failed'];
  const cases: [Step, 'before' | 'after', string, object][] = [
    ['begin', 'before', 'visa', { session: 'open', charges: [], events: [], ledger: [] }],
    ['begin', 'after', 'visa', { session: 'open', charges: ['failed'], events: LOST, ledger: [] }],
    ['send', 'before', 'visa', { session: 'open', charges: ['failed'], events: LOST, ledger: [] }],
    ['send', 'after', 'visa', { session: 'complete', charges: ['succeeded'], ledger: ['succeeded'] }],
    ['send', 'after', 'lost_card', { session: 'open', charges: ['failed'], ledger: ['declined'] }],
    ['settle', 'before', 'visa', { session: 'complete', charges: ['succeeded'], ledger: ['succeeded'] }],
    ['settle', 'before', 'lost_card', { session: 'open', charges: ['failed'], ledger: ['declined'] }],
    ['settle', 'after', 'visa', { session: 'complete', charges: ['succeeded'], ledger: ['succeeded'] }],
  ];
  it.each(cases)('%s, %s it: %s ends correctly', async (step, when, card, expected) => {
    const sessionId = await createTestSession(db.database, merchant);
    await crash(sessionId, card, step, when);
    await agePendingCharges(db.database, sessionId, 200);
    await resolver().run();
    await resolver().run();
    const state = await readPaymentState(db.database, sessionId);
    expect(state).toMatchObject(expected);
    expect(state.events.filter((type) => type === 'checkout.completed')).toHaveLength(
      state.session === 'complete' ? 1 : 0,
    );
    expect(new Set(state.events).size).toBe(state.events.length);
  });

  /** Runs a payment up to a step and leaves it there. */
  async function crash(sessionId: CheckoutSessionId, card: string, step: Step, when: string): Promise<void> {
    const died = deferred<void>();
    const guard = async <T>(at: Step, work: () => Promise<T>): Promise<T> => {
      if (at !== step) return work();
      if (when === 'after') await work();
      died.resolve();
      return DEATH;
    };
    const transactions: Step[] = ['begin', 'settle'];
    const database: Database = {
      ...db.database,
      transaction: (work) => guard(transactions.shift() ?? 'settle', () => db.database.transaction(work)),
    };
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    const processor: Processor = { ...sandbox, charge: (...args) => guard('send', () => sandbox.charge(...args)) };
    void createTestPayments(database, { processors: [processor] }).pay(merchant, sessionId, keyedCard(card));
    await died.promise;
  }
});

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

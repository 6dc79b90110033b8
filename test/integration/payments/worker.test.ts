import { afterEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker, type WorkerDeps } from '../../../src/app/worker.ts';
import type { Database } from '../../../src/db/pool.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  agePendingCharges,
  createRecordingLog,
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  listSessionEvents,
  readPaymentState,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));

const AN_HOUR = 3_600_000;

function start(overrides: Partial<WorkerDeps> = {}): Worker & { lines: string[] } {
  const log = createRecordingLog();
  const worker = startWorker({
    database: db.database,
    processors: [createSandbox(db.database, FAST_SANDBOX)],
    log,
    pollMs: 200,
    ...overrides,
  });
  workers.push(worker);
  return { ...worker, lines: log.lines };
}

const statusOf = async (id: CheckoutSessionId) => (await readPaymentState(db.database, id)).session;
const chargesOf = async (id: CheckoutSessionId) => (await readPaymentState(db.database, id)).charges;

describe('the worker', () => {
  it('settles a charge a second after it became pending, woken by the payment', async () => {
    const worker = start({ pollMs: AN_HOUR });
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database, { onPending: worker.wake });
    await payments.pay(merchant, sessionId, keyedCard('hangs_taken'));
    await expect.poll(() => chargesOf(sessionId)).toEqual(['succeeded']);
    expect(await statusOf(sessionId)).toBe('complete');
  });

  it('calls back for each expired session', async () => {
    const expired: string[] = [];
    const sessionId = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    start({ onExpired: (id) => void expired.push(id) });
    await expect.poll(() => expired).toContain(sessionId);
    expect(await statusOf(sessionId)).toBe('expired');
  });

  it('looks for what needs attention', async () => {
    start();
    const swept = async () => (await db.database.query('select from attention_sweep')).rowCount;
    await expect.poll(swept).toBe(1);
  });

  it('keeps working during a storm of wake-ups', async () => {
    const first = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    const worker = start({ pollMs: AN_HOUR });
    await expect.poll(() => statusOf(first)).toBe('expired');
    const storm = setInterval(worker.wake, 10);
    try {
      const sessionId = await createTestSession(db.database, merchant, { secondsLeft: -1 });
      await expect.poll(() => statusOf(sessionId)).toBe('expired');
    } finally {
      clearInterval(storm);
    }
  });

  it('finds by itself what another process left', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('hangs_taken'));
    start();
    await expect.poll(() => chargesOf(sessionId)).toEqual(['succeeded']);
  });

  it('expires sessions with their last events, once with several workers', async () => {
    const past = await Promise.all(
      Array.from({ length: 30 }, () => createTestSession(db.database, merchant, { secondsLeft: -1 })),
    );
    const open = await createTestSession(db.database, merchant);
    for (let i = 0; i < 3; i += 1) start();
    for (const id of past) await expect.poll(() => statusOf(id)).toBe('expired');
    for (const id of past) {
      const events = await listSessionEvents(db.database, id);
      expect(events.map(({ type, facts, chargeId }) => [type, facts, chargeId])).toEqual([
        ['checkout.expired', { session_status: 'expired', outcome: 'expired', charge: null }, null],
        ['checkout.completed', { session_status: 'expired', outcome: 'expired', charge: null }, null],
      ]);
    }
    expect(await statusOf(open)).toBe('open');
  });

  it('expires a session without a payment without an event', async () => {
    const ids = [0, 1].map(() => createTestSession(db.database, merchant, { secondsLeft: 60 }));
    const [free, unpaid] = (await Promise.all(ids)) as [CheckoutSessionId, CheckoutSessionId];
    await db.database.query(`update checkout_sessions set verdict = 'none' where id = $1`, [free]);
    await db.database.query('update checkout_sessions set expires_at = now() where id = any($1)', [[free, unpaid]]);
    start();
    for (const id of [free, unpaid]) await expect.poll(() => statusOf(id)).toBe('expired');
    expect(await listSessionEvents(db.database, free)).toEqual([]);
    expect(await listSessionEvents(db.database, unpaid)).toHaveLength(2);
  });

  it('expires sessions even while a processor does not answer about its charges', async () => {
    const silent: Processor = {
      ...createSandbox(db.database, FAST_SANDBOX),
      charge: async () => ({ status: 'unknown', cause: 'test' }),
      lookUp: (_, signal) =>
        new Promise((resolve) => {
          const giveUp = () => resolve({ status: 'unknown', cause: 'timeout' });
          if (signal.aborted) giveUp();
          else signal.addEventListener('abort', giveUp, { once: true });
        }),
    };
    const payments = createTestPayments(db.database, { processors: [silent] });
    // Asking about them, a batch at a time, takes longer than the test.
    const pending = await Promise.all(Array.from({ length: 100 }, () => createTestSession(db.database, merchant)));
    await Promise.all(pending.map((id) => payments.pay(merchant, id, keyedCard('visa'))));
    await db.database.query('update charges set resolve_at = now() where session_id = any($1)', [pending]);
    const sessionId = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    try {
      start({ processors: [silent] });
      await expect.poll(() => statusOf(sessionId)).toBe('expired');
    } finally {
      await db.database.query(`update charges set resolve_at = 'infinity' where session_id = any($1)`, [pending]);
    }
  });

  it('completes a session that expires after declines as failed, with the last charge', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    await payments.pay(merchant, sessionId, keyedCard('lost_card'));
    await payments.pay(merchant, sessionId, keyedCard('insufficient_funds'));
    await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [sessionId]);
    start();
    await expect.poll(() => statusOf(sessionId)).toBe('expired');
    const events = await listSessionEvents(db.database, sessionId);
    expect(events.map(({ type, facts }) => [type, facts.outcome, facts.charge?.decline_code])).toEqual([
      ['checkout.failed', 'failed', 'lost_card'],
      ['checkout.failed', 'failed', 'insufficient_funds'],
      ['checkout.expired', 'expired', 'insufficient_funds'],
      ['checkout.completed', 'failed', 'insufficient_funds'],
    ]);
  });

  it('does not expire a session while its charge is pending', async () => {
    const [taken, lost] = await Promise.all([
      createTestSession(db.database, merchant),
      createTestSession(db.database, merchant),
    ]);
    const payments = createTestPayments(db.database);
    await payments.pay(merchant, taken, keyedCard('hangs_taken'));
    await payments.pay(merchant, lost, keyedCard('hangs_not_taken'));
    await db.database.query('update checkout_sessions set expires_at = now() where id = any($1)', [[taken, lost]]);
    await db.database.query(`update charges set resolve_at = 'infinity' where session_id = any($1)`, [[taken, lost]]);
    const other = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    start();
    await expect.poll(() => statusOf(other)).toBe('expired');
    expect(await statusOf(taken)).toBe('open');
    await agePendingCharges(db.database, taken, 200);
    await agePendingCharges(db.database, lost, 200);
    await expect.poll(() => statusOf(taken)).toBe('complete');
    await expect.poll(() => statusOf(lost)).toBe('expired');
    const completed = (await listSessionEvents(db.database, lost)).at(-1);
    expect(completed).toMatchObject({ type: 'checkout.completed', facts: { outcome: 'failed' } });
  });

  it('continues after the database was unavailable', async () => {
    let away = true;
    const sessionId = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    const flaky: Database = {
      ...db.database,
      query: ((...args: [string, unknown[]]) =>
        away ? Promise.reject(new Error('Connection terminated')) : db.database.query(...args)) as Database['query'],
      transaction: (work) =>
        away ? Promise.reject(new Error('Connection terminated')) : db.database.transaction(work),
    };
    const worker = start({ database: flaky });
    await expect.poll(() => worker.lines).toContain('sweep failed, will retry');
    expect(await statusOf(sessionId)).toBe('open');
    away = false;
    await expect.poll(() => statusOf(sessionId)).toBe('expired');
  });

  it('aborts its waits when closed, and does nothing afterwards', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('hangs_taken'));
    await agePendingCharges(db.database, sessionId, 2);
    let lookups = 0;
    const slow = {
      ...createSandbox(db.database),
      lookUp: (_: unknown, signal: AbortSignal) => {
        lookups += 1;
        return new Promise<{ status: 'unknown'; cause: string }>((resolve) => {
          signal.addEventListener('abort', () => resolve({ status: 'unknown', cause: 'aborted' }));
        });
      },
    };
    const worker = start({ processors: [slow] });
    await expect.poll(() => lookups).toBeGreaterThan(0);
    await Promise.all([worker.close(), worker.close()]);
    const before = lookups;
    await agePendingCharges(db.database, sessionId, 2);
    worker.wake();
    start();
    await expect.poll(() => chargesOf(sessionId)).toEqual(['succeeded']);
    expect(lookups).toBe(before);
  });
});

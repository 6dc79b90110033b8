/** The database fails during a payment: nothing is sent twice, and no outcome is lost. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/pool.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  APPROVED,
  createTestPayments,
  interceptQueries,
  keyedCard,
  readPaymentState,
  scriptedProcessor,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

describe('if the database fails', () => {
  it('before the pending row, the payment is unavailable and nothing is sent', async () => {
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    let tries = 0;
    const database = interceptQueries(db.database, () => {
      tries += 1;
      return Promise.reject(refused);
    });
    const payments = createTestPayments(database, { processors: [processor], timings: { startLimitMs: 1_500 } });
    expect(await payments.pay(merchant, newId('CheckoutSession'), keyedCard('visa'))).toEqual({
      type: 'refused',
      reason: 'unavailable',
      charge: null,
    });
    expect(tries).toBeGreaterThan(1);
    expect(processor.requests).toBe(0);
  });

  it('for some seconds before the pending row, a keyed card is charged nevertheless', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    // With the pauses in between 4.55 seconds, longer than the send window.
    let failures = 8;
    const database: Database = {
      ...db.database,
      transaction: (work) => (failures-- > 0 ? Promise.reject(refused) : db.database.transaction(work)),
    };
    const payments = createTestPayments(database, { processors: [processor], timings: { sendWindowMs: 4_500 } });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(processor.requests).toBe(1);
  });

  it('a waiting request gets unavailable sooner, because it can be repeated', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const database = interceptQueries(db.database, () => Promise.reject(refused));
    const payments = createTestPayments(database, { timings: { requestStartLimitMs: 200 } });
    const card = { kind: 'saved', instrumentId: newId('Instrument'), at: new Date() } as const;
    expect(await payments.pay(merchant, sessionId, card)).toMatchObject({ type: 'refused', reason: 'unavailable' });
  });

  it('because of a bug, it throws and nothing is sent', async () => {
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const bug = Object.assign(new Error('no such column'), { code: '42703' });
    const database = interceptQueries(db.database, () => Promise.reject(bug));
    const payments = createTestPayments(database, { processors: [processor] });
    await expect(payments.pay(merchant, newId('CheckoutSession'), keyedCard('visa'))).rejects.toThrow('no such column');
    expect(processor.requests).toBe(0);
  });

  it('if its responses are lost, every step is repeated without a second effect', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    // Every other commit is done, but its response is lost.
    let commits = 0;
    const lossy: Database = {
      ...db.database,
      async transaction(work) {
        const result = await db.database.transaction(work);
        commits += 1;
        if (commits % 2 === 1) throw new Error('Connection terminated unexpectedly');
        return result;
      },
    };
    const payments = createTestPayments(lossy, { processors: [processor] });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(processor.requests).toBe(1);
    // Created, created again, settled, settled again.
    expect(commits).toBe(4);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('for good after the answer, the charge is pending and settled later', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    let gone = false;
    const processor = scriptedProcessor(db.database, async (...args) => {
      const answer = await createSandbox(db.database).charge(...args);
      gone = true;
      return answer;
    });
    const database = interceptQueries(db.database, (query, args) =>
      gone ? Promise.reject(new Error('Connection terminated')) : query(...args),
    );
    let woken = 0;
    const payments = createTestPayments(database, {
      processors: [processor],
      timings: { recordLimitMs: 200 },
      onPending: () => {
        woken += 1;
      },
    });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'pending' });
    expect(processor.requests).toBe(1);
    expect(woken).toBe(1);
    expect(payments.log.lines).toContain('charge outcome not recorded, left to the resolver');
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      charges: ['pending'],
      ledger: ['succeeded'],
    });
  });

  it('so slowly that the send window has passed, nothing is sent', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const payments = createTestPayments(db.database, { processors: [processor], timings: { sendWindowMs: -1 } });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'declined',
      declineCode: 'processing_error',
    });
    expect(processor.requests).toBe(0);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'open',
      charges: ['failed'],
      ledger: [],
    });
  });

  it('by a killed connection during a step, the step is repeated', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const admin = new pg.Client({ connectionString: db.url });
    await admin.connect();
    await admin.query('begin');
    let killed: Promise<void> | undefined;
    const processor = scriptedProcessor(db.database, async () => {
      // Makes the settlement wait for this lock, where the server kills it.
      await admin.query('select 1 from checkout_sessions where id = $1 for update', [sessionId]);
      killed = killWaiting(admin);
      return APPROVED;
    });
    const payments = createTestPayments(db.database, { processors: [processor] });
    try {
      expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
      await killed;
    } finally {
      await admin.end();
    }
    expect(processor.requests).toBe(1);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });
});

/** Terminates the backend that waits for `holder`'s lock, then releases the lock. */
async function killWaiting(holder: pg.Client): Promise<void> {
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await db.database.query(kill)).rowCount).toBe(1);
  await holder.query('commit');
}

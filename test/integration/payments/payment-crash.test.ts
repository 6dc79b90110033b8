/** A process that dies during a payment: the resolver settles what it left. */
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/pool.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { agePendingCharges, createTestPayments, FAST_SANDBOX, keyedCard, readPaymentState } from './test-payments.ts';
import { createTestResolver } from './test-resolver.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { resolver } = createTestResolver(db, merchant);

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

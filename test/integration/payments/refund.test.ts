/** Refunds through the whole money path, with the sandbox: rules, outcomes, and failures of processor and database. */
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/db/pool.ts';
import { newId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { RefundAnswer } from '../../../src/payments/port/refunds.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { findSandboxRefund } from '../../../src/payments/sandbox/refund-ledger.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';
import { agePendingRefunds, createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

/** The sandbox, with a refund function of the test's own. */
function refunding(refund: () => Promise<RefundAnswer>): Processor {
  const sandbox = createSandbox(db.database, FAST_SANDBOX);
  if (sandbox.refunds === null) throw new Error('the sandbox gives money back');
  return { ...sandbox, refunds: { ...sandbox.refunds, refund } };
}

const FAILED = insert(`'failed'`, '4250', ', settled_at, failure', `, now(), 'refused'`);
const REVIVED = `update refunds set status = 'succeeded', failure = null`;

describe('a refund', () => {
  it('is written to the database, the processor and the outbox once', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const testRefunds = createTestRefunds(db.database, merchant);
    expect(await testRefunds.refund(chargeId, 250)).toMatchObject({ type: 'refund', refund: { status: 'succeeded' } });
    expect(await readRefundState(db.database, chargeId)).toEqual({
      refundedCents: 250,
      refunds: ['succeeded 250'],
      failures: [],
      events: ['refund.succeeded'],
      ledger: [250],
    });
    expect(testRefunds.outcomes).toEqual(['succeeded']);
  });

  it('is also found by a lookup if the sandbox made it meanwhile', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    await db.database.transaction(async (sql) => {
      await sql.query('select now()');
      const made = await createTestRefunds(db.database, merchant).refund(chargeId, 250);
      if (made.type !== 'refund') throw new Error('nothing was given back');
      expect(await findSandboxRefund(sql, made.refund.id)).toMatchObject({ status: 'succeeded', settlesInMs: 0 });
    });
  });

  it('refunds the rest of the charge if no amount is given', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const testRefunds = createTestRefunds(db.database, merchant);
    await testRefunds.refund(chargeId, 250);
    expect(await testRefunds.refund(chargeId)).toMatchObject({
      refund: { amount: { amountCents: 4_000, currency: 'USD' } },
    });
    expect(await testRefunds.refund(chargeId)).toEqual({
      type: 'refused',
      reason: 'nothing_left',
      refundable: { amountCents: PAID, currency: 'USD', leftCents: 0 },
    });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refundedCents: PAID, ledger: [250, 4_000] });
  });

  it('leaves a failed row if it was refused, and the amount can be refunded again', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const refused = async (): Promise<RefundAnswer> => ({ status: 'failed', reason: 'refused', processorCode: 'no' });
    const result = await createTestRefunds(db.database, merchant, { processor: refunding(refused) }).refund(chargeId);
    expect(result).toMatchObject({ refund: { status: 'failed', failure: 'refused', processorCode: 'no' } });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refundedCents: 0, events: ['refund.failed'] });
    expect(await createTestRefunds(db.database, merchant).refund(chargeId)).toMatchObject({
      refund: { status: 'succeeded' },
    });
  });

  it('is refused without credentials, and nothing is sent', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const sent = vi.fn<() => Promise<RefundAnswer>>();
    const processor = { ...refunding(sent), needsCredentials: true };
    const testRefunds = createTestRefunds(db.database, merchant, { processor, credentialsFor: async () => null });
    expect(await testRefunds.refund(chargeId)).toMatchObject({
      refund: { status: 'failed', failure: 'credentials_rejected' },
    });
    expect(sent).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<RefundAnswer>]>([
    ['answers nothing clear', async () => ({ status: 'unknown', cause: 'http_500' })],
    ['breaks its contract', () => Promise.reject(new Error('bug'))],
    ['never comes back', () => new Promise(() => undefined)],
  ])('of a processor that %s is pending, and counts', async (_, refund) => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const testRefunds = createTestRefunds(db.database, merchant, {
      processor: refunding(refund),
      timings: { processorLimitMs: 20 },
    });
    expect(await testRefunds.refund(chargeId, 4_000)).toMatchObject({
      refund: { status: 'pending', processorRefundId: null },
    });
    expect(await testRefunds.refund(chargeId, 251)).toEqual({
      type: 'refused',
      reason: 'too_much',
      refundable: { amountCents: PAID, currency: 'USD', leftCents: PAID - 4_000 },
    });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 4_000,
      events: [],
      ledger: [],
    });
    expect(testRefunds.outcomes).toEqual(['pending']);
  });

  it('is pending with its ID once the processor has accepted it', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const taken = async (): Promise<RefundAnswer> => ({ status: 'pending', processorRefundId: 'theirs' });
    const testRefunds = createTestRefunds(db.database, merchant, { processor: refunding(taken) });
    expect(await testRefunds.refund(chargeId)).toMatchObject({
      refund: { status: 'pending', processorRefundId: 'theirs' },
    });
  });

  it('is left to the resolver if it would be sent long after it was created', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const testRefunds = createTestRefunds(db.database, merchant, { timings: { sendWindowMs: -1 } });
    expect(await testRefunds.refund(chargeId)).toMatchObject({
      refund: { status: 'pending', processorRefundId: null },
    });
    await agePendingRefunds(db.database, chargeId, 2);
    await testRefunds.resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: [`pending ${PAID}`], ledger: [] });
    await agePendingRefunds(db.database, chargeId, 2);
    await createTestRefunds(db.database, merchant).resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: [`succeeded ${PAID}`],
      ledger: [PAID],
    });
  });

  it('is tracked until its end, so a shutdown waits for it', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const [requested, answer] = [deferred<void>(), deferred<RefundAnswer>()];
    const refund = () => {
      requested.resolve();
      return answer.promise;
    };
    const testRefunds = createTestRefunds(db.database, merchant, { processor: refunding(refund) });
    const result = testRefunds.refund(chargeId);
    await requested.promise;
    expect(testRefunds.inFlight.size).toBe(1);
    answer.resolve({ status: 'succeeded', processorRefundId: 'theirs' });
    expect(await testRefunds.inFlight.idle(10_000)).toBe(true);
    expect(await result).toMatchObject({ refund: { status: 'succeeded', processorRefundId: 'theirs' } });
  });
});

describe('the database', () => {
  it('refuses a refund of an unpaid, unknown or foreign charge', async () => {
    const testRefunds = createTestRefunds(db.database, merchant);
    const declined = await createTestPayments(db.database).pay(
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('do_not_honor'),
    );
    if (declined.charge === null) throw new Error('no charge');
    expect(await testRefunds.refund(declined.charge.id)).toEqual({ type: 'refused', reason: 'not_paid' });
    expect(await testRefunds.refund(newId('Charge'))).toEqual({ type: 'refused', reason: 'no_charge' });
    const theirs = await createTestMerchant(db.database);
    const chargeId = await createPaidCharge(db.database, theirs);
    expect(await testRefunds.refund(chargeId)).toEqual({ type: 'refused', reason: 'no_charge' });
    const live = { accountId: theirs.accountId, mode: 'live' as const };
    expect(await testRefunds.refund(chargeId, 1, { scope: live })).toEqual({ type: 'refused', reason: 'other_mode' });
  });

  it('never refunds more than was paid, with 50 concurrent refunds', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const refundsOfAll = [createTestRefunds(db.database, merchant), createTestRefunds(db.database, merchant)] as const;
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) => refundsOfAll[at % 2 === 0 ? 0 : 1].refund(chargeId, 100)),
    );
    const made = results.filter(({ type }) => type === 'refund');
    expect(made).toHaveLength(42);
    const refusals = results.flatMap((result) => (result.type === 'refused' ? [result.reason] : []));
    expect(new Set(refusals)).toEqual(new Set(['too_much']));
    const state = await readRefundState(db.database, chargeId);
    expect(state).toMatchObject({ refundedCents: 4_200, refunds: Array(42).fill('succeeded 100') });
    expect(state.ledger).toHaveLength(42);
  });

  it.each([
    ['a second refund of the whole', [insert(`'pending'`, '4250')]],
    ['a cent too much', [insert(`'pending'`, '251')]],
    ['one that is made at once', [insert(`'succeeded'`, '251', ', settled_at', ', now()')]],
    ['a bigger one', ['update refunds set amount_cents = 4251 where charge_id = $1']],
    ['a failed one that is made after all', [FAILED, `${REVIVED} where charge_id = $1 and status = 'failed'`]],
    ['a charge that shrinks', ['update charges set amount_cents = 3999 where id = $1']],
    ['a charge that fails after all', [`update charges set status = 'failed' where id = $1`]],
  ])('has no room for %s', async (_, statements) => {
    const chargeId = await createPaidCharge(db.database, merchant);
    await createTestRefunds(db.database, merchant).refund(chargeId, 4_000);
    const [last = '', ...before] = [...statements].reverse();
    await db.database.transaction(async (sql) => {
      for (const statement of before) await sql.query(statement, [chargeId]);
      await sql.query('savepoint before_it');
      await expect(sql.query(last, [chargeId])).rejects.toThrow(/never_more_back_than_was_(?:paid|captured)/);
      await sql.query('rollback to before_it');
    });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refundedCents: 4_000, ledger: [4_000] });
  });

  it('accepts no refund of an unpaid charge', async () => {
    const declined = await createTestPayments(db.database).pay(
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('do_not_honor'),
    );
    await expect(db.database.query(insert(`'pending'`, '1'), [declined.charge?.id])).rejects.toThrow(
      'never_more_back_than_was_paid',
    );
  });

  it('recounts when a refund fails, shrinks or is deleted', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const refunded = async () => (await readRefundState(db.database, chargeId)).refundedCents;
    await db.database.query(insert(`'pending'`, '3000'), [chargeId]);
    expect(await refunded()).toBe(3_000);
    await db.database.query('update refunds set amount_cents = 1000 where charge_id = $1', [chargeId]);
    expect(await refunded()).toBe(1_000);
    await db.database.query(
      `update refunds set status = 'failed', failure = 'refused', settled_at = now() where charge_id = $1`,
      [chargeId],
    );
    expect(await refunded()).toBe(0);
    await db.database.query(insert(`'pending'`, '500'), [chargeId]);
    expect(await refunded()).toBe(500);
    await db.database.query('delete from refunds where charge_id = $1', [chargeId]);
    expect(await refunded()).toBe(0);
  });

  it('is retried if its responses are lost, and the refund keeps its ID', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
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
    expect(await createTestRefunds(lossy, merchant).refund(chargeId)).toMatchObject({
      refund: { status: 'succeeded' },
    });
    // Created, created again, settled, settled again.
    expect(commits).toBe(4);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: [`succeeded ${PAID}`],
      events: ['refund.succeeded'],
      ledger: [PAID],
    });
  });

  it('that stays unavailable creates nothing, or leaves the outcome to the resolver', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const timings = { startLimitMs: 60, recordLimitMs: 60 };
    const refused = await createTestRefunds(awayAfter(0), merchant, { timings }).refund(chargeId);
    expect(refused).toEqual({ type: 'refused', reason: 'unavailable' });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: [], ledger: [] });
    const processor = createSandbox(db.database, FAST_SANDBOX);
    const testRefunds = createTestRefunds(awayAfter(1), merchant, { timings, processor });
    expect(await testRefunds.refund(chargeId)).toMatchObject({ refund: { status: 'pending' } });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: [`pending ${PAID}`],
      ledger: [PAID],
    });
  });
});

/** The database, in which every transaction after the first `transactions` fails. */
function awayAfter(transactions: number): Database {
  let left = transactions;
  return {
    ...db.database,
    transaction(work) {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('Connection terminated')) : db.database.transaction(work);
    },
  };
}

/** SQL: another refund of charge $1, without our code's checks. */
function insert(status: string, amountCents: string, columns = '', values = ''): string {
  return `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency,
                               processor, processor_payment_id, resolve_at${columns})
          select 're_' || md5(random()::text), id, session_id, account_id, mode, merchant_id, ${status}, ${amountCents},
                 currency, processor, coalesce(processor_payment_id, 'none'), now()${values}
            from charges where id = $1`;
}

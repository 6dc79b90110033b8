/** The refund resolver: looks up pending refunds, and resends those that the processor never received. */
import { beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '../../../src/app/worker.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { RefundAnswer, Refunds } from '../../../src/payments/port/refunds.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { agePendingCharges, createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';
import { agePendingRefunds, createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
// The resolver claims every due refund, including those that another test left pending.
beforeEach(() => db.database.query(`update refunds set resolve_at = 'infinity' where status = 'pending'`));

const HOUR = 3_600;
const UNKNOWN: RefundAnswer = { status: 'unknown', cause: 'test' };

/** The sandbox with some refund functions replaced. Records its requests. */
function sandboxWith(ways: Partial<Refunds> = {}): Processor & { operations: string[] } {
  const sandbox = createSandbox(db.database, FAST_SANDBOX);
  const { refunds } = sandbox;
  if (refunds === null) throw new Error('the sandbox has no refunds');
  const operations: string[] = [];
  const wrapped: Refunds = {
    refund: (request, signal) => {
      operations.push(`refund ${request.amount.amountCents}`);
      return (ways.refund ?? refunds.refund)(request, signal);
    },
    lookUp: (request, signal) => {
      operations.push('lookUp');
      return (ways.lookUp ?? refunds.lookUp)(request, signal);
    },
  };
  return { ...sandbox, refunds: wrapped, operations };
}

/** A charge with a created refund that the processor may not have received. */
async function leftPending(reached: boolean, at: TestMerchant = merchant): Promise<ChargeId> {
  const chargeId = await createPaidCharge(db.database, at, reached ? 'refund_hangs' : 'visa');
  const processor = reached ? sandboxWith() : sandboxWith({ refund: async () => UNKNOWN });
  const testRefunds = createTestRefunds(db.database, at, { processor });
  expect(await testRefunds.refund(chargeId, 1_000)).toMatchObject({ refund: { status: 'pending' } });
  expect((await readRefundState(db.database, chargeId)).ledger).toEqual(reached ? [1_000] : []);
  return chargeId;
}

describe('a pending refund', () => {
  it('is found if it was made, and not resent', async () => {
    const chargeId = await leftPending(true);
    const processor = sandboxWith();
    await agePendingRefunds(db.database, chargeId, 2);
    await createTestRefunds(db.database, merchant, { processor }).resolve();
    expect(processor.operations).toEqual(['lookUp']);
    expect(await readRefundState(db.database, chargeId)).toEqual({
      refundedCents: 1_000,
      refunds: ['succeeded 1000'],
      failures: [],
      events: ['refund.succeeded'],
      ledger: [1_000],
    });
  });

  it('is resent under its key if it never arrived', async () => {
    const chargeId = await leftPending(false);
    const processor = sandboxWith();
    await agePendingRefunds(db.database, chargeId, 2);
    await createTestRefunds(db.database, merchant, { processor }).resolve();
    expect(processor.operations).toEqual(['lookUp', 'refund 1000']);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: ['succeeded 1000'],
      events: ['refund.succeeded'],
      ledger: [1_000],
    });
  });

  it('is made once if it was made during the lookup', async () => {
    const chargeId = await leftPending(true);
    const processor = sandboxWith({ lookUp: async () => ({ status: 'not_found' }) });
    await agePendingRefunds(db.database, chargeId, 2);
    await createTestRefunds(db.database, merchant, { processor }).resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: ['succeeded 1000'],
      ledger: [1_000],
    });
  });

  it('fails if the processor refuses it when it is resent', async () => {
    const chargeId = await leftPending(false);
    const refused = async (): Promise<RefundAnswer> => ({
      status: 'failed',
      reason: 'not_refundable',
      processorCode: null,
    });
    await agePendingRefunds(db.database, chargeId, 2);
    await createTestRefunds(db.database, merchant, { processor: sandboxWith({ refund: refused }) }).resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 0,
      failures: ['not_refundable'],
      events: ['refund.failed'],
    });
  });

  it('does not fail for too high an amount while the list may lag behind its own first attempt', async () => {
    const chargeId = await leftPending(false);
    const tooMuch = async (): Promise<RefundAnswer> => ({
      status: 'failed',
      reason: 'amount_too_large',
      processorCode: null,
    });
    const testRefunds = createTestRefunds(db.database, merchant, {
      processor: { ...sandboxWith({ refund: tooMuch }), lookUpLagMs: 60_000 },
    });
    await agePendingRefunds(db.database, chargeId, 30);
    await testRefunds.resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['pending 1000'], events: [] });
    await agePendingRefunds(db.database, chargeId, 31);
    await testRefunds.resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: ['failed 1000'],
      failures: ['amount_too_large'],
    });
  });

  it('is resent for half a day, and then fails without a refund', async () => {
    const chargeId = await leftPending(false);
    const processor = sandboxWith({ refund: async () => UNKNOWN });
    const testRefunds = createTestRefunds(db.database, merchant, { processor });
    await agePendingRefunds(db.database, chargeId, 12 * HOUR - 60);
    await testRefunds.resolve();
    expect(processor.operations).toEqual(['lookUp', 'refund 1000']);
    await agePendingRefunds(db.database, chargeId, 120);
    await testRefunds.resolve();
    expect(processor.operations).toEqual(['lookUp', 'refund 1000', 'lookUp']);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 0,
      refunds: ['failed 1000'],
      failures: ['not_received'],
      events: ['refund.failed'],
      ledger: [],
    });
    expect(await testRefunds.refund(chargeId)).toMatchObject({ refund: { amount: { amountCents: PAID } } });
  });

  it('is neither resent nor failed after the merchant was reconnected, maybe to another account', async () => {
    const elsewhere = await createTestMerchant(db.database);
    const chargeId = await leftPending(false, elsewhere);
    const processor = { ...sandboxWith({ lookUp: async () => ({ status: 'not_found' }) }), needsCredentials: true };
    const credentialsFor = async () => ({});
    await db.database.query(
      `insert into merchant_processors (merchant_id, account_id, mode, processor) values ($1, $2, $3, 'sandbox')`,
      [elsewhere.merchantId, elsewhere.accountId, elsewhere.mode],
    );
    for (const seconds of [2, 13 * HOUR]) {
      await agePendingRefunds(db.database, chargeId, seconds);
      await createTestRefunds(db.database, elsewhere, { processor, credentialsFor }).resolve();
    }
    expect(processor.operations).toEqual(['lookUp', 'lookUp']);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['pending 1000'], events: [] });
  });

  it.each([
    ['refund_dawdles', 'succeeded', 1_000],
    ['refund_fails', 'failed', 0],
  ])('of a processor that has taken it on ends as the processor has it: %s', async (card, status, refundedCents) => {
    const chargeId = await createPaidCharge(db.database, merchant, card);
    const processor = createSandbox(db.database, { ...FAST_SANDBOX, settleMs: 600_000 });
    const testRefunds = createTestRefunds(db.database, merchant, { processor });
    await testRefunds.refund(chargeId, 1_000);
    await agePendingRefunds(db.database, chargeId, 2);
    await testRefunds.resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 1_000,
      refunds: ['pending 1000'],
    });
    await agePendingRefunds(db.database, chargeId, 600);
    await testRefunds.resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents,
      refunds: [`${status} 1000`],
      events: [`refund.${status}`],
    });
    expect(testRefunds.outcomes).toEqual(['pending', status]);
  });

  it('is never resent once it has an ID, even if it cannot be found any more', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const taken = async (): Promise<RefundAnswer> => ({ status: 'pending', processorRefundId: 'theirs' });
    const ids: (string | null)[] = [];
    const processor = sandboxWith({
      refund: taken,
      lookUp: async ({ processorRefundId }) => {
        ids.push(processorRefundId);
        return { status: 'not_found' };
      },
    });
    const testRefunds = createTestRefunds(db.database, merchant, { processor });
    await testRefunds.refund(chargeId);
    for (const seconds of [2, 24 * HOUR]) {
      await agePendingRefunds(db.database, chargeId, seconds);
      await testRefunds.resolve();
    }
    expect(processor.operations).toEqual([`refund ${PAID}`, 'lookUp', 'lookUp']);
    expect(ids).toEqual(['theirs', 'theirs']);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: [`pending ${PAID}`] });
  });

  it('stays pending while the processor is unavailable, its adapter throws, or the credentials are missing', async () => {
    const chargeId = await leftPending(true);
    const broken = sandboxWith({ lookUp: () => Promise.reject(new Error('bug')) });
    const silent = sandboxWith({ lookUp: async () => UNKNOWN });
    const gone = { ...sandboxWith(), needsCredentials: true };
    const renamed = { ...sandboxWith(), name: 'other' };
    for (const processor of [broken, silent, gone, renamed]) {
      await agePendingRefunds(db.database, chargeId, 24 * HOUR);
      await createTestRefunds(db.database, merchant, { processor }).resolve();
      expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['pending 1000'], events: [] });
      expect(processor.operations.filter((word) => word !== 'lookUp')).toEqual([]);
    }
  });

  it('is settled once by ten concurrent resolvers', async () => {
    const charges = await Promise.all([true, false, true, false].map((reached) => leftPending(reached)));
    for (const id of charges) await agePendingRefunds(db.database, id, 2);
    await Promise.all(Array.from({ length: 10 }, () => createTestRefunds(db.database, merchant).resolve()));
    for (const id of charges) {
      expect(await readRefundState(db.database, id)).toMatchObject({
        refunds: ['succeeded 1000'],
        events: ['refund.succeeded'],
        ledger: [1_000],
      });
    }
  });

  it('keeps its first outcome if the processor contradicts itself, and logs an error', async () => {
    const chargeId = await leftPending(true);
    await agePendingRefunds(db.database, chargeId, 2);
    const contradicting = sandboxWith({
      async lookUp() {
        await agePendingRefunds(db.database, chargeId, 2);
        await db.database.query('update refunds set resolve_at = now() where charge_id = $1', [chargeId]);
        await createTestRefunds(db.database, merchant).resolve();
        return { status: 'failed', reason: 'refused', processorCode: null };
      },
    });
    const testRefunds = createTestRefunds(db.database, merchant, { processor: contradicting });
    await testRefunds.resolve();
    expect(testRefunds.lines).toContain('refund already settled with another outcome');
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: ['succeeded 1000'],
      events: ['refund.succeeded'],
    });
  });

  it('is looked up like a charge, then daily for a month, then left to an operator', async () => {
    const chargeId = await leftPending(true);
    const testRefunds = createTestRefunds(db.database, merchant, {
      processor: sandboxWith({
        lookUp: async () => {
          looks += 1;
          return UNKNOWN;
        },
      }),
    });
    let looks = 0;
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 106; attempt += 1) {
      await agePendingRefunds(db.database, chargeId, 0);
      await testRefunds.resolve();
      pauses.push(await pauseOf(chargeId));
    }
    expect(pauses.slice(0, 5)).toEqual([5, 30, 120, 600, HOUR]);
    expect(new Set(pauses.slice(5, 77))).toEqual(new Set([HOUR]));
    expect(new Set(pauses.slice(77, 104))).toEqual(new Set([24 * HOUR]));
    // Nobody can settle it manually before the last lookup is over.
    expect(pauses.slice(104)).toEqual([120, Number.POSITIVE_INFINITY]);
    expect(looks).toBe(105);
    expect(testRefunds.lines.filter((line) => line.includes('given up'))).toHaveLength(1);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['pending 1000'], events: [] });
  });
});

/** The pause that was just set, in seconds: the configured one that it is within. */
async function pauseOf(chargeId: ChargeId): Promise<number> {
  const { rows } = await db.database.query<{ left: number | null }>(
    `select case when resolve_at < 'infinity' then extract(epoch from resolve_at - now())::float8 end as left
       from refunds where charge_id = $1`,
    [chargeId],
  );
  const left = rows[0]?.left ?? Number.POSITIVE_INFINITY;
  return [5, 30, 120, 600, HOUR, 24 * HOUR].find((pause) => left <= pause) ?? Number.POSITIVE_INFINITY;
}

describe('the worker', () => {
  it('settles what it finds, and is not delayed by a slow charge', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('hangs_taken'));
    await agePendingCharges(db.database, sessionId, 2);
    const chargeId = await leftPending(false);
    const operations = deferred<AbortSignal>();
    const processor: Processor = {
      ...createSandbox(db.database, FAST_SANDBOX),
      lookUp: (_request, signal) => {
        operations.resolve(signal);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ status: 'unknown', cause: 'aborted' }));
        });
      },
    };
    const worker = startWorker({
      database: db.database,
      processors: [processor],
      log: createRecordingLog(),
      pollMs: 50,
    });
    try {
      const signal = await operations.promise;
      await agePendingRefunds(db.database, chargeId, 2);
      await expect.poll(async () => (await readRefundState(db.database, chargeId)).refunds).toEqual(['succeeded 1000']);
      expect(signal.aborted).toBe(false);
    } finally {
      await worker.close();
    }
  });
});

/** Refunds whose rows the database lost in a failover while the processor worked. They are restored with its answer. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChargeId } from '../../../src/domain/ids.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { RefundAnswer } from '../../../src/payments/port/refunds.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { FAST_SANDBOX } from './test-payments.ts';
import { createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

const MADE: RefundAnswer = { status: 'succeeded', processorRefundId: 'theirs' };
const newKey = () => ({ keyHash: randomBytes(32), requestHash: Buffer.alloc(32, 8) });

/** The sandbox. When it answers, each refund's row is deleted, and then `after` runs. */
function losing(
  chargeId: ChargeId,
  answer: RefundAnswer,
  after: () => Promise<unknown> = async () => undefined,
): Processor {
  const sandbox = createSandbox(db.database, FAST_SANDBOX);
  if (sandbox.refunds === null) throw new Error('the sandbox gives money back');
  const refund = async () => {
    await db.database.query('delete from refunds where charge_id = $1', [chargeId]);
    await after();
    return answer;
  };
  return { ...sandbox, refunds: { ...sandbox.refunds, refund } };
}

describe('a refund that the database lost', () => {
  it.each<[string, RefundAnswer, object]>([
    ['made', MADE, { refundedCents: 4_000, refunds: ['succeeded 4000'], events: ['refund.succeeded'] }],
    [
      'taken on',
      { status: 'pending', processorRefundId: 'theirs' },
      { refundedCents: 4_000, refunds: ['pending 4000'], events: [] },
    ],
    [
      'not known',
      { status: 'unknown', cause: 'timeout' },
      { refundedCents: 4_000, refunds: ['pending 4000'], events: [] },
    ],
    [
      'refused',
      { status: 'failed', reason: 'refused', processorCode: null },
      { refundedCents: 0, refunds: ['failed 4000'], events: ['refund.failed'] },
    ],
  ])('is restored, and found by its request’s key: %s', async (_, answer, expected) => {
    const [chargeId, idempotency] = [await createPaidCharge(db.database, merchant), newKey()];
    const testRefunds = createTestRefunds(db.database, merchant, { processor: losing(chargeId, answer) });
    const first = await testRefunds.refund(chargeId, 4_000, { idempotency });
    expect(await readRefundState(db.database, chargeId)).toMatchObject(expected);
    expect(testRefunds.lines).toContain('the database lost a refund, writing it again');
    if (first.type !== 'refund') throw new Error('no refund');
    const again = await createTestRefunds(db.database, merchant).refund(chargeId, 4_000, { idempotency });
    expect(again).toMatchObject({ type: 'refund', refund: { id: first.refund.id, status: first.refund.status } });
  });

  it('is not made twice by a repeat of its request that began before the answer', async () => {
    const [chargeId, idempotency] = [await createPaidCharge(db.database, merchant), newKey()];
    const repeat = () => createTestRefunds(db.database, merchant).refund(chargeId, 250, { idempotency });
    const testRefunds = createTestRefunds(db.database, merchant, { processor: losing(chargeId, MADE, repeat) });
    await testRefunds.refund(chargeId, 250, { idempotency });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 250,
      refunds: ['succeeded 250'],
      events: ['refund.succeeded'],
    });
  });

  it.each([[250], [PAID]])('is not made twice if its whole process dies: %i', async (amountCents) => {
    const [chargeId, idempotency] = [await createPaidCharge(db.database, merchant), newKey()];
    const refund = () => createTestRefunds(db.database, merchant).refund(chargeId, amountCents, { idempotency });
    await refund();
    await db.database.query('delete from events where charge_id = $1 and refund_id is not null', [chargeId]);
    await db.database.query('delete from refunds where charge_id = $1', [chargeId]);
    expect(await refund()).toMatchObject({ refund: { status: 'succeeded' } });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: amountCents,
      refunds: [`succeeded ${amountCents}`],
      events: ['refund.succeeded'],
      ledger: [amountCents],
    });
  });

  it('is logged for the operator and not restored if the amount is refunded again meanwhile', async () => {
    const chargeId = await createPaidCharge(db.database, merchant);
    const all = () => createTestRefunds(db.database, merchant).refund(chargeId);
    const testRefunds = createTestRefunds(db.database, merchant, { processor: losing(chargeId, MADE, all) });
    await testRefunds.refund(chargeId, 4_000);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: [`succeeded ${PAID}`] });
    expect(testRefunds.lines).toContain('refund outcome not recorded, left to the resolver');
  });
});

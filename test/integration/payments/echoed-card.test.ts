/** A processor that echoes the card number as the payment's ID: it is not stored, and the payment can be refunded. */
import { expect, test } from 'vitest';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';
import { createTestRefunds } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const PAN = '4242424242424242';

/** The sandbox with the card number as each payment's ID. */
function echoing(): Processor & { operations: string[] } {
  const sandbox = createSandbox(db.database, FAST_SANDBOX);
  const names = new Map<string, string>();
  const echoed = <Answer extends { status: string }>(answer: Answer): Answer => {
    if (!('processorPaymentId' in answer) || answer.status !== 'succeeded') return answer;
    names.set(PAN, String(answer.processorPaymentId));
    return { ...answer, processorPaymentId: PAN };
  };
  const operations: string[] = [];
  const { refunds } = sandbox;
  if (refunds === null) throw new Error('the sandbox makes refunds');
  return {
    ...sandbox,
    operations,
    charge: async (...args) => echoed(await sandbox.charge(...args)),
    lookUp: async (...args) => echoed(await sandbox.lookUp(...args)),
    refunds: {
      ...refunds,
      refund: (request, signal) => {
        operations.push(request.processorPaymentId);
        return refunds.refund({ ...request, processorPaymentId: names.get(request.processorPaymentId) ?? '' }, signal);
      },
    },
  };
}

test('an echoed card number is neither stored nor logged, and the payment can still be refunded', async () => {
  const processor = echoing();
  const payments = createTestPayments(db.database, { processors: [processor] });
  const sessionId = await createTestSession(db.database, merchant);
  const paid = await payments.pay(merchant, sessionId, keyedCard(PAN));
  if (paid.type !== 'succeeded') throw new Error(`the charge: ${paid.type}`);
  expect(paid.charge.processorPaymentId).toBe(`withheld-${paid.charge.id}`);
  const { refund } = createTestRefunds(db.database, merchant, { processor });
  expect(await refund(paid.charge.id)).toMatchObject({ type: 'refund', refund: { status: 'succeeded' } });
  expect(processor.operations).toEqual([PAN]);
  for (const table of ['charges', 'refunds', 'events', 'audit_events']) {
    const { rowCount } = await db.database.query(`select from ${table} t where t::text like '%${PAN}%'`);
    expect([table, rowCount]).toEqual([table, 0]);
  }
  expect(payments.log.lines.join('\n')).toContain('payment ID may be a card number');
  expect(payments.log.lines.join('\n')).not.toContain(PAN);
});

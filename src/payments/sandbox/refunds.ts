/** Fake money back, in a table of its own. */
import { randomToken } from '../../domain/ids.ts';
import type { Sql } from '../../store/database.ts';
import { findSandboxRefund, insertSandboxRefund } from '../../store/sandbox.ts';
import type { RefundAnswer, RefundRequest, Refunds } from '../ports.ts';
import { unreachable } from './errors.ts';

export function sandboxRefunds(sql: Sql): Refunds {
  return {
    async refund(request, signal) {
      if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
      return refund(sql, request).catch(unreachable);
    },
    async lookUp({ refundId }) {
      try {
        const found = await findSandboxRefund(sql, refundId);
        return found === null ? { status: 'not_found' } : { status: 'succeeded', processorRefundId: found };
      } catch (error) {
        return unreachable(error);
      }
    },
  };
}

async function refund(sql: Sql, request: RefundRequest): Promise<RefundAnswer> {
  const made = await insertSandboxRefund(sql, {
    reference: request.refundId,
    refundId: `sandbox_refund_${randomToken()}`,
    paymentId: request.processorPaymentId,
    amount: request.amount,
  });
  switch (made.status) {
    case 'refunded':
      return { status: 'succeeded', processorRefundId: made.refundId };
    case 'no_payment':
      return { status: 'failed', reason: 'not_refundable', processorCode: made.status };
    case 'too_much': {
      const reason = made.leftCents === 0 ? 'already_refunded' : 'amount_too_large';
      return { status: 'failed', reason, processorCode: made.status };
    }
  }
}

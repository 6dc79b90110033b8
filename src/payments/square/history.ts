/** All refunds of a payment at Square: those that its `refund_ids` name (developer.squareup.com/reference/square/objects/Payment). */
import type { Square } from 'square';
import { unknown } from '../port/answers.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { refundIdOf } from './refunds.ts';

export function squareHistories(open: OpenSquare): ProcessorHistories {
  return {
    after: /^refund\./,
    async read(request, signal) {
      try {
        const { square } = await open(request, signal);
        const { payment } = await square.payments.get({ paymentId: request.processorPaymentId });
        if (payment === undefined) return unknown('answer');
        const refunds: RefundThere[] = [];
        // "At most twenty" (see refunds.ts).
        for (const refundId of payment.refundIds ?? []) {
          refunds.push(refundThere((await square.refunds.get({ refundId })).refund));
        }
        return { status: 'read', refunds };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

const STATUSES: Readonly<Record<string, RefundThere['status']>> = {
  COMPLETED: 'succeeded',
  REJECTED: 'failed',
  FAILED: 'failed',
};

function refundThere(refund: Square.PaymentRefund | undefined): RefundThere {
  if (refund === undefined) throw new NoAnswer('unreadable');
  const { id, amountMoney } = refund;
  const status = STATUSES[refund.status ?? ''] ?? 'pending';
  return {
    processorRefundId: id,
    refundId: refundIdOf(refund),
    status,
    amountCents: Number(amountMoney.amount ?? 0),
    currency: amountMoney.currency ?? '',
    processorCode: status === 'failed' ? (refund.status ?? null) : null,
  };
}

/** Money back at Square (developer.squareup.com/reference/square/refunds-api). */
import type { Square } from 'square';
import type { RefundAnswer, RefundFailure, RefundRequest, Refunds } from '../ports.ts';
import { faultOf } from './errors.ts';
import type { OpenSquare } from './index.ts';
import { findListed } from './lists.ts';

export function squareRefunds(open: OpenSquare): Refunds {
  return {
    refund: (request, signal) => refund(open, request, signal),
    async lookUp({ refundId, processorPaymentId, mode, credentials, begunAt }, signal) {
      try {
        const { square, locationId } = await open(mode, credentials, signal);
        const found = await findListed<Square.PaymentRefund>(
          begunAt,
          (window) => square.refunds.list({ ...window, locationId }),
          ({ paymentId, reason }) => paymentId === processorPaymentId && reason === reasonFor(refundId),
        );
        if (typeof found === 'string') return { status: 'unknown', cause: found };
        return found === null ? { status: 'not_found' } : answerOf(found);
      } catch (error) {
        const fault = faultOf(error);
        return { status: 'unknown', cause: fault.kind === 'unknown' ? fault.cause : fault.kind };
      }
    },
  };
}

/** A refund has no reference of ours but its reason, which the merchant's dashboard shows. */
function reasonFor(refundId: string): string {
  return `Ringkey ${refundId}`;
}

async function refund(open: OpenSquare, request: RefundRequest, signal: AbortSignal): Promise<RefundAnswer> {
  const { refundId, processorPaymentId, amount } = request;
  try {
    const { square } = await open(request.mode, request.credentials, signal);
    if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
    const { refund: made } = await square.refunds.refundPayment({
      idempotencyKey: refundId,
      paymentId: processorPaymentId,
      amountMoney: { amount: BigInt(amount.amountCents), currency: amount.currency },
      reason: reasonFor(refundId),
    });
    return answerOf(made);
  } catch (error) {
    return failure(error);
  }
}

function answerOf(refund: Square.PaymentRefund | undefined): RefundAnswer {
  switch (refund?.status) {
    case 'COMPLETED':
      return { status: 'succeeded', processorRefundId: refund.id };
    case 'PENDING':
      return { status: 'pending', processorRefundId: refund.id };
    case 'REJECTED':
    case 'FAILED':
      return { status: 'failed', reason: 'refused', processorCode: refund.status };
    default:
      return { status: 'unknown', cause: 'answer' };
  }
}

const FAILURES: Readonly<Record<string, RefundFailure>> = {
  AMOUNT_TOO_HIGH: 'amount_too_large',
  NOT_FOUND: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: 'not_refundable',
  REFUND_AMOUNT_INVALID: 'amount_too_large',
};

function failure(error: unknown): RefundAnswer {
  const fault = faultOf(error);
  switch (fault.kind) {
    case 'unknown':
      return { status: 'unknown', cause: fault.cause };
    case 'credentials':
    case 'rate_limit':
      return { status: 'failed', reason: 'refused', processorCode: fault.kind };
    case 'declined':
    case 'refused': {
      const code = fault.codes[0] ?? null;
      return { status: 'failed', reason: FAILURES[code ?? ''] ?? 'refused', processorCode: code };
    }
  }
}

/**
 * Refunds at Square (developer.squareup.com/reference/square/refunds-api). CancelPayment is for what was authorized
 * only; ours are completed at once, and of those "you can only refund": a void is a refund here. Twenty a payment, within a
 * year (developer.squareup.com/docs/payments-api/refund-payments).
 */
import type { Square } from 'square';
import type { RefundFailure } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, RefundAnswer, RefundLookUpRequest, RefundRequest, Refunds } from '../ports.ts';
import { VendorClock } from '../vendor-clock.ts';
import { faultOf } from './errors.ts';
import type { OpenSquare } from './index.ts';
import { findListed } from './lists.ts';

export function squareRefunds(open: OpenSquare): Refunds {
  return {
    refund: (request, signal) => refundSquarePayment(open, request, signal),
    async lookUp(request, signal) {
      try {
        const clock = new VendorClock();
        const found = await find((...means) => open(...means, clock.observe), request, signal);
        if (typeof found === 'string') return { status: 'unknown', cause: found };
        if (found !== null) return answerOf(found, request);
        return clock.agreesWith(request.askedAt)
          ? { status: 'not_found' }
          : { status: 'unknown', cause: 'clocks_differ' };
      } catch (error) {
        const fault = faultOf(error);
        return { status: 'unknown', cause: fault.kind === 'unknown' ? fault.cause : fault.kind };
      }
    },
  };
}

/** A refund whose id is not known is looked for from its start until now: it may have been sent once more. */
async function find(
  open: (...means: [Mode, Credentials, AbortSignal]) => ReturnType<OpenSquare>,
  { refundId, processorRefundId, processorPaymentId, mode, credentials, begunAt }: RefundLookUpRequest,
  signal: AbortSignal,
): Promise<Square.PaymentRefund | null | 'too_many' | 'unreadable'> {
  const { square, locationId } = await open(mode, credentials, signal);
  if (processorRefundId !== null) {
    return (await square.refunds.get({ refundId: processorRefundId })).refund ?? 'unreadable';
  }
  return findListed<Square.PaymentRefund>(
    begunAt,
    (window) => square.refunds.list({ ...window, locationId }),
    ({ paymentId, reason }) => paymentId === processorPaymentId && reason === reasonFor(refundId),
    new Date(),
  );
}

/** A refund has no reference of ours but its reason, which the merchant's dashboard shows. */
function reasonFor(refundId: string): string {
  return `Ringkey ${refundId}`;
}

async function refundSquarePayment(
  open: OpenSquare,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundAnswer> {
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
    return answerOf(made, request);
  } catch (error) {
    return failure(error);
  }
}

/** As of a charge: a server or a proxy that answers twice has an answer too many, and the next request gets it. */
function answerOf(
  refund: Square.PaymentRefund | undefined,
  { refundId }: Pick<RefundRequest, 'refundId'>,
): RefundAnswer {
  const ours = reasonFor(refundId);
  if ((refund?.reason ?? ours) !== ours) return { status: 'unknown', cause: 'answer_to_another' };
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

const FAILURES: Readonly<Record<string, Exclude<RefundFailure, 'not_received'>>> = {
  AMOUNT_TOO_HIGH: 'amount_too_large',
  NOT_FOUND: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: 'not_refundable',
  REFUND_AMOUNT_INVALID: 'amount_too_large',
  REFUND_ERROR_PAYMENT_NEEDS_COMPLETION: 'not_refundable',
};

function failure(error: unknown): RefundAnswer {
  const fault = faultOf(error);
  switch (fault.kind) {
    case 'unknown':
      return { status: 'unknown', cause: fault.cause };
    case 'rate_limit':
      // It never began, and will in a while: the resolver looks it up and sends it once more.
      return { status: 'unknown', cause: fault.kind };
    case 'credentials':
      return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
    case 'declined':
    case 'refused': {
      const code = fault.codes[0] ?? null;
      // Temporary, and it may be this very refund's first try that is under way.
      if (code === 'REFUND_ALREADY_PENDING') return { status: 'unknown', cause: code.toLowerCase() };
      return { status: 'failed', reason: FAILURES[code ?? ''] ?? 'refused', processorCode: code };
    }
  }
}

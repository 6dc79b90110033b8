/**
 * Refunds at Square (developer.squareup.com/reference/square/refunds-api). CancelPayment is only for authorized
 * payments. Ours are completed at once, and for those "you can only refund", so a void is a refund here. At most twenty
 * per payment, within a year (developer.squareup.com/docs/payments-api/refund-payments).
 */
import type { Square } from 'square';
import { parseId, type RefundId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { findInList } from './lists.ts';

export function squareRefunds(open: OpenSquare): Refunds {
  return {
    refund: (request, signal) => refundSquarePayment(open, request, signal),
    lookUp: (request, signal) =>
      lookUpListed(
        request,
        async (observe) => findRefund(await open(request, signal, observe), request),
        (refund) => lookedUp(refund, request),
        faultOf,
      ),
  };
}

/** A refund with an unknown ID is searched from its creation until now, because it may have been resent. */
async function findRefund(
  { square, locationId }: Awaited<ReturnType<OpenSquare>>,
  { refundId, processorRefundId, processorPaymentId, createdAt }: RefundLookupRequest,
): Promise<Square.PaymentRefund | null> {
  if (processorRefundId !== null) {
    const { refund } = await square.refunds.get({ refundId: processorRefundId });
    if (refund === undefined) throw new NoAnswer('unreadable');
    return refund;
  }
  return findInList<Square.PaymentRefund>(
    createdAt,
    (listing) => square.refunds.list({ ...listing, locationId }),
    ({ paymentId, reason }) => paymentId === processorPaymentId && reason === reasonFor(refundId),
    new Date(),
  );
}

/** Our reference is in the reason, the only free text of a refund. The merchant's dashboard shows it. */
function reasonFor(refundId: string): string {
  return `Ringkey ${refundId}`;
}

const REASON = /^Ringkey (re_\w+)$/;

/** Our refund ID from the reason; null for a refund that was made elsewhere. */
export function refundIdOf({ reason }: Square.PaymentRefund): RefundId | null {
  const id = REASON.exec(reason ?? '')?.[1];
  return id === undefined ? null : parseId('Refund', id);
}

async function refundSquarePayment(
  open: OpenSquare,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { refundId, processorPaymentId, amount } = request;
  try {
    const { square } = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const { refund: made } = await square.refunds.refundPayment({
      idempotencyKey: refundId,
      paymentId: processorPaymentId,
      amountMoney: { amount: BigInt(amount.amountCents), currency: amount.currency },
      reason: reasonFor(refundId),
    });
    return answerOf(made, request);
  } catch (error) {
    const fault = faultOf(error);
    // Temporary: the pending refund may be the first attempt of this one.
    if (fault.kind === 'refused' && fault.code === 'REFUND_ALREADY_PENDING') return unknown(fault.code.toLowerCase());
    return refundFailure(fault, FAILURES);
  }
}

/** One that was made in Square's dashboard has another reason, or none. */
function lookedUp(refund: Square.PaymentRefund, request: RefundLookupRequest): RefundAnswer {
  const isElsewhere = refundIdOf(refund) === null && refund.id === request.processorRefundId;
  return answerOf(isElsewhere ? { ...refund, reason: reasonFor(request.refundId) } : refund, request);
}

/** As for a charge: if a server or proxy responds twice, the next request gets the surplus response. */
function answerOf(
  refund: Square.PaymentRefund | undefined,
  { refundId }: Pick<RefundRequest, 'refundId'>,
): RefundAnswer {
  const ours = reasonFor(refundId);
  if ((refund?.reason ?? ours) !== ours) return unknown('answer_to_another');
  switch (refund?.status) {
    case 'COMPLETED':
      return { status: 'succeeded', processorRefundId: refund.id };
    case 'PENDING':
      return { status: 'pending', processorRefundId: refund.id };
    case 'REJECTED':
    case 'FAILED':
      return { status: 'failed', reason: 'refused', processorCode: refund.status };
    default:
      return unknown('answer');
  }
}

const FAILURES: RefundFailures = {
  AMOUNT_TOO_HIGH: 'amount_too_large',
  NOT_FOUND: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE: 'not_refundable',
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: 'not_refundable',
  REFUND_AMOUNT_INVALID: 'amount_too_large',
  REFUND_ERROR_PAYMENT_NEEDS_COMPLETION: 'not_refundable',
};

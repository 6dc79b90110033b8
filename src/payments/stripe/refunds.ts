/**
 * Refunds at Stripe (docs.stripe.com/api/refunds). Payments are captured at once, so there is nothing to cancel. Soon
 * after the payment, a refund reaches the bank as a reversal (docs.stripe.com/refunds).
 */
import type Stripe from 'stripe';
import { unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { causeOf, type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { PAGE } from '../vendor-api/lookup.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isReplayedError, isStripeError } from './errors.ts';
import { CHARGE_KEY, REFUND_KEY } from './map.ts';

export function stripeRefunds(open: OpenStripe): Refunds {
  return {
    refund: (request, signal) => refundStripePayment(open, request, signal),
    async lookUp(request, signal) {
      try {
        const found = await findRefund(await open(request, signal), request);
        return found === undefined ? { status: 'not_found' } : answerOf(found, request);
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

/** A payment has few refunds, and the list includes the latest writes: no time window, one page. */
async function findRefund(
  stripe: Stripe,
  {
    refundId,
    processorRefundId,
    processorPaymentId,
  }: Pick<RefundLookupRequest, 'refundId' | 'processorRefundId' | 'processorPaymentId'>,
): Promise<Stripe.Refund | undefined> {
  if (processorRefundId !== null) return stripe.refunds.retrieve(processorRefundId);
  const { data } = await stripe.refunds.list({ payment_intent: processorPaymentId, limit: PAGE });
  return data.find(({ metadata }) => metadata?.[REFUND_KEY] === refundId);
}

async function refundStripePayment(
  open: OpenStripe,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { refundId, chargeId, processorPaymentId, amount, reason } = request;
  try {
    const stripe = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const params = {
      payment_intent: processorPaymentId,
      amount: amount.amountCents,
      ...(reason !== null && { reason }),
      metadata: { [REFUND_KEY]: refundId, [CHARGE_KEY]: chargeId },
    };
    return answerOf(await createRefund(stripe, params, request), request);
  } catch (error) {
    // Stripe gives no code for an amount that exceeds the rest of the charge.
    const isTooMuch = isStripeError(error) && error.param === 'amount';
    return refundFailure(faultOf(error), FAILURES, isTooMuch ? 'amount_too_large' : 'refused');
  }
}

/** Idempotency keys of one refund, for errors that Stripe stores. */
const MAX_KEYS = 5;

/**
 * "Retries with the same key return the saved response, including 500 errors"
 * (docs.stripe.com/api/idempotent_requests): a stored error would block the refund until the key is forgotten. So the
 * next key is used, unless the refund exists.
 */
async function createRefund(
  stripe: Stripe,
  params: Stripe.RefundCreateParams,
  { refundId, processorPaymentId }: RefundRequest,
): Promise<Stripe.Refund> {
  for (let key = 1; ; key += 1) {
    try {
      return await stripe.refunds.create(params, { idempotencyKey: key === 1 ? refundId : `${refundId}-${key}` });
    } catch (error) {
      if (!isReplayedError(error) || key === MAX_KEYS) throw error;
      const found = await findRefund(stripe, { refundId, processorPaymentId, processorRefundId: null });
      if (found !== undefined) return found;
    }
  }
}

/** As for a charge: if a server or proxy responds twice, the next request gets the surplus response. */
function answerOf(
  { id, status, failure_reason: reason, metadata }: Stripe.Refund,
  { refundId }: Pick<RefundRequest, 'refundId'>,
): RefundAnswer {
  if ((metadata?.[REFUND_KEY] ?? refundId) !== refundId) return unknown('answer_to_another');
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', processorRefundId: id };
    case 'pending':
    case 'requires_action':
      return { status: 'pending', processorRefundId: id };
    case 'failed':
    case 'canceled':
      return { status: 'failed', reason: 'refused', processorCode: reason ?? status };
    default:
      return unknown('answer');
  }
}

const FAILURES: RefundFailures = {
  charge_already_refunded: 'already_refunded',
  amount_too_large: 'amount_too_large',
  charge_disputed: 'not_refundable',
  charge_not_refundable: 'not_refundable',
  refund_disputed_payment: 'not_refundable',
  resource_missing: 'not_refundable',
  payment_intent_unexpected_state: 'not_refundable',
};

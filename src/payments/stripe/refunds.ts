/**
 * Refunds at Stripe (docs.stripe.com/api/refunds). Its payments are captured at once, so there is nothing to cancel: a
 * refund soon after the payment is one, too, and the bank gets a reversal (docs.stripe.com/refunds).
 */
import Stripe from 'stripe';
import type { RefundFailure } from '../../domain/refund.ts';
import type { RefundAnswer, RefundLookUpRequest, RefundRequest, Refunds } from '../ports.ts';
import { causeOf, rejectsCredentials } from './errors.ts';
import type { OpenStripe } from './adapter.ts';
import { CHARGE_KEY, REFUND_KEY } from './map.ts';

const PAGE = 100;

export function stripeRefunds(open: OpenStripe): Refunds {
  return {
    refund: (request, signal) => refundStripePayment(open, request, signal),
    async lookUp(request, signal) {
      try {
        const found = await find(open(request.mode, request.credentials, signal), request);
        return found === undefined ? { status: 'not_found' } : answerOf(found, request);
      } catch (error) {
        return { status: 'unknown', cause: causeOf(error) ?? 'answer' };
      }
    },
  };
}

/** A payment has a handful of refunds, and a list sees what was just written: no time window, one page. */
async function find(
  stripe: Stripe,
  { refundId, processorRefundId, processorPaymentId }: RefundLookUpRequest,
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
  if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
  const { refundId, chargeId, processorPaymentId, amount, reason } = request;
  try {
    const stripe = open(request.mode, request.credentials, signal);
    const made = await stripe.refunds.create(
      {
        payment_intent: processorPaymentId,
        amount: amount.amountCents,
        ...(reason !== null && { reason }),
        metadata: { [REFUND_KEY]: refundId, [CHARGE_KEY]: chargeId },
      },
      { idempotencyKey: refundId },
    );
    return answerOf(made, request);
  } catch (error) {
    return failure(error);
  }
}

/** As of a charge: a server or a proxy that answers twice has an answer too many, and the next request gets it. */
function answerOf(
  { id, status, failure_reason: reason, metadata }: Stripe.Refund,
  { refundId }: Pick<RefundRequest, 'refundId'>,
): RefundAnswer {
  if ((metadata?.[REFUND_KEY] ?? refundId) !== refundId) return { status: 'unknown', cause: 'answer_to_another' };
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
      return { status: 'unknown', cause: 'answer' };
  }
}

const FAILURES: Readonly<Record<string, Exclude<RefundFailure, 'not_received'>>> = {
  charge_already_refunded: 'already_refunded',
  amount_too_large: 'amount_too_large',
  charge_disputed: 'not_refundable',
  charge_not_refundable: 'not_refundable',
  refund_disputed_payment: 'not_refundable',
  resource_missing: 'not_refundable',
  payment_intent_unexpected_state: 'not_refundable',
};

function failure(error: unknown): RefundAnswer {
  const cause = causeOf(error);
  if (cause !== null) return { status: 'unknown', cause };
  if (rejectsCredentials(error)) return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
  if (!(error instanceof Stripe.errors.StripeError)) return { status: 'unknown', cause: 'answer' };
  // It never began, and will in a while: the resolver looks it up and sends it once more.
  if (error instanceof Stripe.errors.StripeRateLimitError) return { status: 'unknown', cause: 'rate_limit' };
  const code = error.code ?? null;
  // Where Stripe says it in words only: more than what is left of the charge.
  const tooMuch = error.param === 'amount';
  const reason = (code === null ? undefined : FAILURES[code]) ?? (tooMuch ? 'amount_too_large' : 'refused');
  return { status: 'failed', reason, processorCode: code };
}

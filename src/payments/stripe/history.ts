/** All refunds of a payment at Stripe (docs.stripe.com/api/refunds/list). A refund "might fail" after it succeeded (docs.stripe.com/refunds). */
import type Stripe from 'stripe';
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE } from '../vendor-api/lookup.ts';
import type { OpenStripe } from './client.ts';
import { faultOf } from './errors.ts';
import { REFUND_KEY } from './map.ts';

export function stripeHistories(open: OpenStripe): ProcessorHistories {
  return {
    // charge.refunded, charge.refund.updated, refund.created, refund.updated, refund.failed
    after: /refund/,
    async read(request, signal) {
      try {
        const stripe = await open(request, signal);
        const { data } = await stripe.refunds.list({ payment_intent: request.processorPaymentId, limit: PAGE });
        return { status: 'read', refunds: data.map(refundThere) };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

function refundThere({ id, status, amount, currency, failure_reason: reason, metadata }: Stripe.Refund): RefundThere {
  const isFailed = status === 'failed' || status === 'canceled';
  return {
    processorRefundId: id,
    refundId: parseId('Refund', metadata?.[REFUND_KEY] ?? ''),
    status: isFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    amountCents: amount,
    currency: currency.toUpperCase(),
    processorCode: isFailed ? (reason ?? status) : null,
  };
}

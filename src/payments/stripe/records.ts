/**
 * Stripe's lists of payments and refunds, by time (docs.stripe.com/api/payment_intents/list,
 * docs.stripe.com/api/refunds/list).
 */
import type Stripe from 'stripe';
import type { ChargeSource } from '../../domain/charge.ts';
import { parseId } from '../../domain/ids.ts';
import type { ProcessorRecords, RecordedPayment, RecordedRefund, RecordsRequest } from '../port/records.ts';
import { PAGE, readableRecords } from '../vendor-api/lookup.ts';
import type { OpenStripe } from './client.ts';
import { faultOf } from './errors.ts';
import { EXPANDED, seconds } from './look-up.ts';
import { answerOf, CHARGE_KEY, REFUND_KEY, SESSION_KEY } from './map.ts';

export function stripeRecords(open: OpenStripe): ProcessorRecords {
  return {
    payments: (request, signal) => readableRecords(listPayments(open, request, signal), faultOf),
    refunds: (request, signal) => readableRecords(listRefunds(open, request, signal), faultOf),
  };
}

const createdIn = ({ from, until }: RecordsRequest) => ({ gte: seconds(from), lt: seconds(until) });

async function* listPayments(
  open: OpenStripe,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedPayment> {
  const stripe = await open(request, signal);
  const params = { created: createdIn(request), limit: PAGE, expand: EXPANDED };
  for await (const intent of stripe.paymentIntents.list(params)) {
    const chargeId = parseId('Charge', intent.metadata[CHARGE_KEY] ?? '');
    if (chargeId === null) continue;
    const sessionId = parseId('CheckoutSession', intent.metadata[SESSION_KEY] ?? '');
    const origin = sessionId === null ? null : { sessionId, source: sourceOf(intent) };
    yield { chargeId, origin, createdAt: new Date(intent.created * 1_000), answer: answerOf(intent) };
  }
}

/** From how it was created, see map.ts. */
function sourceOf(intent: Stripe.PaymentIntent): ChargeSource {
  if (intent.confirmation_method === 'manual') return 'page';
  const card: object | undefined = intent.payment_method_options?.card;
  return card !== undefined && 'moto' in card && card.moto === true ? 'phone' : 'saved_card';
}

async function* listRefunds(
  open: OpenStripe,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedRefund> {
  const stripe = await open(request, signal);
  const params = { created: createdIn(request), limit: PAGE, expand: ['data.payment_intent'] };
  for await (const refund of stripe.refunds.list(params)) {
    const { payment_intent: intent, metadata } = refund;
    if (intent === null || typeof intent === 'string') continue;
    yield {
      processorRefundId: refund.id,
      processorPaymentId: intent.id,
      refundId: parseId('Refund', metadata?.[REFUND_KEY] ?? ''),
      readChargeId: async () => parseId('Charge', intent.metadata[CHARGE_KEY] ?? ''),
      status: STATUSES[refund.status ?? ''] ?? 'pending',
      amountCents: refund.amount,
      currency: refund.currency.toUpperCase(),
      createdAt: new Date(refund.created * 1_000),
    };
  }
}

const STATUSES: Readonly<Record<string, RecordedRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * Holds at Stripe: PaymentIntents with `capture_method: manual`
 * (docs.stripe.com/payments/place-a-hold-on-a-payment-method). A partial capture releases the rest, and an intent is
 * captured once (docs.stripe.com/api/payment_intents/capture; multicapture is not used).
 */
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, type HoldFailures, readHold } from '../vendor-api/holds.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isReplayedError } from './errors.ts';
import { CHARGE_KEY, captureBeforeOf } from './map.ts';

const EXPANDED = { expand: ['latest_charge'] };

export function stripeHolds(open: OpenStripe): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => {
      const stripe = await open(request, signal);
      return stateOf(request, await stripe.paymentIntents.retrieve(request.processorPaymentId, EXPANDED));
    }, faultOf);
  const change = (request: HoldChangeRequest, signal: AbortSignal, send: SendChange) =>
    changeHold({
      change: async () => {
        const stripe = await open(request, signal);
        if (signal.aborted) return unknown('timeout');
        return stateOf(request, await withFreshKey(request, (key) => send(stripe, { idempotencyKey: key })));
      },
      read: () => read(request, signal),
      faultOf,
      failures: FAILURES,
    });
  return {
    partial: true,
    read,
    capture: (request, signal) =>
      change(request, signal, (stripe, options) => {
        const params = { amount_to_capture: request.amount.amountCents, ...EXPANDED };
        return stripe.paymentIntents.capture(request.processorPaymentId, params, options);
      }),
    void: (request, signal) =>
      change(request, signal, (stripe, options) => {
        const params = { cancellation_reason: 'requested_by_customer', ...EXPANDED } as const;
        return stripe.paymentIntents.cancel(request.processorPaymentId, params, options);
      }),
  };
}

type SendChange = (stripe: Stripe, options: { idempotencyKey: string }) => Promise<Stripe.PaymentIntent>;

/**
 * "Retries with the same key return the saved response, including 500 errors"
 * (docs.stripe.com/api/idempotent_requests). Another key is safe, because an intent is captured or canceled once.
 */
async function withFreshKey<T>({ changeId }: HoldChangeRequest, send: (key: string) => Promise<T>): Promise<T> {
  try {
    return await send(changeId);
  } catch (error) {
    if (!isReplayedError(error)) throw error;
    return send(`${changeId}-${randomToken()}`);
  }
}

/** Reasons for which Stripe itself cancels an intent that was not captured in time. */
const EXPIRIES: readonly string[] = ['automatic', 'expired'];

function stateOf({ chargeId, processorPaymentId }: HoldRequest, intent: Stripe.PaymentIntent): HoldState | Unknown {
  // If a server or proxy responds twice, the next request on the connection gets the surplus response.
  const isOurs = intent.id === processorPaymentId && (intent.metadata?.[CHARGE_KEY] ?? chargeId) === chargeId;
  if (!isOurs) return unknown('answer_to_another');
  switch (intent.status) {
    case 'requires_capture':
      return { status: 'held', captureBefore: captureBeforeOf(intent) };
    case 'succeeded': {
      const captured = { amountCents: intent.amount_received, currency: intent.currency.toUpperCase() };
      return { status: 'captured', captured };
    }
    case 'canceled':
      return { status: EXPIRIES.includes(intent.cancellation_reason ?? '') ? 'expired' : 'voided' };
    default:
      return unknown(intent.status);
  }
}

/** docs.stripe.com/error-codes. For other states the intent itself is read. */
const FAILURES: HoldFailures = {
  amount_too_large: 'amount_too_large',
  capture_unauthorized_payment: 'not_capturable',
  payment_intent_unexpected_state: 'not_capturable',
  resource_missing: 'not_capturable',
};

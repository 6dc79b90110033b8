/** PaymentIntents of the fake Stripe, and how they change (docs.stripe.com/payments/paymentintents/lifecycle). */
import { AUTHENTICATION_FAILURE, stripeId, unexpectedState } from './fake-stripe-answers.ts';

export interface Intent {
  id: string;
  client_secret: string;
  created: number;
  amount: number;
  currency: string;
  status: string;
  confirmation_method: string;
  next_action: { type: string; use_stripe_sdk: object } | null;
  customer: string | null;
  setup_future_usage: 'off_session' | null;
  payment_method: string | null;
  metadata: Record<string, string>;
  last_payment_error: Record<string, unknown> | null;
  refunded: number;
  payment_method_options?: { card: { moto: true } };
}

/** A new intent, without a payment method. */
export function newIntent({ amount, currency, metadata }: Pick<Intent, 'amount' | 'currency' | 'metadata'>): Intent {
  const id = stripeId('pi');
  return {
    id,
    client_secret: stripeId(`${id}_secret`),
    created: Math.floor(Date.now() / 1_000),
    amount,
    currency,
    metadata,
    customer: null,
    confirmation_method: 'automatic',
    next_action: null,
    refunded: 0,
    status: 'requires_payment_method',
    setup_future_usage: null,
    payment_method: null,
    last_payment_error: null,
  };
}

/** The bank requires the payer to authenticate with Stripe.js. */
export function askPayer(intent: Intent, method: string): void {
  intent.status = 'requires_action';
  intent.payment_method = method;
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
}

/**
 * Stripe.js's message to Stripe when its dialog ends. "If the confirmation_method is manual … the PaymentIntent will
 * return to the requires_confirmation state after those actions are completed"
 * (docs.stripe.com/api/payment_intents/confirm).
 */
export function endDialog(intent: Intent, result: 'done' | 'refused'): void {
  if (intent.status !== 'requires_action' || intent.confirmation_method !== 'manual') {
    throw new Error(`Stripe.js throws: the PaymentIntent is ${intent.status}`);
  }
  intent.next_action = null;
  intent.status = result === 'done' ? 'requires_confirmation' : 'requires_payment_method';
  if (result === 'done') return;
  intent.payment_method = null;
  intent.last_payment_error = AUTHENTICATION_FAILURE;
}

/** docs.stripe.com/api/payment_intents/cancel */
const CANCELABLE = ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action'];

/** @throws StripeRefusal */
export function cancelIntent(intent: Intent): void {
  if (!CANCELABLE.includes(intent.status)) throw unexpectedState(intent.status);
  intent.status = 'canceled';
  intent.next_action = null;
}

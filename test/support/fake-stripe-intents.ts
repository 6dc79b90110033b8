/** PaymentIntents of the fake Stripe, and how they change (docs.stripe.com/payments/paymentintents/lifecycle). */
import { AUTHENTICATION_FAILURE, stripeId, tooMuchToCapture, unexpectedState } from './fake-stripe-answers.ts';

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
  capture_method: 'automatic' | 'manual';
  /** What was taken: all of it, or a part of a hold. */
  amount_received: number;
  /** What is held. */
  amount_capturable: number;
  cancellation_reason: string | null;
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
    capture_method: 'automatic',
    amount_received: 0,
    amount_capturable: 0,
    cancellation_reason: null,
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

/** @param reason given by us, or Stripe's own, such as `automatic`. @throws StripeRefusal */
export function cancelIntent(intent: Intent, reason: string): void {
  if (!CANCELABLE.includes(intent.status)) throw unexpectedState(intent.status);
  intent.status = 'canceled';
  intent.cancellation_reason = reason;
  intent.amount_capturable = 0;
  intent.next_action = null;
}

/** The payment was approved: the money is taken, or held with `capture_method: manual`. */
export function approveIntent(intent: Intent): void {
  const isHold = intent.capture_method === 'manual';
  intent.status = isHold ? 'requires_capture' : 'succeeded';
  if (isHold) intent.amount_capturable = intent.amount;
  else intent.amount_received = intent.amount;
}

/**
 * Captures a hold, once: the rest is released (docs.stripe.com/api/payment_intents/capture). @throws StripeRefusal
 */
export function captureIntent(intent: Intent, amount: number): void {
  if (intent.status !== 'requires_capture') throw unexpectedState(intent.status);
  if (amount > intent.amount_capturable) throw tooMuchToCapture();
  intent.status = 'succeeded';
  intent.amount_received = amount;
  intent.amount_capturable = 0;
}

/** Seven days: the window of most cards (docs.stripe.com/payments/place-a-hold-on-a-payment-method). */
const CAPTURE_WINDOW_SECONDS = 7 * 24 * 3_600;

/** The latest charge of an intent, as far as the product reads it. */
export function chargeObject({ id, created, capture_method }: Pick<Intent, 'id' | 'created' | 'capture_method'>) {
  const hold = capture_method === 'manual' && { capture_before: created + CAPTURE_WINDOW_SECONDS };
  return { id: `ch_of_${id}`, object: 'charge', payment_method_details: { type: 'card', card: { ...hold } } };
}

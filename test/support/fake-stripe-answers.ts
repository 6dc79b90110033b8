/** Answers of the fake Stripe, and its errors (docs.stripe.com/api/errors). */
import { randomInt } from 'node:crypto';
import type { VendorReply } from './fake-vendor-server.ts';

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new ID, such as `pi_3MtwBwLkdIwHu7ix28a3tqPa`. Has letters of both cases like Stripe's: one hexadecimal ID of 700
 * has 13 digits in a row that could be a card number, and the product withholds such an ID.
 */
export function stripeId(prefix: string): string {
  const characters = Array.from({ length: 24 }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]);
  return `${prefix}_${characters.join('')}`;
}

export function ok(body: object): VendorReply {
  return { status: 200, body, headers: { 'request-id': stripeId('req') } };
}

/** A 4xx. */
export class StripeRefusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message));
    this.reply = { status, body: { error: { type: 'invalid_request_error', ...error } } };
  }
}

export function missing(what: string, param = 'id'): StripeRefusal {
  return new StripeRefusal(what.startsWith('pi_') ? 404 : 400, {
    code: 'resource_missing',
    param,
    message: `No such object: '${what}'`,
  });
}

/** docs.stripe.com/error-codes#payment-intent-unexpected-state */
export function unexpectedState(status: string): StripeRefusal {
  const message = `This PaymentIntent's status is ${status}.`;
  return new StripeRefusal(400, { code: 'payment_intent_unexpected_state', message });
}

/** docs.stripe.com/error-codes#amount-too-large */
export function tooMuchToCapture(): StripeRefusal {
  const message = 'The provided amount_to_capture is greater than the amount this PaymentIntent can capture.';
  return new StripeRefusal(400, { code: 'amount_too_large', param: 'amount_to_capture', message });
}

/**
 * The error of an intent whose payer failed to authenticate
 * (docs.stripe.com/error-codes#payment-intent-authentication-failure).
 */
export const AUTHENTICATION_FAILURE = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
};

/** Declines with a separate `code`; the issuer's others are `card_declined` with a `decline_code`. */
const OWN_CODES = ['authentication_required', 'expired_card', 'incorrect_cvc', 'incorrect_number', 'processing_error'];

export function declineError(declineCode: string): Record<string, unknown> {
  const code = OWN_CODES.includes(declineCode) ? declineCode : 'card_declined';
  return {
    type: 'card_error',
    code,
    // Stripe sends a `decline_code` only with these codes.
    ...(['card_declined', 'incorrect_cvc', 'authentication_required'].includes(code)
      ? { decline_code: declineCode }
      : {}),
    message: 'Your card was declined.',
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
  };
}

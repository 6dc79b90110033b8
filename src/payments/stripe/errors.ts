/** Maps Stripe's errors to decline codes and answers (docs.stripe.com/declines/codes, docs.stripe.com/error-codes). */
import Stripe from 'stripe';
import type { DeclineCode } from '../../domain/charge.ts';
import { ConnectionLost } from '../no-retry.ts';
import { CREDENTIALS_REJECTED, type ProcessorAnswer } from '../ports.ts';
import { UnusableCredentials } from './client.ts';

/**
 * Every decline code of docs.stripe.com/declines/codes, and the card error codes that come without one. What Stripe asks
 * to be shown as a generic decline (fraudulent, merchant_blacklist) is one.
 */
const DECLINES: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: 'try_again_later',
  authentication_not_handled: 'generic_decline',
  authentication_required: 'generic_decline',
  call_issuer: 'do_not_honor',
  card_decline_rate_limit_exceeded: 'try_again_later',
  card_declined: 'generic_decline',
  card_not_supported: 'card_not_supported',
  card_velocity_exceeded: 'insufficient_funds',
  currency_not_supported: 'card_not_supported',
  do_not_honor: 'do_not_honor',
  do_not_try_again: 'do_not_honor',
  duplicate_transaction: 'generic_decline',
  expired_card: 'expired_card',
  fraudulent: 'generic_decline',
  generic_decline: 'generic_decline',
  incorrect_address: 'incorrect_zip',
  incorrect_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  incorrect_pin: 'generic_decline',
  incorrect_zip: 'incorrect_zip',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'incorrect_number',
  invalid_amount: 'generic_decline',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'incorrect_expiry',
  invalid_expiry_year: 'incorrect_expiry',
  invalid_number: 'incorrect_number',
  invalid_pin: 'generic_decline',
  issuer_not_available: 'try_again_later',
  lost_card: 'lost_card',
  merchant_blacklist: 'generic_decline',
  mobile_device_authentication_required: 'generic_decline',
  new_account_information_available: 'do_not_honor',
  no_action_taken: 'do_not_honor',
  not_permitted: 'card_not_supported',
  offline_pin_required: 'generic_decline',
  online_or_offline_pin_required: 'generic_decline',
  pickup_card: 'stolen_card',
  pin_try_exceeded: 'generic_decline',
  postal_code_invalid: 'incorrect_zip',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'stolen_card',
  revocation_of_all_authorizations: 'do_not_honor',
  revocation_of_authorization: 'do_not_honor',
  security_violation: 'do_not_honor',
  service_not_allowed: 'card_not_supported',
  stolen_card: 'stolen_card',
  stop_payment_order: 'do_not_honor',
  testmode_decline: 'card_not_supported',
  transaction_not_allowed: 'card_not_supported',
  try_again_later: 'try_again_later',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
};

/** @param codes from the most specific to the least, `decline_code` before `code` */
export function declineOf(...codes: (string | undefined)[]): DeclineCode {
  const known = codes.find((code) => code !== undefined && Object.hasOwn(DECLINES, code));
  return known === undefined ? 'generic_decline' : (DECLINES[known] ?? 'generic_decline');
}

/** docs.stripe.com/error-codes#lock-timeout */
const LOCK_TIMEOUT = 'lock_timeout';

type Failed = Exclude<ProcessorAnswer, { status: 'succeeded' }>;

/**
 * What an error says of a charge. No money moved: a card error; a request that Stripe refused (4xx), for it never began
 * or ended there; one over the rate limit, which comes before the idempotency layer (docs.stripe.com/error-low-level).
 * It may have: 409 (the same key is being worked on), another request under our key, 5xx, no answer, half of one; a 429
 * that is no rate limit: an object was locked for too long, and Stripe does not say how far the request had come.
 */
export function chargeFailure(error: unknown): Failed {
  const cause = causeOf(error);
  if (cause !== null) return { status: 'unknown', cause };
  if (error instanceof UnusableCredentials || rejectsCredentials(error)) return refused(CREDENTIALS_REJECTED);
  // An answer that is JSON and none of Stripe's breaks inside the package.
  if (!(error instanceof Stripe.errors.StripeError)) return { status: 'unknown', cause: 'answer' };
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    if (error.code === LOCK_TIMEOUT) return { status: 'unknown', cause: LOCK_TIMEOUT };
    return refused(error.code ?? 'rate_limit', 'try_again_later');
  }
  if (error instanceof Stripe.errors.StripeCardError) {
    const { decline_code: declineCode, code, payment_intent: intent } = error;
    // The package makes an empty text of a decline code that is not there.
    const processorCode = declineCode || code || null;
    return {
      status: 'declined',
      declineCode: declineOf(declineCode, code),
      processorCode,
      processorPaymentId: intent?.id ?? null,
    };
  }
  return refused(error.code ?? error.rawType ?? 'invalid_request_error');
}

/** The payment that an error names, if any. */
export function intentOf(error: unknown): Stripe.PaymentIntent | undefined {
  return error instanceof Stripe.errors.StripeError ? error.payment_intent : undefined;
}

function refused(processorCode: string, declineCode: DeclineCode = 'processing_error'): Failed {
  return { status: 'declined', declineCode, processorCode, processorPaymentId: null };
}

/** 401: no such key. 403: it may not do this, or the account is not (any more) connected. */
export function rejectsCredentials(error: unknown): boolean {
  return (
    error instanceof UnusableCredentials ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  );
}

/** Whether the key is valid, but may not do this. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Stripe.errors.StripePermissionError;
}

/** Why it is not known what became of a request; null when the error says it clearly. */
export function causeOf(error: unknown): string | null {
  if (error instanceof ConnectionLost) return error.reason;
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'idempotency_error';
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return error.detail instanceof ConnectionLost ? error.detail.reason : 'connection';
  }
  if (error instanceof Stripe.errors.StripeAPIError) {
    return error.statusCode === undefined ? 'no_json' : `http_${error.statusCode}`;
  }
  return null;
}

/** Whether Stripe says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Whether Stripe understood the request to keep a card, and refused it. */
export function isClearNo(error: unknown): boolean {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  return error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
}

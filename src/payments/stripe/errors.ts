/** Maps Stripe's errors to decline codes and answers (docs.stripe.com/declines/codes, docs.stripe.com/error-codes). */
import type Stripe from 'stripe';
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';

/**
 * All decline codes of docs.stripe.com/declines/codes, and the card error codes without one, by our code. A test finds
 * codes of the installed package that are missing here. Stripe asks to show some as a generic decline (fraudulent,
 * merchant_blacklist).
 */
const DECLINES: Readonly<Partial<Record<DeclineCode, string>>> = {
  try_again_later: 'approve_with_id card_decline_rate_limit_exceeded issuer_not_available try_again_later',
  authentication_required: `authentication_failure authentication_not_handled authentication_required
    payment_intent_authentication_failure setup_intent_authentication_failure`,
  generic_decline: `card_declined duplicate_transaction fraudulent generic_decline incorrect_pin invalid_amount invalid_pin
    merchant_blacklist mobile_device_authentication_required offline_pin_required online_or_offline_pin_required
    pin_try_exceeded`,
  do_not_honor: `call_issuer do_not_honor do_not_try_again new_account_information_available no_action_taken
    payment_method_restricted refer_to_customer revocation_of_all_authorizations revocation_of_authorization security_violation stop_payment_order`,
  card_not_supported: `card_not_supported currency_not_supported not_permitted service_not_allowed testmode_decline
    transaction_not_allowed`,
  insufficient_funds: 'card_velocity_exceeded insufficient_funds withdrawal_count_limit_exceeded',
  expired_card: 'expired_card expired_payment_method',
  incorrect_zip: 'incorrect_address incorrect_postal_code incorrect_zip postal_code_invalid',
  incorrect_cvc: 'incorrect_cvc invalid_cvc',
  incorrect_number: 'incorrect_number invalid_account invalid_number',
  incorrect_expiry: 'invalid_expiry_month invalid_expiry_year',
  lost_card: 'lost_card',
  stolen_card: 'pickup_card restricted_card stolen_card',
  processing_error: 'processing_error reenter_transaction',
};

/** Our decline code for Stripe's. */
export const BY_STRIPE_CODE: ReadonlyMap<string, DeclineCode> = new Map(
  Object.entries(DECLINES).flatMap(([ours, codes]) => codes.split(/\s+/).map((code) => [code, ours as DeclineCode])),
);

/** The decline of a card error, or of a payment's last error. @param id the payment, if there is one */
export function declineOf(
  { decline_code: declineCode, code }: Pick<Stripe.PaymentIntent.LastPaymentError, 'decline_code' | 'code'>,
  id: string | null,
): Declined {
  // The more specific one first. The package returns an empty text for a missing decline code.
  const codes = [declineCode, code].filter((text) => text);
  const known = codes.find((text) => BY_STRIPE_CODE.has(text ?? ''));
  return {
    status: 'declined',
    declineCode: BY_STRIPE_CODE.get(known ?? '') ?? 'generic_decline',
    processorCode: codes[0] ?? null,
    processorPaymentId: id,
  };
}

/** Errors about one of these parameters are the card's: a token that was used before, or a deleted card. */
const CARD_PARAMS = /^(?:payment_method|payment_method_data\[card\]\[token\]|confirmation_token|source|card)$/;
const CARD_CODES =
  /^(?:token_|payment_method_|card_|expired_(?:card|payment_method)|incorrect_|invalid_(?:card_type|cvc|expiry|number)|postal_)/;

/**
 * Whether a request was rejected because of its card. All other errors are the merchant's or ours: an account without
 * MOTO payments (`parameter_unknown`) or without access to card numbers (no code), or an amount below the minimum.
 */
function isCards({ code, param = '' }: Stripe.errors.StripeError): boolean {
  return CARD_PARAMS.test(param) || CARD_CODES.test(code ?? '');
}

/** docs.stripe.com/error-codes#lock-timeout */
export const LOCK_TIMEOUT = 'lock_timeout';
/** 409: another request with the key is being processed. For the package it is not an idempotency error. */
export const KEY_IN_USE = 'http_409';

/**
 * What an error says about a request. Nothing was done: a card error; a rejected request (4xx), which never began or
 * ended there; one over the rate limit, which comes before the idempotency layer (docs.stripe.com/error-low-level).
 * It may have been done: 409 (the same key is being processed), another request under our key, 5xx, no response or half
 * of one. Also a 429 that is not a rate limit: an object was locked for too long, and Stripe does not say how far the
 * request got.
 */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  // A JSON response that is not Stripe's breaks inside the package.
  if (!isStripeError(error)) return { kind: 'unknown', cause: 'answer' };
  const { type, code, rawType, statusCode } = error;
  const detail: unknown = error.detail;
  switch (type) {
    // 401: unknown key. 403: the key lacks the permission, or the account is not connected (any more).
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return { kind: 'credentials' };
    case 'StripeIdempotencyError':
      return { kind: 'unknown', cause: 'idempotency_error' };
    case 'StripeConnectionError':
      return detail instanceof NoAnswer ? faultOfNoAnswer(detail) : { kind: 'unknown', cause: 'connection' };
    case 'StripeAPIError':
      return { kind: 'unknown', cause: statusCode === undefined ? 'no_json' : `http_${statusCode}` };
    case 'StripeRateLimitError':
      return code === LOCK_TIMEOUT
        ? { kind: 'unknown', cause: LOCK_TIMEOUT }
        : { kind: 'rate_limit', code: code ?? 'rate_limit' };
    case 'StripeCardError':
      // The package treats every 402 as a card error.
      if (rawType !== 'card_error') return { kind: 'refused', code: code ?? null, type: rawType ?? 'payment_required' };
      return {
        kind: 'declined',
        code: code ?? null,
        answer: declineOf(error, (error.payment_intent ?? error.setup_intent)?.id ?? null),
      };
    default:
      if (isCards(error))
        return { kind: 'declined', code: code ?? null, answer: declinedUnpaid(code ?? rawType ?? null) };
      return { kind: 'refused', code: code ?? null, type: rawType ?? 'invalid_request_error' };
  }
}

/** Checked by its members, because the package with the class is loaded late. */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && 'rawType' in error;
}

/**
 * A 5xx that Stripe repeats for its idempotency key until the key is forgotten
 * (docs.stripe.com/api/idempotent_requests).
 */
export function isReplayedError(error: unknown): boolean {
  return isStripeError(error) && (error.statusCode ?? 0) >= 500 && error.headers?.['idempotent-replayed'] === 'true';
}

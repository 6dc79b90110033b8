/**
 * The error catalogue: every code of the interface with its HTTP status and advice. `errors.ts` adds the words for the
 * caller, in the caller's language. A `developer` error has none: the agent must not mention the payment.
 */
import type { CallerError } from '../languages/agent.ts';

export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'card_error',
  'processor_error',
  'idempotency_error',
  'rate_limit_error',
  'api_error',
] as const;
export const ADVICE_CODES = ['try_again_later', 'do_not_try_again', 'confirm_card_data'] as const;
export const AGENT_ACTIONS = ['retry_card', 'offer_different_card', 'send_link', 'end_call', 'escalate'] as const;

type ErrorType = (typeof ERROR_TYPES)[number];
export type AdviceCode = (typeof ADVICE_CODES)[number];
export type AgentAction = (typeof AGENT_ACTIONS)[number];

export interface ErrorEntry {
  status: number;
  type: ErrorType;
  audience: 'developer' | 'caller';
  /** For the developer who reads the response. A thrown error can replace it. */
  message: string;
  advice: AdviceCode;
  action: AgentAction | null;
}

type DeveloperEntry = ErrorEntry & { audience: 'developer' };
type CallerEntry = ErrorEntry & { audience: 'caller' };

/** An error of the integration. The agent says nothing. */
function developer(
  status: number,
  type: ErrorType,
  message: string,
  advice: AdviceCode = 'do_not_try_again',
): DeveloperEntry {
  return { status, type, audience: 'developer', message, advice, action: null };
}

/** A wrong request. The default status is 400. */
function wrongRequest(message: string, status = 400): DeveloperEntry {
  return developer(status, 'invalid_request_error', message);
}

/** An error that concerns the caller. Its words are in `languages/<tag>/agent.ts`. */
function caller(
  status: number,
  type: ErrorType,
  entry: Pick<ErrorEntry, 'message' | 'advice' | 'action'>,
): CallerEntry {
  return { status, type, audience: 'caller', ...entry };
}

export const CATALOGUE = {
  // Charges and routing.
  invalid_json: wrongRequest(
    'The body is not valid JSON. With the status 408 and the advice `try_again_later`, the request did not arrive in time, and nothing was done.',
  ),
  missing_required_fields: wrongRequest('A required parameter is missing.'),
  invalid_value: wrongRequest('A parameter has an invalid value.'),
  invalid_key: developer(
    401,
    'authentication_error',
    'The API key is missing, malformed or revoked, or its mode differs from the mode of the resource.',
  ),
  card_declined: caller(402, 'card_error', {
    message: 'The issuer declined the card.',
    advice: 'try_again_later',
    action: 'offer_different_card',
  }),
  instrument_not_authorized: developer(
    403,
    'permission_error',
    'The saved card does not belong to the caller of this session.',
  ),
  consent_missing: developer(
    403,
    'permission_error',
    'The card was not saved with `save_terms` `merchant_initiated` at this merchant, so it cannot be charged without the caller.',
  ),
  consent_exceeded: developer(
    403,
    'permission_error',
    'The amount is higher than the `max_amount_cents` that the caller agreed to.',
  ),
  session_not_found: wrongRequest('No checkout session of this account has this ID.', 404),
  instrument_not_found: caller(404, 'invalid_request_error', {
    message: 'This caller has no saved card with this ID.',
    advice: 'do_not_try_again',
    action: 'offer_different_card',
  }),
  not_found: wrongRequest('No operation has this path and method.', 404),
  processor_mismatch: caller(409, 'invalid_request_error', {
    message: "The saved card belongs to another processor than the merchant's.",
    advice: 'do_not_try_again',
    action: 'send_link',
  }),
  charge_details_mismatch: developer(
    409,
    'idempotency_error',
    'The idempotency key or the session was already used with different charge details. With the advice `try_again_later`, the first request with the key is still in progress.',
  ),
  session_expired: wrongRequest('The checkout session has expired.', 410),
  session_missing_consumer: wrongRequest('The checkout session has no caller.', 422),
  merchant_not_connected: wrongRequest('The merchant has not finished connecting its processor.', 422),
  merchant_credentials_invalid: caller(422, 'processor_error', {
    message:
      "The processor rejected this payment because of the merchant's account, its stored credentials or the request, not because of the card. `processor_code` is the processor's own code, if it sent one.",
    advice: 'do_not_try_again',
    action: null,
  }),
  needs_enrollment: caller(422, 'invalid_request_error', {
    message: 'The caller has no card that this merchant can charge. This is normal for a first-time caller.',
    advice: 'do_not_try_again',
    action: 'send_link',
  }),
  processor_unavailable: caller(424, 'processor_error', {
    message: 'The processor did not return an outcome. The charge may have succeeded: do not start another payment.',
    advice: 'try_again_later',
    action: null,
  }),
  rate_limit: caller(429, 'rate_limit_error', {
    message: 'Too many requests in a short time.',
    advice: 'try_again_later',
    action: null,
  }),

  // Holds.
  charge_not_authorized: wrongRequest('Only an `authorized` charge can be captured or voided.', 409),
  charge_already_captured: wrongRequest('The charge was already captured.', 409),
  charge_already_voided: wrongRequest('The charge was already voided.', 409),
  authorization_expired: wrongRequest(
    'The hold has expired, and nothing was taken. To take a payment, create another session.',
    409,
  ),
  capture_in_progress: developer(
    409,
    'invalid_request_error',
    'Another capture or void of this charge has no outcome yet. A webhook reports it.',
    'try_again_later',
  ),
  capture_amount_too_large: wrongRequest('`amount_cents` is more than the hold.'),
  partial_capture_unsupported: wrongRequest(
    "The charge's processor captures only whole holds. Omit `amount_cents`.",
    422,
  ),
  capture_refused: developer(
    422,
    'processor_error',
    'The processor refused the capture or void. `processor_code` is its own code, if it sent one. The charge is still authorized.',
  ),

  // Other operations.
  vendor_not_provisioned: wrongRequest("The merchant's account at the vendor has not been provisioned.", 422),
  merchant_not_found: wrongRequest('No merchant of this account has this ID.', 404),
  invalid_processor: wrongRequest('No processor with this name takes payments in this mode.'),
  invalid_credentials: wrongRequest('The processor rejected these credentials.', 422),
  invalid_payment_policy: wrongRequest('The payment policy must be one of never, optional, always, above.'),
  invalid_payment_policy_amount_cents: wrongRequest(
    'The payment policy `above` requires `payment_policy_amount_cents`, an integer from 1 to 99999999. Other policies do not accept it.',
  ),
  session_create_failed: developer(500, 'api_error', 'The checkout session could not be created.', 'try_again_later'),
  missing_checkout_session_id: wrongRequest('checkout_session_id is missing.'),
  order_lookup_failed: caller(424, 'api_error', {
    message: "The merchant's order source does not have this order, or did not answer.",
    advice: 'try_again_later',
    action: 'escalate',
  }),
  order_lookup_unsupported: wrongRequest('The merchant has no order source. Send amount_cents and omit order_id.', 422),
  missing_instrument_fields: wrongRequest('The card is missing a required field.'),
  card_save_failed: caller(422, 'card_error', {
    message: 'The processor did not save the card.',
    advice: 'do_not_try_again',
    action: 'offer_different_card',
  }),
  invalid_vault: wrongRequest('No vault has this name.'),
  key_not_found: wrongRequest('No key of this account has this ID.', 404),
  invalid_environment: wrongRequest('The environment must be test or live.'),
  invalid_url: wrongRequest('The URL must be https and its host must be public.'),
  invalid_events: wrongRequest('The events must be a list of known event types, each listed once.'),
  invalid_ttl: wrongRequest('ttl_seconds must be an integer from 60 to 86400.'),
  invalid_state_key: wrongRequest('The state key is not valid.'),
  not_configured: wrongRequest('This operation requires a setting that is not configured on this service.', 422),
  internal_error: developer(500, 'api_error', 'An internal error occurred on our side.', 'try_again_later'),
} satisfies Record<string, ErrorEntry> & Record<CallerError, CallerEntry>;

export type ErrorCode = keyof typeof CATALOGUE;
export const ERROR_CODES = Object.keys(CATALOGUE) as ErrorCode[];

/** Codes with words for the caller. `AgentWords.errors` has exactly these. */
export type CallerCode = {
  [C in ErrorCode]: (typeof CATALOGUE)[C]['audience'] extends 'caller' ? C : never;
}[ErrorCode];

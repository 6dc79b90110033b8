/**
 * The error catalogue: every code the interface knows, its status and copy, and the one function that makes the error
 * object. `developer` errors have nothing to speak (interface.md, Errors, rule 1): the agent must not raise payment.
 */
import { z } from 'zod';
import { DECLINE_CODES, type DeclineCode } from './charge.ts';
import { declineAdvice } from './declines.ts';
import { field } from './fields.ts';
import { type Said, SPOKEN_LANGUAGES, type SpokenDecline, type Translation, translationFor } from './translations.ts';

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

export type ErrorType = (typeof ERROR_TYPES)[number];
export type AdviceCode = (typeof ADVICE_CODES)[number];
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/** What the catalogue says of one code. */
export interface ErrorEntry {
  status: number;
  type: ErrorType;
  audience: 'developer' | 'caller';
  /** For the developer who reads the answer; a thrower may say it more exactly. */
  message: string;
  advice: AdviceCode;
  action: AgentAction | null;
  /** Spoken as it stands. */
  agentMessage: string | null;
  displayMessage: string | null;
}

/** An error that the integration causes: nothing to say on the call. */
function developer(
  status: number,
  type: ErrorType,
  message: string,
  advice: AdviceCode = 'do_not_try_again',
): ErrorEntry & { audience: 'developer' } {
  return {
    status,
    type,
    audience: 'developer',
    message,
    advice,
    action: null,
    agentMessage: null,
    displayMessage: null,
  };
}

/** A wrong request: 400 where not said otherwise. */
function wrongRequest(message: string, status = 400): ErrorEntry & { audience: 'developer' } {
  return developer(status, 'invalid_request_error', message);
}

/** An error that concerns the person on the call. */
function caller(
  status: number,
  type: ErrorType,
  entry: Omit<ErrorEntry, 'status' | 'type' | 'audience'>,
): ErrorEntry & { audience: 'caller' } {
  return { status, type, audience: 'caller', ...entry };
}

const CATALOGUE = {
  // Tied to the charge operation and to routing (interface.md's table, in its order).
  invalid_json: wrongRequest('The body is not valid JSON.'),
  missing_required_fields: wrongRequest('A required parameter is missing.'),
  invalid_value: wrongRequest('A parameter has a value that is not accepted.'),
  invalid_key: developer(
    401,
    'authentication_error',
    'The API key is missing, malformed or revoked, or its mode is not that of the resource.',
  ),
  card_declined: caller(402, 'card_error', {
    message: 'The issuer declined the card.',
    advice: 'try_again_later',
    action: 'offer_different_card',
    agentMessage: "I'm sorry, that card was declined. Would you like to use a different card?",
    displayMessage: 'Your card was declined. Please try a different card.',
  }),
  instrument_not_authorized: developer(
    403,
    'permission_error',
    'The saved card does not belong to the caller of this session.',
  ),
  session_not_found: wrongRequest('No checkout session of this account has that id.', 404),
  instrument_not_found: caller(404, 'invalid_request_error', {
    message: 'This caller has no saved card with that id.',
    advice: 'do_not_try_again',
    action: 'offer_different_card',
    agentMessage: "I'm sorry, I can't find that card on file. Would you like to use a different one?",
    displayMessage: 'That card is not on file. Please choose a different card.',
  }),
  not_found: wrongRequest('No operation has this path and method.', 404),
  processor_mismatch: caller(409, 'invalid_request_error', {
    message: "The saved card lives in another processor's wallet than this merchant's.",
    advice: 'do_not_try_again',
    action: 'send_link',
    agentMessage: "I can't use that card here, but I can text you a secure link to pay. Would that be all right?",
    displayMessage: 'That card cannot be used here. Please pay with the link we text you.',
  }),
  charge_details_mismatch: developer(
    409,
    'idempotency_error',
    'The idempotency key, or the session, was already used with other charge details. With the advice `try_again_later`: the first request with the key is still being worked on.',
  ),
  session_expired: wrongRequest('The checkout session has expired.', 410),
  session_missing_consumer: wrongRequest('No caller is attached to the checkout session.', 422),
  merchant_not_connected: wrongRequest('The merchant has not finished connecting its processor.', 422),
  merchant_credentials_invalid: caller(422, 'processor_error', {
    message: "The processor rejected the merchant's stored credentials.",
    advice: 'do_not_try_again',
    action: null,
    agentMessage: "I'm sorry, I can't take a payment right now. Nothing has been charged.",
    displayMessage: 'Payments are not available right now. You have not been charged.',
  }),
  needs_enrollment: caller(422, 'invalid_request_error', {
    message: 'The caller has no card that can be used at this merchant. Expected for a first-time caller.',
    advice: 'do_not_try_again',
    action: 'send_link',
    agentMessage:
      "I don't have a card on file for you here yet, so I can text you a secure link to pay. Shall I send it?",
    displayMessage: 'There is no card on file here yet. Please pay with the link we text you.',
  }),
  processor_unavailable: caller(424, 'processor_error', {
    message: 'The processor did not give an outcome. The charge may have settled: do not start another payment.',
    advice: 'try_again_later',
    action: null,
    agentMessage:
      "I couldn't confirm whether that payment went through, so please don't pay again. We'll text you as soon as we know.",
    displayMessage: 'We could not confirm your payment yet. Please do not pay again: we will text you once we know.',
  }),
  rate_limit: caller(429, 'rate_limit_error', {
    message: 'Too many requests in a short time.',
    advice: 'try_again_later',
    action: null,
    agentMessage: "I'm sorry, that didn't go through just now. Give me a moment, and we can try again.",
    displayMessage: 'Too many attempts. Please wait a moment and try again.',
  }),

  // The other defined codes (decisions.md: provisioning).
  vendor_not_provisioned: wrongRequest("The merchant's account at the vendor has not been provisioned.", 422),
  merchant_not_found: wrongRequest('No merchant of this account has that id.', 404),
  invalid_processor: wrongRequest('No such processor.'),
  invalid_credentials: wrongRequest('The processor rejected these credentials.', 422),
  invalid_payment_policy: wrongRequest('The payment policy is not one of never, optional, always, above.'),
  invalid_payment_policy_amount_cents: wrongRequest(
    'A payment policy `above`, and no other, needs payment_policy_amount_cents: an integer from 1 to 99999999.',
  ),
  session_create_failed: developer(500, 'api_error', 'The checkout session could not be opened.', 'try_again_later'),
  missing_checkout_session_id: wrongRequest('checkout_session_id is missing.'),
  order_lookup_failed: caller(424, 'api_error', {
    message: "The merchant's order source has no such order, or did not answer.",
    advice: 'try_again_later',
    action: 'escalate',
    agentMessage: "I'm sorry, I can't find that order right now, so I can't take the payment yet.",
    displayMessage: 'We could not find that order. You have not been charged.',
  }),
  order_lookup_unsupported: wrongRequest('The merchant has no order source: send amount_cents.', 422),
  missing_instrument_fields: wrongRequest('The card lacks a required field.'),
  card_save_failed: caller(422, 'card_error', {
    message: 'The processor did not save the card.',
    advice: 'do_not_try_again',
    action: 'offer_different_card',
    agentMessage: "I'm sorry, I couldn't save that card. Would you like to use a different one?",
    displayMessage: 'That card could not be saved. Please try a different card.',
  }),
  invalid_vault: wrongRequest('No such vault.'),
  key_not_found: wrongRequest('No key of this account has that id.', 404),
  invalid_environment: wrongRequest('The environment is not one of test, live.'),
  invalid_url: wrongRequest('The URL is not one that events can be delivered to: https, with a public host.'),
  invalid_events: wrongRequest('The events are not a list of known event kinds.'),
  invalid_ttl: wrongRequest('ttl_seconds is not an integer from 60 to 86400.'),
  invalid_state_key: wrongRequest('The state key is not valid.'),
  not_configured: wrongRequest('This operation needs a setting that the service does not have.', 422),
  internal_error: developer(500, 'api_error', 'Something went wrong on our side.', 'try_again_later'),
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof CATALOGUE;
export const ERROR_CODES = Object.keys(CATALOGUE) as ErrorCode[];

/** Codes that have words for the person on the call. */
export type CallerCode = {
  [C in ErrorCode]: (typeof CATALOGUE)[C]['audience'] extends 'caller' ? C : never;
}[ErrorCode];

/** Where a code's own words are of something else: of a payment, when it was a refund; of another try, when there is none. */
const OTHER_WORDS = {
  no_more_attempts: {
    agentMessage: "I'm sorry, I can't try another payment for this order right now. You haven't been charged.",
    displayMessage: 'No more attempts are possible right now. You have not been charged.',
  },
  refund_unavailable: {
    agentMessage: "I'm sorry, I can't give that money back right now. Nothing has been refunded.",
    displayMessage: 'Refunds are not available right now. Nothing has been refunded.',
  },
  refund_unknown: {
    agentMessage:
      "I couldn't confirm that refund yet. There's nothing more you need to do; it will be settled shortly.",
    displayMessage: 'We could not confirm the refund yet. It will be settled shortly; there is nothing for you to do.',
  },
} satisfies Record<string, Said>;
export type OtherWords = keyof typeof OTHER_WORDS;

/**
 * The catalogue's entry; for a decline, what this decline code changes of it.
 * @param language BCP 47, of the words for the person on the call; English where there are none in it
 */
export function errorEntry(
  code: ErrorCode,
  declineCode: DeclineCode | null = null,
  language: string | null = null,
): ErrorEntry {
  const entry: ErrorEntry = CATALOGUE[code];
  const advised =
    code === 'card_declined' && declineCode !== null ? { ...entry, ...declineAdvice(declineCode) } : entry;
  const translation = translationFor(language);
  return translation === null ? advised : { ...advised, ...translated(translation, code, declineCode) };
}

function translated(
  { errors, declines }: Translation,
  code: ErrorCode,
  declineCode: DeclineCode | null,
): Partial<Said> {
  const isTold = code === 'card_declined' && declineCode !== null && declineCode in declines;
  return isTold ? declines[declineCode as SpokenDecline] : code in errors ? errors[code as CallerCode] : {};
}

/** The body under `error` (and under `failure` of a failed charge). */
export const ErrorObject = z
  .object({
    type: field(z.enum(ERROR_TYPES), 'The family of the code.', 'card_error'),
    code: field(
      z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]),
      'What went wrong: branch on this, never on a message.',
      'card_declined',
    ),
    audience: field(
      z.enum(['developer', 'caller']),
      '`caller`: it concerns the person on the call. `developer`: the integration is at fault; there is nothing to say, and the agent does not raise payment.',
      'caller',
    ),
    message: field(z.string(), 'For the developer who reads a log. Never spoken.', 'The issuer declined the card.'),
    advice_code: field(
      z.enum(ADVICE_CODES),
      'For the program: whether the same request makes sense again. `confirm_card_data`: after the caller has checked what was keyed. Apart from `agent_action`: `do_not_try_again` with this card may still go with `offer_different_card`.',
      'try_again_later',
    ),
    agent_message: field(
      z.string().nullable(),
      `What the agent says, as it stands, in the merchant's language (\`${SPOKEN_LANGUAGES.join('`, `')}\`; English for any other). Null: say nothing.`,
      "I'm sorry, the bank didn't approve that amount on this card. Would you like to use a different card?",
    ),
    display_message: field(
      z.string().nullable(),
      'The same fact for a screen. Null where `agent_message` is.',
      'Your bank did not approve this amount. Please try a different card.',
    ),
    agent_action: field(
      z.enum(AGENT_ACTIONS).nullable(),
      'What the agent does next. `retry_card`: the same card, checked. `offer_different_card`: another saved one, the payment line, or a link. `send_link`: `send_link`. `end_call`: say goodbye. `escalate`: hand over to a person. Null: nothing to do.',
      'offer_different_card',
    ),
    doc_url: field(
      z.string(),
      'The code on the page of all codes.',
      'https://ringkey.example.com/docs/api-reference/error-codes#card_declined',
    ),
    request_id: field(
      z.string(),
      'The same as the `X-Request-Id` header; quote it when you ask for help. In an event: the event’s id.',
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    decline_code: field(
      z.string().optional(),
      `The issuer's reason, where it gave one: ${DECLINE_CODES.map((code) => `\`${code}\``).join(', ')}.`,
      'insufficient_funds',
    ),
    charge: field(z.string().optional(), 'The charge that the error concerns.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    param: field(
      z.string().optional(),
      'The field, parameter or header at fault: `metadata.table`, `Idempotency-Key`.',
      'amount_cents',
    ),
    processor_code: field(z.string().optional(), "The processor's own code, for its support.", 'insufficient_funds'),
    request_log_url: field(
      z.string().optional(),
      'Where an operator can see the request. Absent: this service has no dashboard.',
      'https://dashboard.example.com/requests/req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
  })
  .meta({ id: 'ErrorObject', description: 'What went wrong, whose business it is, and what an agent says and does.' });
export type ErrorObject = z.infer<typeof ErrorObject>;

/** What one failure adds to its catalogue entry. */
export interface ErrorFacts {
  /** Says it more exactly than the catalogue. Static text: never what the client sent. */
  message?: string;
  /** Where the catalogue's is not that of this case. */
  advice?: AdviceCode;
  /** What a person is told, where it is not the catalogue's words. */
  words?: OtherWords;
  /** The request's field at fault, `metadata.order`. */
  param?: string;
  declineCode?: DeclineCode;
  processorCode?: string;
  /** The charge that the error concerns. */
  charge?: string;
}

/** Where the error is told: the request's id, and the documentation's base URL. */
export interface ErrorContext {
  requestId: string;
  docsUrl: string;
  /** BCP 47, the merchant's; English where there is none. */
  language?: string | null;
}

/** The error object of the interface. */
export function errorObject(code: ErrorCode, facts: ErrorFacts, context: ErrorContext): ErrorObject {
  const language = context.language ?? null;
  const entry = errorEntry(code, facts.declineCode, language);
  const said = facts.words === undefined ? entry : (translationFor(language)?.other ?? OTHER_WORDS)[facts.words];
  return {
    type: entry.type,
    code,
    audience: entry.audience,
    message: facts.message ?? entry.message,
    advice_code: facts.advice ?? entry.advice,
    agent_message: said.agentMessage,
    display_message: said.displayMessage,
    agent_action: entry.action,
    doc_url: `${context.docsUrl}/api-reference/error-codes#${code}`,
    request_id: context.requestId,
    ...(facts.declineCode !== undefined && { decline_code: facts.declineCode }),
    ...(facts.charge !== undefined && { charge: facts.charge }),
    ...(facts.param !== undefined && { param: facts.param }),
    ...(facts.processorCode !== undefined && { processor_code: facts.processorCode }),
  };
}

/** How the answer differs from the entry's: a Retry-After header, another status (503 while we stop). */
export interface ApiErrorOptions extends ErrorFacts {
  status?: number;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A request that fails with a code of the catalogue. The one error handler turns it into the answer. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly facts: ErrorFacts;
  readonly retryAfterSeconds: number | null;
  /** BCP 47, the merchant's: what a person is told is in it. Null where no merchant is known. */
  language: string | null = null;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, retryAfterSeconds, cause, ...facts } = options;
    const entry = errorEntry(code);
    super(facts.message ?? entry.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status ?? entry.status;
    this.facts = facts;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/**
 * What fails in `work` is told to the person on the call in the merchant's language.
 * @param language BCP 47; asked for only where there is something to say. English where it is null, or cannot be found out
 */
export async function inLanguage<T>(
  language: string | null | (() => Promise<string | null>),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && errorEntry(error.code).audience === 'caller') {
      error.language = typeof language === 'function' ? await language().catch(() => null) : language;
    }
    throw error;
  }
}

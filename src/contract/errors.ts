/** Errors as they are answered and thrown: the one function that makes the error object, and the class that carries its code. */
import { z } from 'zod';
import { DECLINE_CODES, type DeclineCode } from '../domain/charge.ts';
import {
  ADVICE_CODES,
  type AdviceCode,
  AGENT_ACTIONS,
  type CallerCode,
  ERROR_CODES,
  ERROR_TYPES,
  type ErrorCode,
  errorEntry,
  type OtherWords,
  otherWords,
} from './error-catalogue.ts';
import { field } from './fields.ts';
import { SPOKEN_LANGUAGES } from './translations.ts';

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
  words?: OtherWords | CallerCode;
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
  const said = facts.words === undefined ? entry : otherWords(facts.words, language);
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
  /** Nothing was done, and the same request may do later: no Idempotency-Key keeps this answer. */
  isPassing?: boolean;
  cause?: unknown;
}

/** A request that fails with a code of the catalogue. The one error handler turns it into the answer. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly facts: ErrorFacts;
  readonly retryAfterSeconds: number | null;
  readonly isPassing: boolean;
  /** BCP 47, the merchant's: what a person is told is in it. Null where no merchant is known. */
  language: string | null = null;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, retryAfterSeconds, isPassing, cause, ...facts } = options;
    const entry = errorEntry(code);
    super(facts.message ?? entry.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status ?? entry.status;
    this.facts = facts;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.isPassing = isPassing ?? (this.status >= 500 || this.status === 429);
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

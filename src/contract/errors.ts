/** Errors: catalogue entries in the caller's language, the error object of an answer, and {@link ApiError}. */
import type { DeclineCode } from '../domain/charge.ts';
import { parseId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import type { CallerWords, OtherWordsName } from '../languages/agent.ts';
import { languageFor } from '../languages/index.ts';
import { declineAdvice, isMistyped, savedCardAdvice } from './declines.ts';
import {
  type AdviceCode,
  type AgentAction,
  CATALOGUE,
  type CallerCode,
  type ErrorCode,
  type ErrorEntry,
} from './error-catalogue.ts';
import type { ErrorObject } from './error-object.ts';

const NO_WORDS = { agentMessage: null, displayMessage: null };

/**
 * The catalogue's entry with its words for the caller, and with the changes that a decline code makes.
 * @param language BCP 47. English if it is not supported
 * @param isSavedCard a saved card was declined, so the caller has nothing to enter again
 */
export function errorEntry(
  code: ErrorCode,
  declineCode: DeclineCode | null = null,
  language: string | null = null,
  isSavedCard = false,
): ErrorEntry & (CallerWords | typeof NO_WORDS) {
  if (!isCallerCode(code)) return { ...CATALOGUE[code], ...NO_WORDS };
  const { errors, declines } = languageFor(language).agent;
  const entry = { ...CATALOGUE[code], ...errors[code] };
  if (code !== 'card_declined' || declineCode === null) return entry;
  if (isSavedCard && isMistyped(declineCode)) return { ...entry, ...savedCardAdvice(declineCode) };
  return { ...entry, ...declineAdvice(declineCode), ...(isKeyOf(declines, declineCode) && declines[declineCode]) };
}

/** The words for the caller. @param language BCP 47. English if it is not supported */
export function wordsOf(name: OtherWordsName | CallerCode, language: string | null): CallerWords {
  const { errors, other } = languageFor(language).agent;
  return isKeyOf(other, name) ? other[name] : errors[name];
}

function isCallerCode(code: ErrorCode): code is CallerCode {
  return CATALOGUE[code].audience === 'caller';
}

const isKeyOf = <T extends object>(object: T, key: PropertyKey): key is keyof T => Object.hasOwn(object, key);

/** What a failure changes or adds to its catalogue entry. */
export interface ErrorFacts {
  /** Replaces the catalogue's. Static text: never a value from the request. */
  message?: string;
  /** Replaces the catalogue's. */
  advice?: AdviceCode;
  /** Words for the caller that replace the code's: those of another code, or one of {@link OtherWordsName}. */
  words?: OtherWordsName | CallerCode;
  /** Replaces the catalogue's. */
  action?: AgentAction | null;
  /** The wrong field of the request, such as `metadata.order`. */
  param?: string;
  declineCode?: DeclineCode;
  /** A saved card was declined. */
  isSavedCard?: boolean;
  processorCode?: string;
  /** The charge that the error refers to. */
  charge?: string;
}

/** What the error object needs to know about the request. */
export interface ErrorContext {
  requestId: string;
  docsUrl: string;
  /** The request in the dashboard, if requests are logged. */
  requestLogUrl?: string;
  /** BCP 47. The default is English. */
  language?: string | null;
}

/** The error object of the interface. */
export function errorObject(code: ErrorCode, facts: ErrorFacts, context: ErrorContext): ErrorObject {
  const language = context.language ?? null;
  const entry = errorEntry(code, facts.declineCode, language, facts.isSavedCard);
  const words = facts.words === undefined ? entry : wordsOf(facts.words, language);
  return {
    type: entry.type,
    code,
    // Words for the caller make the error concern the caller, even if the code alone does not.
    audience: facts.words === undefined ? entry.audience : 'caller',
    message: facts.message ?? entry.message,
    advice_code: facts.advice ?? entry.advice,
    agent_message: words.agentMessage,
    display_message: words.displayMessage,
    agent_action: facts.action === undefined ? entry.action : facts.action,
    doc_url: `${context.docsUrl}/api-reference/error-codes#${code}`,
    request_id: context.requestId,
    ...(facts.declineCode !== undefined && { decline_code: facts.declineCode }),
    ...(facts.charge !== undefined && { charge: facts.charge }),
    ...(facts.param !== undefined && { param: facts.param }),
    ...(facts.processorCode !== undefined && { processor_code: facts.processorCode }),
    ...(context.requestLogUrl !== undefined && { request_log_url: context.requestLogUrl }),
  };
}

/** Differences of the answer from the catalogue's entry. */
export interface ApiErrorOptions extends ErrorFacts {
  status?: number;
  retryAfterSeconds?: number;
  /** A repeat of the request may get another answer, so this one is not stored for its Idempotency-Key. */
  isTemporary?: boolean;
  cause?: unknown;
}

/** 424: after a dependency failed, a repeat returns the outcome. 429: too many requests. */
const TEMPORARY: ReadonlySet<number> = new Set([424, 429]);

/** A failure with a code of the catalogue. The API's error handler answers with it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly facts: ErrorFacts;
  readonly retryAfterSeconds: number | null;
  readonly isTemporary: boolean;
  /** The caller's language, BCP 47. Null if it is unknown. */
  language: string | null = null;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, retryAfterSeconds, isTemporary, cause, ...facts } = options;
    const entry = errorEntry(code);
    super(facts.message ?? entry.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status ?? entry.status;
    this.facts = facts;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.isTemporary = isTemporary ?? (this.status >= 500 || TEMPORARY.has(this.status));
  }
}

/**
 * Runs `work`. If it fails with words for the caller, they are in the caller's language.
 * @param language BCP 47, looked up only for such a failure. English if it is null or the lookup fails
 */
export async function withErrorsIn<T>(
  language: string | null | (() => Promise<string | null>),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isSpoken = error instanceof ApiError && (errorEntry(error.code).audience === 'caller' || error.facts.words);
    if (isSpoken) {
      error.language = typeof language === 'function' ? await language().catch(() => null) : language;
    }
    throw error;
  }
}

export const otherModeOf = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

/**
 * For an object of the account in the mode that the key does not belong to.
 * @param mode of the key @param what such as "The merchant `mer_…`"
 */
export function ofOtherMode(mode: Mode, what = 'This resource'): ApiError {
  const other = otherModeOf(mode);
  const message = `${what} belongs to ${other} mode, but this key belongs to ${mode} mode. Use a key of ${other} mode.`;
  return new ApiError('invalid_key', { message });
}

/** @param text the ID from the request, repeated only if it is well-formed */
export function merchantNotFound(text: string): ApiError {
  const named = isShown(text) ? `the ID \`${text}\`` : 'this ID';
  const message = `No merchant of this account has ${named}. \`GET /v1/merchants\` lists the merchants of the key's mode.`;
  return new ApiError('merchant_not_found', { param: 'merchant_id', message });
}

/** @param id of a merchant of the account */
export const merchantOfOtherMode = (mode: Mode, id: string) => ofOtherMode(mode, `The merchant \`${id}\``);

/** A long run of digits may be a card number in the wrong field. */
const isShown = (text: string) => parseId('Merchant', text) !== null && !/\d{8}/.test(text);

/** Whether the service can text pay links in the mode. Check it before offering a link. */
export type CanSendLinks = (mode: Mode) => boolean;

const LINK_WORDS = {
  needs_enrollment: 'no_card_on_file',
  processor_mismatch: 'card_not_usable',
} as const satisfies Record<string, OtherWordsName>;

/** Codes that offer a link to the caller. */
export type LinkCode = keyof typeof LINK_WORDS;

/** Replaces the words and the action of such a code. Empty if a link can be sent. */
export function linkFacts(code: LinkCode, canSend: boolean): Pick<ErrorFacts, 'words' | 'action'> {
  return canSend ? {} : { words: LINK_WORDS[code], action: 'offer_different_card' };
}

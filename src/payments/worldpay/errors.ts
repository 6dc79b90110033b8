/**
 * Maps Access Worldpay's errors to decline codes and answers: refusal codes of a payment
 * (docs.worldpay.com/access/products/reference/refusal-response) and names of errors of a rejected request
 * (/reference/worldpay-error-responses).
 */
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type ErrorDetail, HttpError } from './client.ts';

/** Others are `generic_decline`. */
const REFUSALS: Readonly<Record<string, DeclineCode>> = {
  5: 'do_not_honor',
  14: 'incorrect_number',
  33: 'expired_card',
  41: 'lost_card',
  43: 'stolen_card',
  51: 'insufficient_funds',
  54: 'expired_card',
  // "INVALID SECURITY CODE OR Invalid PIN".
  55: 'incorrect_cvc',
  56: 'incorrect_number',
  57: 'card_not_supported',
  61: 'insufficient_funds',
  62: 'card_not_supported',
};

export function declineOf(code: string | null, id: string | null): Declined {
  const declineCode = REFUSALS[code ?? ''] ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode: code, processorPaymentId: id };
}

/** The payment's reference was used before, so the payment may exist. */
const DUPLICATES: readonly string[] = [
  'transactionReferenceIsADuplicate',
  'transactionHasAlreadyBeenProcessed',
  'transactionStageHasAlreadyBeenProcessed',
];

/** By the error's name, whichever field it is about. */
const BY_NAME: Readonly<Record<string, DeclineCode>> = {
  cardNumberIsNotRecognized: 'incorrect_number',
  underlyingPaymentInstrumentHasExpired: 'expired_card',
  paymentInstrumentIsNotSupported: 'card_not_supported',
};

/** By the last part of the rejected field. `href`: of a saved card. `sessionHref`: of the page, which can be used once. */
const BY_FIELD: readonly [RegExp, DeclineCode][] = [
  [/\.cardNumber$/, 'incorrect_number'],
  [/\.expiryDate(?:\.(?:month|year))?$/, 'incorrect_expiry'],
  [/\.cvc$/, 'incorrect_cvc'],
  [/\.paymentInstrument\.(?:href|sessionHref)$/, 'processing_error'],
];

/**
 * A 4xx is "a problem with the request which you must resolve. When you resolve the problem you can safely retry the call"
 * (error responses page), so nothing was done. A 5xx may be a timeout.
 */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof HttpError)) return { kind: 'unknown', cause: 'answer' };
  const { status, errorName, details } = error;
  if (status === 401) return { kind: 'credentials' };
  // Not Worldpay's own error, or not about the request.
  if (errorName === null || status >= 500 || status === 429) return { kind: 'unknown', cause: `http_${status}` };
  if (DUPLICATES.includes(errorName)) return { kind: 'unknown', cause: 'duplicate' };
  return rejectionOf([{ errorName }, ...details]);
}

function rejectionOf(errors: readonly ErrorDetail[]): Fault {
  const code = errors.at(-1)?.errorName ?? null;
  for (const { errorName, jsonPath = '' } of errors) {
    const declined = BY_NAME[errorName] ?? BY_FIELD.find(([field]) => field.test(jsonPath))?.[1];
    if (declined !== undefined)
      return { kind: 'declined', code: errorName, answer: declinedUnpaid(errorName, declined) };
  }
  return { kind: 'refused', code };
}

export const isDuplicate = (error: unknown) =>
  error instanceof HttpError && error.errorName !== null && DUPLICATES.includes(error.errorName);

export const isMissing = (error: unknown) =>
  error instanceof HttpError && error.status === 404 && error.errorName !== null;

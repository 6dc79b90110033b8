/**
 * Maps Checkout.com's errors to decline codes and answers: `response_code` of a declined payment
 * (checkout.com/docs/resources/codes/http-response-codes) and `error_codes` of a rejected request
 * (checkout.com/docs/previous/resources/codes/error-codes).
 */
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { HttpError } from './client.ts';

/** By the network's own code, the last two digits of `20xxx` and `30xxx`. All others are `generic_decline`. */
const DECLINES: Readonly<Record<string, DeclineCode>> = {
  20005: 'do_not_honor',
  20014: 'incorrect_number',
  20051: 'insufficient_funds',
  20054: 'expired_card',
  20057: 'card_not_supported',
  20061: 'insufficient_funds',
  20062: 'card_not_supported',
  // "Bad track data (invalid CVV and/or expiry date)".
  20087: 'incorrect_cvc',
  // 3-D Secure is required. Telephone orders are exempt.
  20154: 'authentication_required',
  30033: 'expired_card',
  30041: 'lost_card',
  30043: 'stolen_card',
};

export function declineOf(code: string | null, id: string | null): Declined {
  const declineCode = DECLINES[code ?? ''] ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode: code, processorPaymentId: id };
}

/** Beginnings of `error_codes` that are about the card or token. */
const CARD_ERRORS: readonly [RegExp, DeclineCode][] = [
  [/^card_number_/, 'incorrect_number'],
  [/^card_expiry_/, 'incorrect_expiry'],
  [/^card_expired/, 'expired_card'],
  [/^cvv_/, 'incorrect_cvc'],
  [/^(?:token|payment_source|source|card)_/, 'processing_error'],
];

/**
 * 422 is invalid data, and no payment is made of it (idempotency page: "if there was a validation error"). 429 is too many
 * requests, or another request with the same key that is still processed.
 */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof HttpError)) return { kind: 'unknown', cause: 'answer' };
  const { status, codes } = error;
  switch (status) {
    case 401:
      return { kind: 'credentials' };
    case 403:
    case 404:
      return { kind: 'refused', code: `http_${status}` };
    case 422:
      return invalidFault(codes);
    default:
      return { kind: 'unknown', cause: `http_${status}` };
  }
}

function invalidFault(codes: readonly string[]): Fault {
  const [code] = codes;
  // Not Checkout.com's error.
  if (code === undefined) return { kind: 'unknown', cause: 'http_422' };
  const declined = CARD_ERRORS.find(([form]) => form.test(code))?.[1];
  if (declined === undefined) return { kind: 'refused', code };
  return { kind: 'declined', code, answer: declinedUnpaid(code, declined) };
}

/** Causes that pass by themselves. */
export const LOCKS: readonly string[] = ['http_429'];

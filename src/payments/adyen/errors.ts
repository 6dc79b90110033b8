/**
 * Maps Adyen's errors to decline codes and answers: refusal reasons of a payment
 * (docs.adyen.com/development-resources/refusal-reasons) and `errorCode`s of a rejected request
 * (docs.adyen.com/development-resources/error-codes).
 */
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { HttpError } from './client.ts';

/** `refusalReasonCode`, its text in notifications, and our code. All others are `generic_decline`. */
const REFUSALS: readonly (readonly [string, string, DeclineCode])[] = [
  ['2', 'refused', 'do_not_honor'],
  ['4', 'acquirer error', 'processing_error'],
  ['6', 'expired card', 'expired_card'],
  ['8', 'invalid card number', 'incorrect_number'],
  ['9', 'issuer unavailable', 'try_again_later'],
  ['10', 'not supported', 'card_not_supported'],
  ['11', '3d not authenticated', 'authentication_required'],
  ['12', 'not enough balance', 'insufficient_funds'],
  ['24', 'cvc declined', 'incorrect_cvc'],
];

/** Our form of a refusal: Adyen's code. @param reason a code from a response, or a text from a notification */
export function refusalCodeOf(reason: string | null): string {
  const given = (reason ?? '').trim().toLowerCase();
  const [code] = REFUSALS.find(([code, text]) => code === given || text === given) ?? [];
  // Other texts are not passed on.
  return code ?? (/^\d{1,3}$/.test(given) ? given : 'refused');
}

/** @param reason as in {@link refusalCodeOf} */
export function declineOf(reason: string | null, id: string | null): Declined {
  const processorCode = refusalCodeOf(reason);
  const declineCode = REFUSALS.find(([code]) => code === processorCode)?.[2] ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode, processorPaymentId: id };
}

/** Codes that are about the card. 803: "PaymentDetail not found", a saved card that does not exist. */
const CARD_ERRORS: Readonly<Record<string, DeclineCode>> = {
  101: 'incorrect_number',
  103: 'incorrect_cvc',
  803: 'processing_error',
};

/** The same request is still being processed. */
const IN_PROGRESS = '704';

/** 400, 403 and 422: the request was rejected before it was processed (docs.adyen.com/development-resources/response-handling). */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof HttpError)) return { kind: 'unknown', cause: 'answer' };
  const { status, code } = error;
  if (status === 401) return { kind: 'credentials' };
  const isRejected = status === 400 || status === 403 || status === 422;
  if (!isRejected || code === null || code === IN_PROGRESS) return { kind: 'unknown', cause: `http_${status}` };
  const declined = CARD_ERRORS[code];
  if (declined === undefined) return { kind: 'refused', code };
  return { kind: 'declined', code, answer: declinedUnpaid(code, declined) };
}

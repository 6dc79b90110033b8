/** Maps Square's errors to decline codes and answers (developer.squareup.com/reference/square/objects/ErrorCode). */
import type { Square } from 'square';
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid, type Refused, refused } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';

/** The codes of a declined payment method. All others are `generic_decline`. */
const DECLINES: Partial<Record<Square.ErrorCode, DeclineCode>> = {
  ACCOUNT_UNUSABLE: 'card_not_supported',
  ADDRESS_VERIFICATION_FAILURE: 'incorrect_zip',
  BAD_EXPIRATION: 'incorrect_expiry',
  CARDHOLDER_INSUFFICIENT_PERMISSIONS: 'card_not_supported',
  CARD_DECLINED_CALL_ISSUER: 'do_not_honor',
  CARD_DECLINED_VERIFICATION_REQUIRED: 'authentication_required',
  // The bank requires 3-D Secure, and the payer has not passed it. Our page runs it when it creates the token.
  CARD_EXPIRED: 'expired_card',
  CARD_NOT_SUPPORTED: 'card_not_supported',
  CARD_PRESENCE_REQUIRED: 'card_not_supported',
  CARD_TOKEN_EXPIRED: 'processing_error',
  CARD_TOKEN_USED: 'processing_error',
  CHIP_INSERTION_REQUIRED: 'card_not_supported',
  CVV_FAILURE: 'incorrect_cvc',
  EXPIRATION_FAILURE: 'incorrect_expiry',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  INVALID_ACCOUNT: 'incorrect_number',
  INVALID_CARD: 'incorrect_number',
  INVALID_CARD_DATA: 'incorrect_number',
  INVALID_ENCRYPTED_CARD: 'processing_error',
  INVALID_EXPIRATION: 'incorrect_expiry',
  INVALID_EXPIRATION_DATE: 'incorrect_expiry',
  INVALID_EXPIRATION_YEAR: 'incorrect_expiry',
  INVALID_POSTAL_CODE: 'incorrect_zip',
  MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED: 'card_not_supported',
  PAN_FAILURE: 'incorrect_number',
  SOURCE_EXPIRED: 'processing_error',
  SOURCE_USED: 'processing_error',
  TEMPORARY_ERROR: 'try_again_later',
  TRANSACTION_LIMIT: 'insufficient_funds',
  UNSUPPORTED_CARD_BRAND: 'card_not_supported',
  UNSUPPORTED_ENTRY_METHOD: 'card_not_supported',
  UNSUPPORTED_INSTRUMENT_TYPE: 'card_not_supported',
  VERIFY_AVS_FAILURE: 'incorrect_zip',
  VERIFY_CVV_FAILURE: 'incorrect_cvc',
  VOICE_FAILURE: 'do_not_honor',
};

/** Codes of a payment that was rejected because of its seller, whatever the card. */
const SELLERS: readonly string[] = [
  'CURRENCY_MISMATCH',
  'INSUFFICIENT_PERMISSIONS',
  'INVALID_LOCATION',
  'PAYMENT_LIMIT_EXCEEDED',
] satisfies Square.ErrorCode[];

/** Codes of an invalid request that are about its card or token. */
const CARDS_OF_REQUEST: readonly string[] = [
  'NOT_FOUND',
  'CARD_TOKEN_EXPIRED',
  'CARD_TOKEN_USED',
  'SOURCE_EXPIRED',
  'SOURCE_USED',
  'INVALID_CARD_DATA',
] satisfies Square.ErrorCode[];

/** The outcome from a payment's errors. @param id the payment, if there is one */
export function failureOf(codes: readonly string[], id: string | null): Declined | Refused {
  const sellers = codes.find((code) => SELLERS.includes(code));
  return sellers === undefined ? declineOf(codes, id) : refused(sellers);
}

/** The most specific of several errors. @param id the payment, if there is one */
function declineOf(codes: readonly string[], id: string | null): Declined {
  const telling = codes.find((code): code is Square.ErrorCode => Object.hasOwn(DECLINES, code));
  return {
    status: 'declined',
    declineCode: (telling && DECLINES[telling]) ?? 'generic_decline',
    processorCode: telling ?? codes[0] ?? null,
    processorPaymentId: id,
  };
}

const UNSURE_STATUSES = [408, 409];
const UNSURE_CODES = ['IDEMPOTENCY_KEY_REUSED', 'REQUEST_TIMEOUT', 'CONFLICT'];

/** Only a 4xx with an error type that Square documents is a clear failure. */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  const { status, errors } = anatomy(error);
  if (status === undefined) return noAnswerOf(error);
  const codes = errors.map(({ code }) => code);
  const code = codes[0] ?? null;
  const unsure = codes.find((code) => UNSURE_CODES.includes(code));
  if (status < 400 || status >= 500 || UNSURE_STATUSES.includes(status) || unsure !== undefined) {
    return { kind: 'unknown', cause: unsure?.toLowerCase() ?? `http_${status}` };
  }
  switch (errors[0]?.category) {
    case 'AUTHENTICATION_ERROR':
      return { kind: 'credentials' };
    case 'RATE_LIMIT_ERROR':
      return { kind: 'rate_limit', code: 'RATE_LIMITED' };
    case 'PAYMENT_METHOD_ERROR': {
      const answer = failureOf(codes, paymentIdOf(error));
      if (answer.status === 'refused') return { kind: 'refused', code: answer.processorCode };
      return { kind: 'declined', code, answer };
    }
    case 'INVALID_REQUEST_ERROR':
      if (CARDS_OF_REQUEST.includes(code ?? '')) return { kind: 'declined', code, answer: declinedUnpaid(code) };
      return { kind: 'refused', code };
    case 'REFUND_ERROR':
      return { kind: 'refused', code };
    default:
      return { kind: 'unknown', cause: `http_${status}` };
  }
}

/** Of an object that was requested by its ID. In a payment, it means the card. */
export function isNotFound(error: unknown): boolean {
  const { status, errors } = anatomy(error);
  return status === 404 && errors[0]?.code === 'NOT_FOUND';
}

interface Anatomy {
  status?: number;
  errors: readonly { category?: string; code: string }[];
}

/** Checked by its members, because the package with the class is loaded late. */
function anatomy(error: unknown): Anatomy {
  if (!(error instanceof Error) || !('statusCode' in error) || !('errors' in error)) return { errors: [] };
  const { statusCode, errors } = error;
  return {
    ...(typeof statusCode === 'number' && { status: statusCode }),
    errors: Array.isArray(errors) ? (errors as Anatomy['errors']) : [],
  };
}

function noAnswerOf(error: unknown): Fault {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  return cause instanceof NoAnswer ? faultOfNoAnswer(cause) : { kind: 'unknown', cause: 'connection' };
}

/** The ID of a declined payment, from its error. The names are the API's. */
function paymentIdOf(error: unknown): string | null {
  const body = error instanceof Error && 'body' in error ? error.body : null;
  const payment = (body as { payment?: { id?: unknown } } | null)?.payment;
  return typeof payment?.id === 'string' ? payment.id : null;
}

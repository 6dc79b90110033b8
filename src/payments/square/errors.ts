/** Maps Square's errors to decline codes and answers (developer.squareup.com/reference/square/objects/ErrorCode). */
import type { Square } from 'square';
import type { DeclineCode } from '../../domain/charge.ts';
import { ConnectionLost } from '../no-retry.ts';
import { CREDENTIALS_REJECTED, type ProcessorAnswer } from '../ports.ts';
import { UnusableCredentials } from './client.ts';

/** The codes of a payment method that was declined; every other is `generic_decline`. */
const DECLINES: Partial<Record<Square.ErrorCode, DeclineCode>> = {
  ACCOUNT_UNUSABLE: 'card_not_supported',
  ADDRESS_VERIFICATION_FAILURE: 'incorrect_zip',
  BAD_EXPIRATION: 'incorrect_expiry',
  CARDHOLDER_INSUFFICIENT_PERMISSIONS: 'card_not_supported',
  CARD_DECLINED_CALL_ISSUER: 'do_not_honor',
  CARD_EXPIRED: 'expired_card',
  CARD_NOT_SUPPORTED: 'card_not_supported',
  CARD_PRESENCE_REQUIRED: 'card_not_supported',
  CARD_TOKEN_EXPIRED: 'processing_error',
  CARD_TOKEN_USED: 'processing_error',
  CHIP_INSERTION_REQUIRED: 'card_not_supported',
  CURRENCY_MISMATCH: 'processing_error',
  CVV_FAILURE: 'incorrect_cvc',
  EXPIRATION_FAILURE: 'incorrect_expiry',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  INSUFFICIENT_PERMISSIONS: 'processing_error',
  INVALID_ACCOUNT: 'incorrect_number',
  INVALID_CARD: 'incorrect_number',
  INVALID_CARD_DATA: 'incorrect_number',
  INVALID_ENCRYPTED_CARD: 'processing_error',
  INVALID_EXPIRATION: 'incorrect_expiry',
  INVALID_EXPIRATION_DATE: 'incorrect_expiry',
  INVALID_EXPIRATION_YEAR: 'incorrect_expiry',
  INVALID_LOCATION: 'processing_error',
  INVALID_POSTAL_CODE: 'incorrect_zip',
  MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED: 'card_not_supported',
  PAN_FAILURE: 'incorrect_number',
  PAYMENT_LIMIT_EXCEEDED: 'processing_error',
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

/** Of several errors, the most specific one. */
export function declineOf(codes: readonly string[]): { declineCode: DeclineCode; processorCode: string | null } {
  const telling = codes.find((code) => Object.hasOwn(DECLINES, code));
  const declineCode = telling === undefined ? undefined : DECLINES[telling as Square.ErrorCode];
  return { declineCode: declineCode ?? 'generic_decline', processorCode: telling ?? codes[0] ?? null };
}

/** The kind of an error, for every request. */
export type Fault =
  /** It may have been done. */
  | { kind: 'unknown'; cause: string }
  | { kind: 'credentials' }
  | { kind: 'rate_limit' }
  /** The card's. */
  | { kind: 'declined'; codes: string[] }
  /** An error of our request, or of the payment that it names. */
  | { kind: 'refused'; codes: string[] };

const UNSURE_STATUSES = [408, 409];
const UNSURE_CODES = ['IDEMPOTENCY_KEY_REUSED', 'REQUEST_TIMEOUT', 'CONFLICT'];

/** Only a 4xx with an error of a kind that Square documents is a clear no. */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  const { status, errors } = anatomy(error);
  if (status === undefined) return { kind: 'unknown', cause: reasonOf(error) };
  const codes = errors.map(({ code }) => code);
  const unsure = codes.find((code) => UNSURE_CODES.includes(code));
  if (status < 400 || status >= 500 || UNSURE_STATUSES.includes(status) || unsure !== undefined) {
    return { kind: 'unknown', cause: unsure?.toLowerCase() ?? `http_${status}` };
  }
  switch (errors[0]?.category) {
    case 'AUTHENTICATION_ERROR':
      return { kind: 'credentials' };
    case 'RATE_LIMIT_ERROR':
      return { kind: 'rate_limit' };
    case 'PAYMENT_METHOD_ERROR':
      return { kind: 'declined', codes };
    case 'INVALID_REQUEST_ERROR':
    case 'REFUND_ERROR':
      return { kind: 'refused', codes };
    default:
      return { kind: 'unknown', cause: `http_${status}` };
  }
}

type Failed = Exclude<ProcessorAnswer, { status: 'succeeded' }>;

export function chargeFailure(error: unknown): Failed {
  const fault = faultOf(error);
  const nothing = { processorPaymentId: null } as const;
  switch (fault.kind) {
    case 'unknown':
      return { status: 'unknown', cause: fault.cause };
    case 'credentials':
      return { ...nothing, status: 'declined', declineCode: 'processing_error', processorCode: CREDENTIALS_REJECTED };
    case 'rate_limit':
      return { ...nothing, status: 'declined', declineCode: 'try_again_later', processorCode: 'RATE_LIMITED' };
    case 'declined':
      return { ...nothing, status: 'declined', ...declineOf(fault.codes), processorPaymentId: paymentIdOf(error) };
    case 'refused': {
      const processorCode = fault.codes[0] ?? null;
      return { ...nothing, status: 'declined', declineCode: 'processing_error', processorCode };
    }
  }
}

interface Anatomy {
  status: number | undefined;
  errors: readonly { category?: string; code: string }[];
}

/** By its members: the class is in the package, which is loaded late. */
function anatomy(error: unknown): Anatomy {
  if (!(error instanceof Error) || !('statusCode' in error) || !('errors' in error)) {
    return { status: undefined, errors: [] };
  }
  const { statusCode, errors } = error;
  const list = Array.isArray(errors) ? (errors as Anatomy['errors']) : [];
  return { status: typeof statusCode === 'number' ? statusCode : undefined, errors: list };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ConnectionLost ? cause.reason : 'connection';
}

/** The id of a declined payment, which comes with its error; the names are the API's. */
function paymentIdOf(error: unknown): string | null {
  const body = error instanceof Error && 'body' in error ? error.body : null;
  const payment = (body as { payment?: { id?: unknown } } | null)?.payment;
  return typeof payment?.id === 'string' ? payment.id : null;
}

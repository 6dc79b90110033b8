/**
 * Maps Braintree's errors to decline codes and answers: processor responses of a declined transaction
 * (developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses), reasons of a gateway
 * rejection, and validation errors (…/reference/general/validation-errors/all; braintree_node, validation_error_codes.js).
 */
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid } from '../port/answers.ts';
import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { GraphqlError } from './client.ts';

/** By processor response. All others are `generic_decline`. */
const DECLINES: Readonly<Record<string, DeclineCode>> = {
  2000: 'do_not_honor',
  2001: 'insufficient_funds',
  2002: 'insufficient_funds',
  2003: 'insufficient_funds',
  2004: 'expired_card',
  2005: 'incorrect_number',
  2006: 'incorrect_expiry',
  2008: 'incorrect_number',
  2010: 'incorrect_cvc',
  2012: 'lost_card',
  2013: 'stolen_card',
  2024: 'card_not_supported',
  2053: 'lost_card',
  2059: 'incorrect_zip',
  2060: 'incorrect_zip',
  2099: 'authentication_required',
  3000: 'try_again_later',
};

export function declineOf(code: string | null, id: string): Declined {
  const declineCode = DECLINES[code ?? ''] ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode: code, processorPaymentId: id };
}

/** Reasons of the gateway's own rules that are about the card. */
const REJECTIONS: Readonly<Record<string, DeclineCode>> = {
  AVS: 'incorrect_zip',
  CVV: 'incorrect_cvc',
  AVS_AND_CVV: 'incorrect_cvc',
  THREE_D_SECURE: 'authentication_required',
};

/** Reasons that are about the merchant's account. */
const ACCOUNT_REJECTIONS: readonly string[] = ['APPLICATION_INCOMPLETE', 'MANUAL_TRANSACTIONS_DISABLED'];

export const isOfAccount = (reason: string) => ACCOUNT_REJECTIONS.includes(reason);

export function rejectionOf(reason: string, id: string): Declined {
  const declineCode = REJECTIONS[reason] ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode: reason, processorPaymentId: id };
}

/** Validation errors about the card or token. */
const CARD_ERRORS: Readonly<Partial<Record<DeclineCode, readonly number[]>>> = {
  incorrect_number: [81714, 81715, 81716, 81717, 81750],
  incorrect_expiry: [81709, 81710, 81711, 81712, 81713],
  incorrect_cvc: [81706, 81707, 81736],
  incorrect_zip: [81737],
  card_not_supported: [81703, 91517, 91567, 91577, 91734],
  // A token or saved card that is unknown, used or locked.
  processing_error: [91518, 91564, 91565, 91566, 91569, 91731, 91732, 91733, 93107, 93108, 93109],
};

const CARD_ERROR_OF = new Map(
  Object.entries(CARD_ERRORS).flatMap(([decline, codes]) =>
    codes.map((code) => [String(code), decline as DeclineCode]),
  ),
);

/** A validation error means that nothing was started. The classes are those of braintree_node, graphql.js. */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof GraphqlError)) return { kind: 'unknown', cause: 'answer' };
  const { errorClass, code } = error;
  switch (errorClass) {
    case 'AUTHENTICATION':
    case 'AUTHORIZATION':
      return { kind: 'credentials' };
    case 'RESOURCE_LIMIT':
      return { kind: 'rate_limit', code: errorClass };
    case 'NOT_FOUND':
    case 'UNSUPPORTED_CLIENT':
      return { kind: 'refused', code: code ?? errorClass };
    case 'VALIDATION': {
      const decline = CARD_ERROR_OF.get(code ?? '');
      if (decline === undefined) return { kind: 'refused', code: code ?? errorClass };
      return { kind: 'declined', code, answer: declinedUnpaid(code, decline) };
    }
    default:
      return { kind: 'unknown', cause: errorClass === '' ? 'answer' : errorClass };
  }
}

export const NOT_FOUND = 'NOT_FOUND';

/**
 * Maps Authorize.net's errors to decline codes and answers. Two lists of codes
 * (developer.authorize.net/api/reference/responseCodes.html): `E…` for a request that was rejected as a whole, and response
 * reason codes for a transaction.
 */
import type { DeclineCode } from '../../domain/charge.ts';
import { type Declined, declinedUnpaid, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import { chargeFailure, type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { RequestRejected } from './client.ts';

/** Invalid or inactive login, or no permission for the operation. */
const CREDENTIALS = ['E00005', 'E00006', 'E00007', 'E00008', 'E00010', 'E00011'];
/** A token of Accept.js that is unknown, used or another merchant's; a saved card that was deleted. */
const CARDS = ['E00040', 'E00114', 'E00116'];
/**
 * The request was rejected before anything was done: it is malformed, or the account lacks the service. E00001 (system
 * error), E00049 (timeout), E00053 and E00104 (busy) are not among them: their outcome is unknown.
 */
const REJECTED = [
  'E00002',
  'E00003',
  'E00004',
  'E00009',
  'E00013',
  'E00014',
  'E00015',
  'E00016',
  'E00029',
  'E00039',
  'E00041',
  'E00042',
  'E00044',
  'E00045',
  'E00051',
  'E00059',
  'E00060',
  'E00099',
  'E00100',
  'E00101',
  'E00102',
  'E00103',
];

export const RECORD_NOT_FOUND = 'E00040';
export const RECORD_EXISTS = 'E00039';

export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof RequestRejected)) return { kind: 'unknown', cause: 'answer' };
  return rejectionFault(error.code);
}

export function rejectionFault(code: string): Fault {
  if (CREDENTIALS.includes(code)) return { kind: 'credentials' };
  if (CARDS.includes(code)) return { kind: 'declined', code, answer: declinedUnpaid(code) };
  return REJECTED.includes(code) ? { kind: 'refused', code } : { kind: 'unknown', cause: code };
}

/** Declines by the issuer, and errors about the card or account, by our code. Others of a decline are `generic_decline`. */
const DECLINES: Readonly<Partial<Record<DeclineCode, readonly number[]>>> = {
  // 3: refer to the issuer.
  do_not_honor: [3],
  stolen_card: [4],
  // 9, 10: a bank's routing number, an account number.
  incorrect_number: [6, 9, 10, 37, 315],
  incorrect_expiry: [7, 316],
  expired_card: [8, 317],
  card_not_supported: [17, 28],
  incorrect_zip: [27, 45, 127],
  incorrect_cvc: [44, 65, 78, 165],
  // 101: name or type do not match the bank account. 128: the bank does not allow transactions for it.
  generic_decline: [101, 128],
  // 153: a token that is unknown or was used.
  processing_error: [153],
  // "Please try again": it was not processed.
  try_again_later: [19, 20, 21, 22, 23, 25, 26, 57, 58, 59, 60, 61, 62, 63, 901],
};

const BY_REASON = new Map(
  Object.entries(DECLINES).flatMap(([code, reasons]) => reasons.map((reason) => [String(reason), code as DeclineCode])),
);

/** 318: the processor behind Authorize.net compares, too. */
export const DUPLICATES: readonly string[] = ['11', '318'];
/** The login is invalid or inactive. */
const LOGIN_REASONS: readonly string[] = ['13', '32', '123', '130'];
/** The original timed out at the processor, or its own void failed. It is looked up. */
const UNSURE_REASONS: readonly string[] = ['0', '36', '52', '120', '121', '122', '152', '180', '181', '192'];

export const isUnsure = (reason: string) => UNSURE_REASONS.includes(reason);

/** The decline of a transaction. @param id null if it was not recorded */
export function declineOf(reason: string, id: string | null): Declined {
  const declineCode = BY_REASON.get(reason) ?? 'generic_decline';
  return { status: 'declined', declineCode, processorCode: reason, processorPaymentId: id };
}

/** The answer to a transaction with an error (response code 3): nothing was taken, or it is unknown. */
export function errorAnswer(reason: string, id: string | null): ProcessorAnswer {
  if (isUnsure(reason)) return unknown(`reason_${reason}`);
  if (LOGIN_REASONS.includes(reason)) return chargeFailure({ kind: 'credentials' });
  return BY_REASON.has(reason) ? declineOf(reason, id) : refused(reason);
}

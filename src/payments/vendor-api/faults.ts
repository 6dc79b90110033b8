/** Maps the errors of vendors' packages to one form, and to the answer for each kind of request. */
import type { z } from 'zod';
import {
  CREDENTIALS_REJECTED,
  type Declined,
  declinedUnpaid,
  type Refused,
  refused,
  type Unknown,
  unknown,
} from '../port/answers.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { RefundAnswer } from '../port/refunds.ts';
import type { SavedCardAnswer } from '../port/saved-cards.ts';
import type { NoAnswer, Passing } from './no-retry.ts';

/** The kind of an error, for every request. `code`: the vendor's. */
export type Fault =
  /** It may have been done. */
  | { kind: 'unknown'; cause: string }
  /** No connection was made, so it was not done. */
  | { kind: 'not_connected'; cause: string }
  | { kind: 'credentials' }
  | { kind: 'rate_limit'; code: string }
  /** The card was declined. */
  | { kind: 'declined'; code: string | null; answer: Declined }
  /**
   * An error of the merchant's account, our request, or the payment it names. `type`: the vendor's error type if there
   * is no code.
   */
  | { kind: 'refused'; code: string | null; type?: string };

/** The credentials do not have this mode's format. Nothing was sent. */
export class UnusableCredentials extends Error {
  constructor() {
    super('the stored credentials of the processor are unusable');
    this.name = 'UnusableCredentials';
  }
}

/** Decrypted, for one call. */
export function plainOf(credentials: Credentials): PlainCredentials {
  return Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.reveal(String)]));
}

/** Decrypted, for one call. @throws UnusableCredentials */
export function revealCredentials<T>(schema: z.ZodType<T>, credentials: Credentials): T {
  const { success, data } = schema.safeParse(plainOf(credentials));
  if (!success) throw new UnusableCredentials();
  return data;
}

/** Why an answer is unknown, for the log. */
export function causeOf(fault: Fault): string {
  return 'cause' in fault ? fault.cause : fault.kind;
}

/** A request without a response. */
export function faultOfNoAnswer({ reason, neverSent }: NoAnswer): Fault {
  return { kind: neverSent ? 'not_connected' : 'unknown', cause: reason };
}

/**
 * Whether the same request may succeed if retried.
 * @param locks causes that pass by themselves and leave the outcome open
 */
export function passes(fault: Fault, locks: readonly string[] = []): Passing {
  if (fault.kind === 'rate_limit' || fault.kind === 'not_connected') return 'no';
  // Rejected before the idempotency key is checked.
  if (fault.kind === 'credentials') return 'unseen';
  return fault.kind === 'unknown' && locks.includes(fault.cause) ? 'unsure' : null;
}

export function chargeFailure(fault: Fault): Declined | Refused | Unknown {
  switch (fault.kind) {
    case 'unknown':
      return unknown(fault.cause);
    case 'credentials':
      return refused(CREDENTIALS_REJECTED);
    case 'not_connected':
      return declinedUnpaid('not_connected', 'try_again_later');
    case 'rate_limit':
      return declinedUnpaid(fault.code, 'try_again_later');
    case 'declined':
      return fault.answer;
    case 'refused':
      return refused(fault.code ?? fault.type ?? null);
  }
}

type RefundFailed = Extract<RefundAnswer, { status: 'failed' }>;

/** Reasons of refused refunds, by the vendor's code. */
export type RefundFailures = Readonly<Record<string, RefundFailed['reason']>>;

/** @param otherwise the reason for any other code */
export function refundFailure(
  fault: Fault,
  reasons: RefundFailures,
  otherwise: RefundFailed['reason'] = 'refused',
): RefundFailed | Unknown {
  switch (fault.kind) {
    case 'unknown':
    case 'not_connected':
    case 'rate_limit':
      // It was not started, and can be later: the resolver looks it up and resends it.
      return unknown(causeOf(fault));
    case 'credentials':
      return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
    case 'declined':
    case 'refused':
      return { status: 'failed', reason: reasons[fault.code ?? ''] ?? otherwise, processorCode: fault.code };
  }
}

/** A card counts as refused only if the vendor understood the request to save it. */
export function saveFailure({ kind }: Fault): SavedCardAnswer {
  return { status: kind === 'declined' || kind === 'refused' ? 'refused' : 'unavailable' };
}

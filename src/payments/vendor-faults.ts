/**
 * What an error of a vendor's package means, in one form for all vendors, and what follows from it for each request.
 */
import type { z } from 'zod';
import type { NoAnswer, Passing } from './no-retry.ts';
import {
  CREDENTIALS_REJECTED,
  type Credentials,
  type Declined,
  declinedUnpaid,
  type PlainCredentials,
  type RefundAnswer,
  type Refused,
  refused,
  type SavedCardAnswer,
  type Unknown,
  unknown,
} from './ports.ts';

/** The kind of an error, for every request. `code`: the vendor's. */
export type Fault =
  /** It may have been done. */
  | { kind: 'unknown'; cause: string }
  /** The connection was never made: it was not done. */
  | { kind: 'not_connected'; cause: string }
  | { kind: 'credentials' }
  | { kind: 'rate_limit'; code: string }
  /** The card's. */
  | { kind: 'declined'; code: string | null; answer: Declined }
  /**
   * An error of the merchant's account, of our request, or of the payment that it names. `type`: the vendor's kind of
   * an error that has no code.
   */
  | { kind: 'refused'; code: string | null; type?: string };

/** The credentials have not the form of this mode's. Nothing was sent. */
export class UnusableCredentials extends Error {
  constructor() {
    super('the stored credentials of the processor are unusable');
    this.name = 'UnusableCredentials';
  }
}

/** In the clear, for one call. */
export function plainOf(credentials: Credentials): PlainCredentials {
  return Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.reveal(String)]));
}

/** In the clear, for one call. @throws UnusableCredentials */
export function revealCredentials<T>(schema: z.ZodType<T>, credentials: Credentials): T {
  const { success, data } = schema.safeParse(plainOf(credentials));
  if (!success) throw new UnusableCredentials();
  return data;
}

/** Why an answer is unknown, for the log. */
export function causeOf(fault: Fault): string {
  return 'cause' in fault ? fault.cause : fault.kind;
}

/** Of a request that got no answer. */
export function faultOfNoAnswer({ reason, neverSent }: NoAnswer): Fault {
  return { kind: neverSent ? 'not_connected' : 'unknown', cause: reason };
}

/** Whether the same request, asked again, may do better. @param locks causes that pass, and leave open what was done */
export function passes(fault: Fault, locks: readonly string[] = []): Passing {
  if (fault.kind === 'rate_limit' || fault.kind === 'not_connected') return 'no';
  // Refused at the door, before the idempotency key is looked at.
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

/** Why a refund was refused, by the vendor's code. */
export type RefundFailures = Readonly<Record<string, RefundFailed['reason']>>;

/** @param otherwise of a code that is not among `reasons` */
export function refundFailure(
  fault: Fault,
  reasons: RefundFailures,
  otherwise: RefundFailed['reason'] = 'refused',
): RefundFailed | Unknown {
  switch (fault.kind) {
    case 'unknown':
    case 'not_connected':
    case 'rate_limit':
      // It never began, and will in a while: the resolver looks it up and sends it once more.
      return unknown(causeOf(fault));
    case 'credentials':
      return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
    case 'declined':
    case 'refused':
      return { status: 'failed', reason: reasons[fault.code ?? ''] ?? otherwise, processorCode: fault.code };
  }
}

/** A card is refused only where the vendor understood the request to keep it. */
export function saveFailure({ kind }: Fault): SavedCardAnswer {
  return { status: kind === 'declined' || kind === 'refused' ? 'refused' : 'unavailable' };
}

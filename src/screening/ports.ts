/**
 * The ports of screening. A number look-up asks a vendor what happened to a phone number; an attestation source asks
 * how far the carriers vouch that a call came from it. One folder an adapter; none ever throws, and none decides
 * anything.
 */
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import type { E164 } from '../domain/phone-number.ts';
import type { AttestationAnswer, LookupFailure, NumberFacts } from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';

/**
 * `answered`: the vendor has said what it knows, be it nothing; kept for a day. `failed`: the next checkout asks again.
 */
export type LookupAnswer = { status: 'answered'; facts: NumberFacts } | { status: 'failed'; failure: LookupFailure };

export interface NumberLookup {
  /** The folder's name, e.g. `telnyx`. */
  readonly name: string;
  /**
   * Asks once. Never throws. `signal` ends the request; the answer is then {@link LookupFailure}
   * `number_lookup_timed_out`.
   */
  lookUp(number: E164, signal: AbortSignal): Promise<LookupAnswer>;
}

/** What an attestation source is asked: of the call that the platform answered, before it comes to the payment line. */
export interface AttestationQuestion {
  sessionId: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  /** The caller's. */
  number: E164;
  platformCallId: string;
  /** The account's own, for such questions in this mode; null: it has none. */
  url: string | null;
}

export interface AttestationSource {
  /** The folder's name, e.g. `http`; it stands in the table, once a session. */
  readonly name: string;
  /**
   * Asks once. Never throws. @returns null where this account has no such source: nothing is kept then, not even a note
   */
  ask(question: AttestationQuestion, signal: AbortSignal): Promise<AttestationAnswer | null>;
}

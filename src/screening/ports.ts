/**
 * The ports of screening. A number lookup asks a vendor about a phone number; an attestation source asks how the
 * carriers attest a call from it. One folder per adapter. Adapters never throw, and decide nothing.
 */
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import type { E164 } from '../domain/phone-number.ts';
import type { AttestationAnswer, LookupFailure, NumberFacts } from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';

/** `answered`: the vendor's facts, possibly none; kept for a day. `failed`: the next checkout asks again. */
export type LookupAnswer = { status: 'answered'; facts: NumberFacts } | { status: 'failed'; failure: LookupFailure };

export interface NumberLookup {
  /** The folder's name, e.g. `telnyx`. */
  readonly name: string;
  /** Asks once. Never throws. `signal` ends the request, with the {@link LookupFailure} `number_lookup_timed_out`. */
  lookUp(number: E164, signal: AbortSignal): Promise<LookupAnswer>;
}

/**
 * The question to an attestation source, about the call that the platform answered before it reached the payment line.
 */
export interface AttestationQuestion {
  sessionId: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  /** The caller's. */
  number: E164;
  platformCallId: string;
  /** The account's attestation URL in this mode; null if it has none. */
  url: string | null;
}

export interface AttestationSource {
  /** The folder's name, e.g. `http`, which is stored with the result. */
  readonly name: string;
  /**
   * Asks once. Never throws. @returns null if the account has no such source: then nothing is stored, not even a note
   */
  ask(question: AttestationQuestion, signal: AbortSignal): Promise<AttestationAnswer | null>;
}

/** The SMS port: a carrier that accepts texts. One folder per adapter. */

export interface Text {
  /** Ours. */
  id: string;
  kind: string;
  /** E.164. */
  to: string;
  body: string;
  /** When the carrier was first asked. */
  firstSentAt: Date;
}

/** A carrier's answer. `unknown`: it may have accepted the text. */
export type SendAnswer =
  | { status: 'accepted'; carrierMessageId: string | null }
  /** Certainly not accepted now. A retry cannot text twice. */
  | { status: 'not_taken'; cause: string; retryAfterMs: number | null }
  /** Rejected for good. `optedOut`: the recipient wants no texts from this number. */
  | { status: 'refused'; code: string; optedOut: boolean }
  | { status: 'unknown'; cause: string };

export interface SmsCarrier {
  /** The folder's name, such as `twilio`. */
  readonly name: string;
  /** Sends at most once per call. `signal` ends the wait, not the text. Never throws. */
  send(text: Text, signal: AbortSignal): Promise<SendAnswer>;
  /**
   * Finds an earlier {@link send} without an answer. `unknown` if the carrier cannot be asked now, null if it cannot be
   * asked at all. Never throws.
   */
  find(text: Text, signal: AbortSignal): Promise<SendAnswer | { status: 'not_found' } | null>;
}

/** The SMS port: a carrier that takes texts. One folder an adapter. */

export interface Text {
  /** Ours. */
  id: string;
  kind: string;
  /** E.164. */
  to: string;
  body: string;
  /** When the carrier was asked first. */
  firstSentAt: Date;
}

/** What a carrier said. `unknown`: it may have taken it. */
export type SendAnswer =
  | { status: 'accepted'; carrierMessageId: string | null }
  /** Not now, and certainly not taken: trying again can't text twice. */
  | { status: 'not_taken'; cause: string; retryAfterMs: number | null }
  /** Never. `optedOut`: the recipient wants no texts from this number. */
  | { status: 'refused'; code: string; optedOut: boolean }
  | { status: 'unknown'; cause: string };

export interface SmsCarrier {
  /** The folder's name, e.g. `twilio`. */
  readonly name: string;
  /** Never throws; sends at most once a call. `signal` ends the wait, not the text. */
  send(text: Text, signal: AbortSignal): Promise<SendAnswer>;
  /**
   * What became of an earlier {@link send} that was not heard to its end. Never throws; `unknown` where the carrier
   * can't be asked now, null where it can't be asked at all.
   */
  find(text: Text, signal: AbortSignal): Promise<SendAnswer | { status: 'not_found' } | null>;
}

/** A caller's consent to save a card: to which wording, and on which channel. */
import type { CallId } from './ids.ts';

/** Where the caller was asked. `rest`: by the integrator. */
type ConsentChannel = 'phone' | 'page' | 'rest';

/** A caller's consent before a charge. */
export interface CardConsent {
  channel: Exclude<ConsentChannel, 'rest'>;
  /** The call on which it was given; null on the page. */
  callId: CallId | null;
  /** The name of the sentence that was spoken or shown, such as `keep_card.1`. */
  wordingId: string;
  /** The language of that sentence. BCP 47. */
  language: string;
  /** The sentence as it was spoken or shown. */
  wording: string;
}

/** A caller's consent to save a card: to which wording, and on which channel. */
import type { CallId } from './ids.ts';

/** Where the caller was asked. `rest`: by the integrator. */
type ConsentChannel = 'phone' | 'page' | 'rest';

/** What a caller agreed to before a charge. */
export interface CardConsent {
  channel: Exclude<ConsentChannel, 'rest'>;
  /** The call in which it was said; null on the page. */
  callId: CallId | null;
  /** Name of the sentence that was said or shown, e.g. `keep_card.1`. */
  wordingId: string;
  /** BCP 47, of that sentence. */
  language: string;
  /** The sentence itself, as it was said or shown. */
  wording: string;
}

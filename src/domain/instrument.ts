/** A caller, the caller's saved cards, and the consent to save them. */
import type { CallId, ConsumerId, InstrumentId } from './ids.ts';

/** A caller, identified by phone number. */
export interface Consumer {
  id: ConsumerId;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** The parts of a saved card that can be shown and spoken. */
export interface SavedCard {
  id: InstrumentId;
  /** Upper case, e.g. `VISA`. */
  brand: string;
  lastFour: string;
  /** 1 … 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
  isDefault: boolean;
}

/** How to charge a saved card, as stored. */
export interface HandleAtRest {
  id: InstrumentId;
  /** The processor's name for the card, encrypted for this card alone. */
  processorHandle: string;
  /** False for the demo's card, whose handle is not secret. */
  handleSealed: boolean;
}

/** Where the caller was asked. `rest`: by the integrator. */
type ConsentChannel = 'phone' | 'page' | 'rest';

/** A caller's consent to save the card, given before a charge. */
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

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

export const SAVE_TERMS = ['returning', 'merchant_initiated'] as const;
/**
 * What a saved card can be used for. `returning`: the caller chooses it when paying again. `merchant_initiated`: the
 * merchant can also charge it without the caller.
 */
export type SaveTerms = (typeof SAVE_TERMS)[number];

/** What the caller agreed to at one merchant. */
export interface CardTerms {
  saveTerms: SaveTerms;
  /** The highest amount of one charge without the caller, in minor units. Null: any amount, or no such charges. */
  maxAmountCents: number | null;
}

/** What the caller of a checkout is asked to agree to, in the merchant's own words, before the card is saved. */
export interface CardSaving extends CardTerms {
  /** In the language of the checkout's request. */
  sentence: string;
}

/** The newest consent that counts at one merchant, as shown. */
export interface ShownConsent extends CardTerms {
  channel: ConsentChannel;
  /** The sentence that the caller agreed to; null if an integrator asked and did not send it. */
  wording: string | null;
  /** Unix time in milliseconds. */
  agreedAtMs: number;
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
  /** What the caller agreed to. By default, to choose the card when paying again. */
  terms?: CardTerms;
}

/** What a call can ask the caller for, and its terms: what is accepted and offered. Fixed when the call is answered. */
import type { InstrumentId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { OfferedTip } from '../domain/tip.ts';

/** A field that the caller is asked for. `saved_card`: which of several saved cards. */
export type Field =
  | 'card_number'
  | 'expiry'
  | 'security_code'
  | 'postal_code'
  /** All or a part of the amount. */
  | 'part'
  /** The amount of the part. */
  | 'part_amount'
  | 'tip'
  | 'keep_card'
  | 'confirmation'
  | 'saved_card'
  /** Card or bank account. */
  | 'method'
  | 'routing_number'
  | 'account_number'
  /** The same number once more. */
  | 'account_number_again'
  | 'account_type'
  /** The terms of the bank debit, and the caller's yes. */
  | 'debit_terms';

/** A field that one key answers. */
export type ChoiceField = Extract<
  Field,
  'part' | 'tip' | 'keep_card' | 'confirmation' | 'saved_card' | 'method' | 'account_type' | 'debit_terms'
>;
/** The digits of a bank account. */
export type AccountField = Extract<Field, 'routing_number' | 'account_number' | 'account_number_again'>;

/** Partial payments, in minor units of the amount due. */
export interface PartTerms {
  minimumCents: number;
  totalCents: number;
  /** Of the currency. */
  decimals: number;
}

/** The terms of a call, fixed when it is answered. */
export interface Terms {
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  /** The caller may pay a part, chosen before the tip and the confirmation. Absent: only all. */
  part?: PartTerms;
  /** Tips on offer, each on its own key from 1 on, before the confirmation. Empty: the line asks for none. */
  tips: readonly OfferedTip[];
  /** True if the merchant asks for it, the caller's number is known, and the processor can keep cards. */
  asksToKeepCard: boolean;
  /** The call only saves the card: the caller must agree, and nothing is paid. */
  savesOnly?: boolean;
  /** It asks in the merchant's own words: in a question of its own, and a yes counts only after its last word. */
  keepsByOwnWords?: boolean;
  /** credit-card-type ids: `visa`, `mastercard`, `american-express`, `discover`. */
  acceptedBrands: readonly string[];
  /** The merchant's processor accepts cards entered on the keypad. */
  takesKeypad: boolean;
  /** The caller can also pay from a US bank account. Only if a text can confirm the debit's terms. */
  offersBankAccount?: true;
  /** A text with the pay link can be sent to the caller. Only then does the line offer one. */
  canTextLink: boolean;
  /** For the expiry check: the month, 1 … 12, and the four-digit year before which a card has expired. */
  today: { month: number; year: number };
  /** Whether the session has a `return_to` that a call can be sent to. */
  returns: boolean;
  /** The greeting offers a second language, on key 9. */
  offersLanguage: boolean;
  /** Set if the session had an earlier call: the line welcomes the caller back. Null on the first call. */
  back: CallingBack | null;
  /** The caller's saved cards, newest first, at most MAX_SAVED_CARDS. Key 1 offers them until a charge is ordered. */
  savedCards: readonly OfferedCard[];
}

/** The part of a saved card that the line may say. */
export interface SpokenCard {
  /** `CardBrand.label`, or the processor's name for it. */
  brand: string;
  lastFour: string;
}

/** A saved card on offer. */
export interface OfferedCard extends SpokenCard {
  id: InstrumentId;
}

/** A merchant that the caller may choose, with the amount due there. */
export interface SpokenMerchant {
  businessName: string;
  /** The line says it if two merchants have the same name. */
  amount: Money;
}

/** The language of a call: the one of the greeting, or the other one that the greeting offers. */
export type CallLanguage = 'first' | 'second';

/** A caller who calls again. `link_texted`: the pay link has been texted since. */
export type CallingBack = 'after_call' | 'link_texted';

/**
 * Who else may pay the call's session: `page` is the payer on the pay page, `other` an agent with a saved card or an
 * earlier call.
 */
export type ElsewherePayer = 'page' | 'other';

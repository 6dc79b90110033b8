/** What a language other than English has to translate: one file a language, complete or it does not compile. */
import type { DeclineCode } from '../../domain/charge.ts';
import type { CallerCode, CallerWords, OtherWordsName } from '../error-catalogue.ts';

/** Declines that the caller is told apart; of the others the caller hears that the card was declined. */
export type SpokenDecline = Extract<
  DeclineCode,
  | 'insufficient_funds'
  | 'expired_card'
  | 'card_not_supported'
  | 'authentication_required'
  | 'incorrect_number'
  | 'incorrect_cvc'
  | 'incorrect_expiry'
  | 'incorrect_zip'
  | 'processing_error'
  | 'try_again_later'
>;

/** What the agent says once a checkout is created; agent-lines.ts chooses. */
export interface CheckoutLines {
  transfer: string;
  /** Where no card can be entered on the keypad: the line texts a link, if it can. */
  transferWithoutKeypad: string;
  cardOrLater: string;
  linkOrLater: string;
  later: string;
  nothingDue: string;
}

export interface Translation {
  errors: Record<CallerCode, CallerWords>;
  declines: Record<SpokenDecline, CallerWords>;
  other: Record<OtherWordsName, CallerWords>;
  checkout: CheckoutLines;
}

/** What a language other than English translates. Each language has a file, which must be complete to compile. */
import type { DeclineCode } from '../../domain/charge.ts';
import type { CallerCode, CallerWords, OtherWordsName } from '../error-catalogue.ts';

/** Declines with their own words. For all others, the caller hears that the card was declined. */
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

/** What the agent says after a checkout is created. agent-lines.ts chooses one. */
export interface CheckoutLines {
  transfer: string;
  /** If no card can be entered on the keypad. The line then texts a link, if possible. */
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

/**
 * What is said to people in other languages than English: one file a language, whole or it does not compile. English stands
 * where it is decided what is said: in the error catalogue, the declines, the agent's lines.
 */
import type { DeclineCode } from '../domain/charge.ts';
import type { CallerCode, OtherWords } from './error-catalogue.ts';
import { GERMAN } from './translations/de.ts';
import { SPANISH } from './translations/es.ts';
import { FRENCH } from './translations/fr.ts';

/** One fact, for the ear and for the eye. */
export interface Said {
  /** Spoken as it stands. */
  agentMessage: string;
  displayMessage: string;
}

/** Declines that are told apart aloud; of the others the caller hears that the card was declined. */
export type SpokenDecline = Extract<
  DeclineCode,
  | 'insufficient_funds'
  | 'expired_card'
  | 'card_not_supported'
  | 'incorrect_number'
  | 'incorrect_cvc'
  | 'incorrect_expiry'
  | 'incorrect_zip'
>;

/** What the agent says once a checkout is created: `domain/agent-lines.ts` says when. */
export interface CheckoutLines {
  transfer: string;
  cardOrLater: string;
  linkOrLater: string;
  later: string;
  nothingDue: string;
}

export interface Translation {
  errors: Record<CallerCode, Said>;
  declines: Record<SpokenDecline, Said>;
  other: Record<OtherWords, Said>;
  checkout: CheckoutLines;
}

/** By primary language subtag. */
const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map([
  ['de', GERMAN],
  ['es', SPANISH],
  ['fr', FRENCH],
]);

/** Primary language subtags that there are words for, English first. */
export const SPOKEN_LANGUAGES: readonly string[] = ['en', ...TRANSLATIONS.keys()];

/** @param language BCP 47, a merchant's. @returns null where it is English that is said: in any language without words, too */
export function translationFor(language: string | null): Translation | null {
  return TRANSLATIONS.get(language?.split('-')[0]?.toLowerCase() ?? '') ?? null;
}

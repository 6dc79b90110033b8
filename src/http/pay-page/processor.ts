/** Whether the page offers to save a card, and the words of the consent. */

import type { ProcessorAtPage } from '../../accounts/merchants/page-processor.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { CardConsent, CardSaving } from '../../domain/instrument.ts';
import { isSameLanguage } from '../../domain/language.ts';
import type { Place } from './views/view.ts';

/** Whether the page offers to save the card. A saved card belongs to the caller's number. */
export function offersKeeping({ merchant, session }: PayPageReading, processor: ProcessorAtPage | null): boolean {
  const asks = merchant?.cardSaving === 'ask' || (merchant !== null && session.saving !== null);
  return asks && session.callerPhone !== null && processor?.keepsCards === true;
}

type BoxPlace = Pick<Place, 'words' | 'language'>;

/**
 * What the payer agrees to by the box: the merchant's own words if they are in the page's language. If the page only saves
 * a card, they are shown in any language, because no other words say what the card is for.
 */
function ownSaving({ session, merchant }: PayPageReading, { language }: BoxPlace): CardSaving | null {
  const theirs = session.language ?? merchant?.language ?? null;
  const isTheirs = theirs !== null && isSameLanguage(language, theirs);
  return isTheirs || session.purpose === 'save_card' ? session.saving : null;
}

/** The language of {@link keepBoxText}. */
export function keepBoxLanguage(reading: PayPageReading, place: BoxPlace): string {
  const { session, merchant } = reading;
  const theirs = session.language ?? merchant?.language ?? place.language;
  return ownSaving(reading, place) === null || isSameLanguage(place.language, theirs) ? place.language : theirs;
}

/** The words of the box. */
export function keepBoxText(reading: PayPageReading, place: BoxPlace): string {
  return ownSaving(reading, place)?.sentence ?? place.words.keepCard;
}

/** @param place the language of the selected box */
export function pageConsent(reading: PayPageReading, place: BoxPlace): CardConsent {
  const language = keepBoxLanguage(reading, place);
  const terms = ownSaving(reading, place);
  const own = terms === null ? { wordingId: 'page.keep_card' } : { wordingId: 'page.own', terms };
  return { channel: 'page', callId: null, language, wording: keepBoxText(reading, place), ...own };
}

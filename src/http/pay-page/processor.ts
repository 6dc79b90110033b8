/** How the page takes cards for the merchant's processor, and whether it offers to save them. */

import { tokenizationFor } from '../../accounts/merchants/processor.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { CardConsent, CardSaving } from '../../domain/instrument.ts';
import { isSameLanguage } from '../../domain/language.ts';
import { verifiesOnPage } from '../../payments/deps.ts';
import type { Capabilities, ProcessorPage, Tokenization } from '../../payments/ports.ts';
import type { PageDeps } from './ports.ts';
import type { Place } from './views/view.ts';

/**
 * - `own_fields`: our own form, which works without JavaScript. Sandbox only.
 * - `token`: the processor's fields. Its script creates a token, so that no card number reaches us.
 */
type CardWay = { kind: 'own_fields' } | { kind: 'token'; page: ProcessorPage; tokenization: Tokenization };

export interface ProcessorAtPage {
  name: string;
  can: Capabilities;
  way: CardWay;
  /** Whether the processor can save cards and we can store their handles. */
  keepsCards: boolean;
}

/**
 * @returns null if no processor takes cards on the page in this mode, or it lacks credentials, or the session only saves
 * a card and the processor can do that with payments only
 */
export function processorAtPage(
  deps: Pick<PageDeps, 'processors' | 'vault'>,
  { merchant, credentials, session: { mode, purpose } }: Pick<PayPageReading, 'merchant' | 'credentials' | 'session'>,
): ProcessorAtPage | null {
  const processor = deps.processors.find(({ name, modes }) => name === merchant?.processor && modes.includes(mode));
  if (processor === undefined) return null;
  const { name, can } = processor;
  const keepsCards = deps.vault !== null && can.savedCards && processor.wallet !== null;
  if (purpose === 'save_card' && !(keepsCards && verifiesOnPage(processor))) return null;
  if (can.pageKeypad) return mode === 'test' ? { name, can, keepsCards, way: { kind: 'own_fields' } } : null;
  const [page, tokenization] = [processor.page(mode), tokenizationFor(deps, { merchant, credentials })];
  return page === null || tokenization === null
    ? null
    : { name, can, keepsCards, way: { kind: 'token', page, tokenization } };
}

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

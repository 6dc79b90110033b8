/** Keeping a card that is paid with on the page: whether the payer is asked, and what was agreed to. */

import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { CardConsent } from '../../domain/consent.ts';
import type { ProcessorAtPage } from './processor.ts';
import type { Place } from './views/view.ts';

/** Without a caller's number there is nobody to keep a card for. */
export function offersKeeping({ merchant, session }: PayPageReading, processor: ProcessorAtPage | null): boolean {
  return merchant?.cardSaving === 'ask' && session.callerPhone !== null && processor?.keepsCards === true;
}

/** @param place whose words stood beside the box that was ticked */
export function pageConsent({ words, language }: Pick<Place, 'words' | 'language'>): CardConsent {
  return { channel: 'page', callId: null, wordingId: 'page.keep_card', language, wording: words.keepCard };
}

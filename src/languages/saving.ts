/** What the pay page says if a checkout only saves a card. */
import type { SaveTerms } from '../domain/instrument.ts';
import type { BrowserWords, PageWords } from './page.ts';

export interface SavingWords {
  /** Replaces the page's words of the same name. */
  instead: Pick<
    PageWords,
    | 'testCard'
    | 'pay'
    | 'until'
    | 'support'
    | 'faultsHeading'
    | 'withoutScript'
    | 'withoutScriptKeypad'
    | 'working'
    | 'action'
    | 'paid'
    | 'notTaken'
    | 'pending'
    | 'onPhone'
    | 'onCall'
    | 'alreadyPaid'
    | 'expired'
    | 'gone'
    | 'otherAttempt'
    | 'notStarted'
    | 'sentBefore'
  >;
  /** Replaces the messages of the page's script. */
  browser: Pick<BrowserWords, 'working' | 'still' | 'offline' | 'unsent' | 'blocked' | 'not_shown' | 'unavailable'>;
  button: string;
  /** Instead of the amount. */
  notCharged: string;
  /** What the card will be used for. `max`: the most that one charge can be; null if the merchant names no limit. */
  terms: Record<SaveTerms, (business: string, max: string | null) => string>;
  /** The outcome is not known, and if so, a text reports it. */
  pendingText: string;
  outcomeByText: string;
  receipt: { caption: string; to: string };
}

/** @returns the words of a page that only saves a card */
export function wordsWhenSaving(words: PageWords, { instead, browser, receipt }: SavingWords): PageWords {
  return {
    ...words,
    ...instead,
    browser: { ...words.browser, ...browser },
    receipt: { ...words.receipt, ...receipt },
  };
}

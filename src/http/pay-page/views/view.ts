/** The data that the views of the page show. */
import { createHash } from 'node:crypto';
import type { ProcessorAtPage } from '../../../accounts/merchants/page-processor.ts';
import type { PayPageReading } from '../../../db/pay-links/pay-page.ts';
import type { LanguageTag } from '../../../languages/index.ts';
import type { Fault, PageWords } from '../../../languages/page.ts';
import type { SavingWords } from '../../../languages/saving.ts';
import { type Html, html } from '../../../lib/html.ts';
import type { CardAction } from '../../../payments/port/answers.ts';
import type { PageScript } from '../assets.ts';
import type { ChosenAmount } from '../chosen-amount.ts';
import type { RememberedFields } from '../remembered-fields.ts';
import type { ReturnLink } from '../return-link.ts';
import type { SavedPart } from '../saved-cards.ts';
import type { PageState } from '../state.ts';

/** Shown once, on the page that a form leads to. */
export const NOTICES = ['other_attempt', 'not_started', 'sent_before', 'limit'] as const;
export type Notice = (typeof NOTICES)[number];

/** The words and the path of a page. */
export interface Place {
  words: PageWords;
  language: LanguageTag;
  /** For amounts and dates. */
  locale: string;
  /** The page's path, without the query. */
  path: string;
  /** For the page's own scripts and styles. */
  nonce: string;
}

export interface PageView extends Place {
  reading: PayPageReading;
  chosen: ChosenAmount;
  /** Null unless the session only saves a card. */
  saving: SavingWords | null;
  /** The URL has a part that cannot be paid. */
  isWrongPart: boolean;
  state: PageState;
  /** Null if no processor takes cards here. */
  processor: ProcessorAtPage | null;
  faults: readonly Fault[];
  notice: Notice | null;
  /** A new attempt for the form of this page. */
  attempt: string;
  /** The bank's challenge. Null if there is none or it is unknown. */
  action: CardAction | null;
  /** What the processor's page has given to the returning payer. Null if there is nothing. */
  result: string | null;
  /** In loading order. */
  scripts: readonly PageScript[];
  /** Null if saved cards are not offered. */
  saved: SavedPart | null;
  returnLink: ReturnLink | null;
  /** The initial values of our own fields. */
  remembered: RememberedFields;
  /** Whether the payer gets a text with the outcome of a pending charge. */
  promisesText: boolean;
  now: Date;
}

/** The page's URL in its language, with these parameters. */
export function addressOf({ path, language }: Pick<Place, 'path' | 'language'>, query: Record<string, string> = {}) {
  return `${path}?${new URLSearchParams({ lang: language, ...query }).toString()}`;
}

/** A URL below the page's, in its language. */
export function pathOf(place: Pick<Place, 'path' | 'language'>, below: string): string {
  return addressOf({ ...place, path: `${place.path}/${below}` });
}

/** A hash of what the page shows. The page's script compares it with the current one. */
export function versionOf({ state, reading: { charge, declines, callStage } }: PageView): string {
  const facts = [
    state.kind,
    charge?.id,
    charge?.status,
    charge?.refundedCents,
    charge?.refundPendingCents,
    declines,
    callStage,
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 12);
}

/** Marks a form that the page's script sends, and repeats if there is no response. */
export function scriptMessages({ words }: Pick<PageView, 'words'>): Html {
  return html` data-words="${JSON.stringify(words.browser)}"`;
}

/** The status line below the buttons of a form. */
export const STATUS: Html = html`<p class="still" role="status"></p>`;

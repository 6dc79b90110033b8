/** What the views of the page are made of. */
import { createHash } from 'node:crypto';
import type { PayPageReading } from '../../../db/pay-links/pay-page.ts';
import type { LanguageTag } from '../../../languages/index.ts';
import type { Fault, PageWords } from '../../../languages/page.ts';
import type { CardAction } from '../../../payments/ports.ts';
import type { PageScript } from '../assets.ts';
import { type Html, html } from '../html.ts';
import type { KeptFields } from '../kept-fields.ts';
import type { ProcessorAtPage } from '../processor.ts';
import type { ReturnLink } from '../return-link.ts';
import type { SavedPart } from '../saved-cards.ts';
import type { PageState } from '../state.ts';

/** What a page says once, after the form that led to it. */
export const NOTICES = ['other_attempt', 'not_started', 'sent_before', 'limit'] as const;
export type Notice = (typeof NOTICES)[number];

/** Words and place of any page of ours. */
export interface Place {
  words: PageWords;
  language: LanguageTag;
  /** For amounts and dates. */
  locale: string;
  /** The page's own path, without a query. */
  path: string;
  /** Of the page's own scripts and styles. */
  nonce: string;
}

export interface PageView extends Place {
  reading: PayPageReading;
  state: PageState;
  /** Null where none takes cards here. */
  processor: ProcessorAtPage | null;
  faults: readonly Fault[];
  notice: Notice | null;
  /** A fresh one for the form of this page. */
  attempt: string;
  /** What the bank asks the payer; null where it asks nothing, or that is not known. */
  action: CardAction | null;
  /** In the order in which they are loaded. */
  scripts: readonly PageScript[];
  /** Null where no saved cards are offered. */
  saved: SavedPart | null;
  returnLink: ReturnLink | null;
  /** What stands in our own fields already. */
  kept: KeptFields;
  /** A text tells the payer how a pending charge ended. */
  promisesText: boolean;
  now: Date;
}

/** The page's own address in its language, with these parameters. */
export function addressOf({ path, language }: Pick<Place, 'path' | 'language'>, query: Record<string, string> = {}) {
  return `${path}?${new URLSearchParams({ lang: language, ...query }).toString()}`;
}

/** An address below the page's own, in its language. */
export function pathOf(place: Pick<Place, 'path' | 'language'>, below: string): string {
  return addressOf({ ...place, path: `${place.path}/${below}` });
}

/** Differs between two pages that say different things: a script compares it with what it hears. */
export function versionOf({ state, reading: { charge, declines, callStage } }: PageView): string {
  const facts = [state.kind, charge?.id, charge?.status, charge?.refundedCents, declines, callStage];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 12);
}

/** The script sends a form with these words itself, and repeats it where it does not get through. */
export function spokenOf({ words }: Pick<PageView, 'words'>): Html {
  return html` data-words="${JSON.stringify(words.browser)}"`;
}

/** Below the button that was pressed. */
export const STATUS: Html = html`<p class="still" role="status"></p>`;

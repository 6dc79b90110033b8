/** What the pay page says. A language is one object of this shape; amounts, dates and names come in as text. */
import type { FieldsWords } from '../../../payments/page-fields.ts';
import type { CodeFault } from '../saved-cards.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';

/** A state without a form: its heading, and what it means for the payer. */
export interface Said {
  heading: string;
  text: string;
}

/** The fields of the card form, in their order. */
const FIELD_NAMES = ['number', 'expiry', 'security_code', 'postal_code'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** What is wrong with a field before anything is sent: as it stands in the address of the page that says so. */
export const FIELD_OF_FAULT = {
  number_missing: 'number',
  number_incomplete: 'number',
  number_wrong: 'number',
  number_not_accepted: 'number',
  expiry_missing: 'expiry',
  expiry_wrong: 'expiry',
  expiry_past: 'expiry',
  security_code_missing: 'security_code',
  security_code_wrong: 'security_code',
  postal_code_missing: 'postal_code',
  postal_code_wrong: 'postal_code',
} as const satisfies Record<string, FieldName>;
export type Fault = keyof typeof FIELD_OF_FAULT;

/** A call as far as the page tells of it. */
export type CallPart = 'asking' | 'keying' | 'paying' | 'waiting' | 'leaving';

export interface PageWords {
  /** The language's own name. */
  name: string;
  language: string;
  testMode: string;
  /** Which card can be used there. */
  testCard: string;
  pay: (business: string) => string;
  payButton: (amount: string) => string;
  /** The sandbox's fake wallet. */
  testWallet: string;
  forNumber: (lastTwo: string) => string;
  until: (when: string) => string;
  /** Before a phone number and an e-mail address. */
  support: string;
  /** Links to the account's own pages. */
  terms: string;
  privacy: string;
  order: string;
  items: string;
  total: string;
  card: string;
  fields: Record<FieldName, { label: string; hint: string | null }>;
  faults: Record<Fault, string>;
  faultsHeading: string;
  /** Beside the box that is ticked to keep the card: these very words are the payer's consent. */
  keepCard: string;
  encrypted: string;
  /** The saved cards, behind a code that is texted. */
  saved: {
    heading: string;
    /** In place of the heading, to payers who may have none. */
    question: string;
    offer: (lastTwo: string) => string;
    ask: string;
    sent: (lastTwo: string) => string;
    code: string;
    show: string;
    again: string;
    faults: Record<CodeFault, string>;
    none: string;
    /** A button. `card` as in `receipt.cardEnding`; `expiry`: `04/29`. */
    payWith: (amount: string, card: string, expiry: string) => string;
  };
  /** A processor's own card fields need JavaScript. `withoutScriptKeypad`: the card can be keyed on the phone. */
  withoutScript: string;
  withoutScriptKeypad: string;
  loadingFields: string;

  working: Said;
  action: Said;
  paid: { heading: string; text: (business: string) => string };
  declined: { heading: string };
  refusedByMerchant: { heading: string };
  noMoreAttempts: { heading: string };
  pending: { heading: string };
  orderPending: { heading: string };
  onPhone: Said;
  /** What happens on the call beside the page. */
  onCall: Record<CallPart, string>;
  alreadyPaid: { heading: string; text: string };
  expired: { heading: string; text: (business: string) => string };
  nothingToPay: Said;
  gone: Said;
  notFound: Said;
  tooMany: Said;
  /** The form came from another site, or from no page at all. */
  notOurs: Said;
  failed: Said;

  /** Another window, or the phone, was first. */
  otherAttempt: string;
  /** Nothing was sent. */
  notStarted: string;
  /** A form out of the browser's memory, which was declined before: nothing was sent again. */
  sentBefore: string;
  /** What the bank asks; in the sandbox there is no bank to ask. */
  confirm: string;
  doNotConfirm: string;
  /** What the page's script says. */
  browser: FieldsWords;
  checkAgain: string;
  toThePage: string;
  continueTo: (host: string) => string;
  followsSoon: string;
  stay: string;
  receipt: {
    caption: string;
    amount: string;
    to: string;
    card: string;
    cardEnding: (brand: string | null, lastFour: string) => string;
    when: string;
    refunded: string;
    reference: string;
  };
}

const WORDS = { en: ENGLISH, es: SPANISH, fr: FRENCH, de: GERMAN } satisfies Record<string, PageWords>;

/** Primary language subtags that the page has words in. */
export type PageLanguage = keyof typeof WORDS;
export const PAGE_LANGUAGES = Object.keys(WORDS) as PageLanguage[];

export const wordsIn = (language: PageLanguage): PageWords => WORDS[language];

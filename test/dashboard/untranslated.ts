/** Finds texts of a page that are in English in another language, too, and that are neither data nor the same word. */
import { PLATFORMS } from '../../src/http/dashboard/try-it/platforms.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../../src/languages/index.ts';

/** Words and names that are the same in English. */
const SAME: Readonly<Record<Exclude<LanguageTag, 'en'>, readonly string[]>> = {
  de: [
    'Logo',
    'Logo · Test · Ringkey',
    'Test',
    'Live',
    'Passkeys',
    'Browser',
    'Status',
    'ID',
    'Name',
    'Filter',
    'Sandbox',
    'System',
    'SIP',
    'Agent',
    'Operation',
    'SIP Call-ID',
    'Codec',
    'Jitter',
    'Code',
    'Details',
    'Webhook',
  ],
  es: ['ID', 'Sandbox', 'SIP', 'SIP Call-ID', 'Webhook'],
  fr: [
    'Logo',
    'Logo · Test · Ringkey',
    'Test',
    'Actions',
    'Mode',
    'Menu',
    'Documentation',
    'Pages',
    'ID',
    'Sandbox',
    'Active',
    'SIP',
    'Agent',
    'Type',
    'Net',
    'Net, USD',
    'SIP Call-ID',
    'Codec',
    'Note',
    'Code',
    'Webhook',
  ],
};

/** IDs, addresses, numbers, amounts and codes. */
const DATA = [
  /^[a-z]{2,6}_[\w…]*$/,
  /^[A-Za-z]?\S*@\S+$/,
  /^(?:https?|sip):\S+$/,
  /^[A-Z]{3}$/,
  /^[a-z_]+(?:\.[a-z_]+)+$/,
  /^(?:, )?\d+ m?s$/,
  // Processors, paths of the API and months.
  /^(?:test|sandbox)$/,
  /^(?:[A-Z]+ )?\/v1\/\w+(?: · Test · Ringkey)?$/,
  /^\p{Lu}\p{L}+ \d{4}$/u,
  /^(?:Ringkey|UTC|DEMO|(?:, )?Visa ···· \d{4}(?:, \d\d\/\d{4})?,?|Ctrl K)$/,
  /^(?:Apple|Google) Pay$/,
  /^(?:Adyen|Authorize\.net|Braintree|Checkout\.com|Hyperswitch|Square|Stripe|Worldpay)$/,
  /^(?:Visa|Mastercard|American Express|Discover|Diners Club|JCB|UnionPay|Maestro)$/,
  // Time zones.
  /^[A-Z]\w+(?:\/[\w+ -]+)+$/,
];
/** Names in the data of the test. */
const NAMES = [
  /^Ringkey demo$/,
  /^U$/,
  /^(?:A key|User \d+|Paid|ops@example\.com|Demo (?:Books|Diner|Library|Market))(?: · Test · Ringkey| \(\w+\))?$/,
  /^(?:Diner|table)$/,
];

const PLATFORM_NAMES: ReadonlySet<string> = new Set([...PLATFORMS.values()].map(({ title }) => title));

/** Each language in its own words, to choose from. */
const LANGUAGE_NAMES = LANGUAGE_TAGS.map((tag) => languageFor(tag).page.name);

const isData = (text: string) =>
  LANGUAGE_NAMES.includes(text) ||
  DATA.some((pattern) => pattern.test(text)) ||
  NAMES.some((name) => name.test(text)) ||
  PLATFORM_NAMES.has(text);

export type OtherLanguage = Exclude<LanguageTag, 'en'>;
export const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');

/** @param texts of each page, by its path @returns what is left in English, for the message of a failing test */
export function leftInEnglish(
  tag: OtherLanguage,
  texts: ReadonlyMap<string, readonly string[]>,
  english: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...texts].flatMap(([path, ofPage]) => {
    const known = new Set(english.get(path));
    const same = ofPage.filter((text) => known.has(text) && !isData(text) && !SAME[tag].includes(text));
    return same.map((text) => `${tag} ${path}: ${text}`);
  });
}

/**
 * Amounts as users type them in their language. An input that can be read in two ways is refused: a wrong reading would
 * move a thousand times the amount.
 */
import { exampleAmount, isChargeable, majorUnits, minorUnits } from '../../../domain/money.ts';
import { language } from '../words/language.ts';

/** The amount in a field: `42.50` in English, `42,50` in the other languages. */
export const typedAmount = (amountCents: number, currency: string): string =>
  inLanguageOfUser(majorUnits({ amountCents, currency }));

/** An example of how to type an amount: `42.50`. */
export const exampleTyped = (currency: string): string => inLanguageOfUser(exampleAmount(currency));

const inLanguageOfUser = (amount: string) => (language() === 'en' ? amount : amount.replace('.', ','));

/** `1,234.50` → 123450 of USD; null if it cannot be charged, is no amount, or has more decimals than the currency. */
export function parseAmount(text: string, currency: string): number | null {
  const cents = readAmount(text, currency);
  return cents !== null && isChargeable(cents) ? cents : null;
}

const SYMBOL = '(?:[$€£¥₩]|USD|EUR|GBP|CAD|AUD|JPY|KRW)?';
const SPACES = '[ \\u00a0\\u202f]';
const BESIDE_SYMBOL = new RegExp(`^${SYMBOL}${SPACES}?(\\d[^]*?)${SPACES}?${SYMBOL}$`);

/** Like {@link parseAmount}, but 0 and large amounts are amounts, too. */
export function readAmount(text: string, currency: string): number | null {
  const plain = BESIDE_SYMBOL.exec(text.trim())?.[1] ?? '';
  const major = language() === 'en' ? fromEnglish(plain) : fromOthers(plain);
  return major === null ? null : minorUnits(major, currency);
}

/** Commas group digits, and a point begins the decimals. */
function fromEnglish(text: string): string {
  const hasGroups = /^\d{1,3}(?:,\d{3})+(?:\.|$)/.test(text);
  return hasGroups ? text.replaceAll(',', '') : text;
}

const GROUPED = /^\d{1,3}(?:([., \u00a0\u202f'’])\d{3}(?:\1\d{3})*)?$/;

/**
 * German, Spanish and French write `1.234,50`, `1234,50` or `1 234,50`; Switzerland `1’234.50` and Mexico `1,234.50`.
 * With one or two digits at the end, each has one reading. `1.234` and `1,234` have two, so they are not an amount.
 */
function fromOthers(text: string): string | null {
  const [, whole = text, mark = '', decimals = ''] = /^(.*)([.,])(\d{1,2})$/.exec(text) ?? [];
  if (/^\d+$/.test(whole)) return withDecimals(whole, decimals);
  const group = GROUPED.exec(whole)?.[1];
  if (group === undefined || group === mark) return null;
  const digits = whole.replaceAll(group, '');
  const isAmbiguous = decimals === '' && /^\d+[.,]\d{3}$/.test(whole);
  return isAmbiguous ? null : withDecimals(digits, decimals);
}

const withDecimals = (whole: string, decimals: string) => (decimals === '' ? whole : `${whole}.${decimals}`);

/**
 * The amount of a form's hidden field, in minor units, as the page wrote it. NaN, which REST rejects, for everything else
 * that `Number` would read, such as `0x10`.
 */
export const centsIn = (field: string | undefined): number =>
  /^\d{1,9}$/.test(field ?? '') ? Number(field) : Number.NaN;

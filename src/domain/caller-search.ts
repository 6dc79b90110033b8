/**
 * Parses what a person types to find a caller: a whole number, a number as dialed in a country, or its last digits, in
 * digits or in words.
 */
import { COUNTRIES_OF_CURRENCY, type Currency } from './money.ts';
import {
  type Country,
  countryOfNumber,
  type E164,
  parseCountry,
  parseE164,
  parseNetworkNumber,
} from './phone-number.ts';
import { readSpokenDigits } from './spoken-digits.ts';

/** Matches `numbers`, and numbers that end in `ending`. */
interface CallerSearch {
  numbers: readonly E164[];
  /** 4 to 10 digits. Null: only whole numbers match. */
  ending: string | null;
}

/** Of a number in words. */
export const MAX_CALLER_TEXT = 100;
/** Of a number with all signs and an extension. Longer texts are not read: the patterns below would take very long. */
const MAX_WRITTEN_NUMBER = 60;
/** `plus one, four one five …`, in Spanish `más`. */
const PLUS: ReadonlySet<string> = new Set(['plus', 'mas']);
/** Before a country code, in most countries and in North America. */
const DIALED_ABROAD = /^(?:00|011)(?=[1-9])/;
const ENDING = /^\d{4,10}$/;
/** Spaces, hyphens and dashes of all kinds, invisible marks of pasted text, and the signs that numbers are written with. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212()./·]/gu;
/** `x3`, `ext. 3`, `;ext=3`, `#3`: within the caller's own building. */
const EXTENSION = /\s*(?:;\s*|,\s*)?(?:x|ext\.?|extension|#)\s*[=:]?\s*\d{1,6}\s*$/iu;

/**
 * What a telephone would dial for `text`: digits, after a `+` if there is one. Null for a text that is no number.
 * Numbers come from web pages, address books and telephone links, with typographic hyphens, full-width digits,
 * invisible marks and extensions. Callers say them in words.
 */
export function dialedText(text: string): string | null {
  if (text.length > MAX_CALLER_TEXT) return null;
  const dialed = spokenNumber(text) ?? writtenNumber(text);
  return dialed !== null && /^\+?\d{4,20}$/.test(dialed) ? dialed : null;
}

/** `four one five, double five …`. Null if the text has other words, or only digits. */
function spokenNumber(text: string): string | null {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  const words = plain.split(/[\s\p{Pd}()+,./·]+/u).filter((word) => word !== '');
  if (words.every((word) => /^\d+$/.test(word))) return null;
  const isWhole = plain.trimStart().startsWith('+') || PLUS.has(words[0] ?? '');
  let digits = isWhole ? '+' : '';
  for (let place = PLUS.has(words[0] ?? '') ? 1 : 0; place < words.length; ) {
    const word = words[place] ?? '';
    const spoken = readSpokenDigits(word, words[place + 1] ?? '');
    if (spoken === null && !/^\d+$/.test(word)) return null;
    digits += spoken?.digits ?? word;
    place += spoken?.consumed ?? 1;
  }
  return digits;
}

function writtenNumber(text: string): string | null {
  if (text.length > MAX_WRITTEN_NUMBER) return null;
  return (
    text
      .normalize('NFKC')
      .replace(/^\s*(?:tel|callto):/i, '')
      .replace(EXTENSION, '')
      // `+49 (0) 170 …`: the 0 is only dialed within the country.
      .replace(/^(\W*\+.*)\(0\)/u, '$1')
      .replace(SEPARATORS, '')
  );
}

/**
 * @param countries in which a number without a country code may have been dialed
 * @returns null if `text` is neither a number nor the end of one
 */
export function parseCallerSearch(text: string, countries: readonly Country[]): CallerSearch | null {
  const dialed = dialedText(text);
  if (dialed === null) return null;
  const whole = parseE164(dialed);
  if (whole !== null) return { numbers: [whole], ending: null };
  if (dialed.startsWith('+')) return null;
  const abroad = parseE164(dialed.replace(DIALED_ABROAD, '+'));
  const numbers = [null, ...countries]
    .flatMap((country) => parseNetworkNumber(dialed, country) ?? [])
    .concat(abroad ?? []);
  const ending = ENDING.test(dialed) ? dialed : null;
  return numbers.length === 0 && ending === null ? null : { numbers: [...new Set(numbers)], ending };
}

/** The settings of an account's merchants that show their countries. */
export interface MerchantOrigins {
  currencies: readonly Currency[];
  /** BCP 47. */
  languages: readonly string[];
  /** E.164. */
  numbers: readonly string[];
}

/** The countries in which the merchants' callers dial, as far as their settings show. */
export function countriesOf({ currencies, languages, numbers }: MerchantOrigins): Country[] {
  const regions = languages.flatMap((language) => new Intl.Locale(language).region ?? []);
  const found = [...regions.map(parseCountry), ...numbers.map(countryOfNumber)];
  const known = found.flatMap((country) => country ?? []);
  return [...new Set([...known, ...currencies.flatMap((currency) => COUNTRIES_OF_CURRENCY[currency])])];
}

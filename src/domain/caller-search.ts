/**
 * Parses what a person types to find a caller: a whole number, a number as dialed in a country, or its last digits.
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

/** Matches `numbers`, and numbers that end in `ending`. */
interface CallerSearch {
  numbers: readonly E164[];
  /** 4 to 10 digits. Null: only whole numbers match. */
  ending: string | null;
}

const ENDING = /^\d{4,10}$/;

/**
 * @param countries in which a number without a country code may have been dialed
 * @returns null if `text` is neither a number nor the end of one
 */
export function parseCallerSearch(text: string, countries: readonly Country[]): CallerSearch | null {
  // `+49 (0) 170 …`: the 0 is only dialed within the country.
  const dialed = text.replace(/^(\s*\+.*)\(0\)/, '$1').replace(/[\s()./-]/g, '');
  const whole = parseE164(dialed);
  if (whole !== null) return { numbers: [whole], ending: null };
  if (!/^\d{4,20}$/.test(dialed)) return null;
  const numbers = [null, ...countries].flatMap((country) => parseNetworkNumber(dialed, country) ?? []);
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

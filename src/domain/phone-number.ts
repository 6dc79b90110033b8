/** Phone numbers in E.164. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+` and up to fifteen digits, of a length that its country has. Made by {@link parseE164}. */
export type E164 = string & { readonly __kind: 'E164' };

/** A country's two letters (ISO 3166-1), of those whose numbering is known. Made by {@link parseCountry}. */
export type Country = CountryCode;

/** What telephone networks and voice platforms say in place of a number that the caller withholds. */
const WITHHELD: ReadonlySet<string> = new Set(['', 'anonymous', 'unavailable', 'unknown', 'restricted']);

/** Whether a platform says by `text` that it does not know who calls. */
export function isWithheldNumber(text: string): boolean {
  return WITHHELD.has(text.trim().toLowerCase());
}

/**
 * The number if `text` is one in E.164, else null. Its form is checked (country code, length), not whether it is
 * assigned: voice platforms call from test and fictional numbers too.
 */
export function parseE164(text: string): E164 | null {
  const number = parsePhoneNumberFromString(text);
  return number?.number === text && number.isPossible() ? (text as E164) : null;
}

/** The country if `text` is one's two letters, in either case, else null. */
export function parseCountry(text: string): Country | null {
  const letters = text.toUpperCase();
  return isSupportedCountry(letters) ? letters : null;
}

/**
 * The country of a number in E.164, also of one that is not assigned: of countries that share their code, the main one.
 * Null for numbers of none (satellite, toll-free services of many countries).
 */
export function countryOfNumber(phone: string): Country | null {
  const number = parsePhoneNumberFromString(phone);
  return number?.country ?? number?.getPossibleCountries()[0] ?? null;
}

/**
 * The number that a telephone network means by `text`: in E.164, the same without its `+`, or, where `country` is
 * known, as it is dialled there (`020 …`, `0044 …`, `011 44 …`, ten digits in North America). What reads both ways is
 * the country's own.
 */
export function parseNetworkNumber(text: string, country: Country | null): E164 | null {
  const number = parseE164(text);
  if (number !== null || !/^\d{3,20}$/.test(text)) return number;
  const withPlus = parsePhoneNumberFromString(`+${text}`);
  const isWhole = country === null || (withPlus?.isValid() && withPlus.country === country);
  return (isWhole ? null : nationalNumber(text, country)) ?? parseE164(`+${text}`);
}

function nationalNumber(text: string, country: Country): E164 | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return number?.isPossible() ? parseE164(number.number) : null;
}

/** A number for people to read: `+1 555 010 0100`. */
export const readableNumber = (phone: E164): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;

/** A number for lists and the log: `…34`. */
export const maskedNumber = (phone: string): string => `…${phone.slice(-2)}`;

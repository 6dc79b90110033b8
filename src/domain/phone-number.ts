/** Phone numbers in E.164. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parseNumber } from './parsed-number.ts';

/** `+` and up to fifteen digits, with a length that its country uses. Created by {@link parseE164}. */
export type E164 = string & { readonly __kind: 'E164' };

/** A country's two letters (ISO 3166-1), if its numbering is known. Created by {@link parseCountry}. */
export type Country = CountryCode;

/** Words of telephone networks and voice platforms for a withheld number. */
const WITHHELD: ReadonlySet<string> = new Set(['', 'anonymous', 'unavailable', 'unknown', 'restricted']);

/** Whether a platform's `text` means that the caller's number is unknown. */
export function isWithheldNumber(text: string): boolean {
  return WITHHELD.has(text.trim().toLowerCase());
}

/**
 * The number if `text` is E.164, otherwise null. Only its form is checked (country code, length), not whether it is
 * assigned: voice platforms also call from test and fictional numbers.
 */
export function parseE164(text: string): E164 | null {
  const number = parseNumber(text);
  return number?.number === text && number.isPossible() ? (text as E164) : null;
}

/** The country if `text` is its two letters in either case, otherwise null. */
export function parseCountry(text: string): Country | null {
  const letters = text.toUpperCase();
  return isSupportedCountry(letters) ? letters : null;
}

/**
 * The country of a number in E.164, assigned or not. If countries share a code, the main one. Null for numbers of no
 * country (satellite, international toll-free).
 */
export function countryOfNumber(phone: string): Country | null {
  const number = parseNumber(phone);
  return number?.country ?? number?.getPossibleCountries()[0] ?? null;
}

/**
 * The number that a telephone network means by `text`: in E.164, E.164 without `+`, or as dialed in `country` if known
 * (`020 …`, `0044 …`, `011 44 …`, ten digits in North America). An ambiguous text is read as the country's own number.
 */
export function parseNetworkNumber(text: string, country: Country | null): E164 | null {
  const number = parseE164(text);
  if (number !== null || !/^\d{3,20}$/.test(text)) return number;
  const withPlus = parseNumber(`+${text}`);
  const isWhole = country === null || (withPlus?.isValid() && withPlus.country === country);
  return (isWhole ? null : nationalNumber(text, country)) ?? parseE164(`+${text}`);
}

function nationalNumber(text: string, country: Country): E164 | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return number?.isPossible() ? parseE164(number.number) : null;
}

/** A number for people: `+1 555 010 0100`. */
export const readableNumber = (phone: E164): string => parseNumber(phone)?.formatInternational() ?? phone;

/** A number for lists and the log: `…34`. */
export const maskedNumber = (phone: string): string => `…${phone.slice(-2)}`;

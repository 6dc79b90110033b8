/**
 * Rules for keyed card data: brand, length, check digit, expiry, length of the security code. Card data is passed as
 * {@link Secret} and read only inside `reveal`. Results contain only the brand and the last four digits.
 */
import creditCardType from 'credit-card-type';
import { Secret } from './secret.ts';

/** A card network, recognized by the number's prefix. */
interface CardBrand {
  /** The ID in credit-card-type, such as `american-express`, used by `acceptedBrands`. */
  id: string;
  /** For people, such as `American Express`. */
  name: string;
  /** For the database and the API: upper case, such as `AMERICAN_EXPRESS`. */
  label: string;
  /** Possible lengths, ascending. */
  lengths: readonly number[];
  securityCodeLength: number;
}

/** The limit of ISO/IEC 7812-1, and the shortest number that a network still issues. */
const MAX_NUMBER_LENGTH = 19;
const MIN_NUMBER_LENGTH = 12;

/**
 * Replaces the library's lengths. It lists Visa and Discover numbers of 18 and 19 digits. They are not issued for
 * payments, and because of them the 16th digit could not end the field.
 */
const LENGTHS: Readonly<Record<string, readonly number[]>> = { visa: [13, 16], discover: [16] };

interface Row extends CardBrand {
  /** Prefix ranges as text; both ends have the same length. */
  prefixes: readonly { from: string; to: string }[];
}

let rows: readonly Row[] | undefined;

/** credit-card-type's table, read once. Its own lookup returns one brand even if a range belongs to two. */
function table(): readonly Row[] {
  rows ??= Object.values(creditCardType.types).map((id) => {
    const type = creditCardType.getTypeInfo(id);
    return {
      id,
      name: type.niceType,
      label: id.toUpperCase().replaceAll('-', '_'),
      lengths: LENGTHS[id] ?? type.lengths,
      securityCodeLength: type.code.size,
      prefixes: type.patterns.map((pattern) => {
        const [from, to] = Array.isArray(pattern) ? pattern : [pattern, pattern];
        return { from: String(from), to: String(to) };
      }),
    };
  });
  return rows;
}

/** The length of the brand's longest prefix that matches the number; 0 if none does. */
function matchLength(row: Row, digits: string): number {
  const fitting = row.prefixes.filter(({ from, to }) => {
    const start = digits.slice(0, from.length);
    return start.length === from.length && start >= from && start <= to;
  });
  return Math.max(0, ...fitting.map(({ from }) => from.length));
}

/** The brands whose ranges contain a number of 6 or more digits, narrowest range first. Empty for an unknown prefix. */
function candidates(digits: string, accepted: readonly string[]): CardBrand[] {
  const all = table()
    .map((row) => ({ row, length: matchLength(row, digits) }))
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(({ row }) => row);
  // Some ranges belong to two networks (65… to Discover and Elo). The one that the merchant accepts counts.
  const acceptedOnes = all.filter((brand) => accepted.includes(brand.id));
  return acceptedOnes.length > 0 ? acceptedOnes : all;
}

/** The brand of a number; null for an unknown prefix. If there are several, the one that the merchant accepts. */
export function brandOf(number: Secret, accepted: readonly string[] = []): CardBrand | null {
  return number.reveal((digits) => candidates(digits, accepted)[0] ?? null);
}

/** The display name of a brand's label (`CardBrand.label`); null if unknown. */
function brandName(label: string): string | null {
  return table().find((row) => row.label === label)?.name ?? null;
}

/** Processors' words for an unknown brand. */
const NO_BRAND = ['UNKNOWN', 'OTHER_BRAND'];

/**
 * A brand for people: `American Express`.
 * @param label as in `CardBrand.label`, or a processor's own
 * @returns null if it names no brand
 */
export function brandText(label: string | null): string | null {
  if (label === null || NO_BRAND.includes(label)) return null;
  const words = label.toLowerCase().split('_');
  return brandName(label) ?? words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join(' ');
}

/** How much of a number has been keyed. `may_be_complete`: the brand also has longer numbers. */
export type NumberProgress = 'incomplete' | 'may_be_complete' | 'complete';

/**
 * @param number the keys so far
 * @param accepted IDs of brands, to distinguish networks that share a range
 */
export function numberProgress(number: Secret, accepted: readonly string[]): NumberProgress {
  if (number.length >= MAX_NUMBER_LENGTH) return 'complete';
  if (number.length < MIN_NUMBER_LENGTH) return 'incomplete';
  return number.reveal((digits) => {
    const brand = candidates(digits, accepted)[0];
    if (brand === undefined) return 'may_be_complete';
    if (digits.length >= Math.max(...brand.lengths)) return 'complete';
    return brand.lengths.includes(digits.length) ? 'may_be_complete' : 'incomplete';
  });
}

/** Why a number cannot be used. `looks_wrong`: a failing check digit, or an unknown prefix. */
type NumberFault = 'incomplete' | 'looks_wrong' | 'card_not_accepted';

/** Null if a number can be sent for authorization: length of its brand, check digit, accepted brand. */
export function numberFault(number: Secret, accepted: readonly string[]): NumberFault | null {
  if (number.length < MIN_NUMBER_LENGTH) return 'incomplete';
  const brand = brandOf(number, accepted);
  if (brand !== null && !brand.lengths.includes(number.length)) return 'incomplete';
  // The check digit comes first: a mistyped digit can also change the brand, and "we don't take this card" would
  // mislead.
  if (brand === null || !passesLuhn(number)) return 'looks_wrong';
  return accepted.includes(brand.id) ? null : 'card_not_accepted';
}

/** The check digit of ISO/IEC 7812-1, annex B. False for an empty text and for other characters. */
export const passesLuhn = (number: Secret): boolean => number.reveal(hasCheckDigit);

/** {@link passesLuhn} for digits in free text that may be a card number. */
export function hasCheckDigit(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The last four digits, which can be shown and spoken (PCI DSS 3.4.1). */
export function lastFourOf(number: Secret): string {
  return number.reveal((digits) => digits.slice(-4));
}

/** A calendar month: `month` 1 … 12, `year` with four digits. */
export interface YearMonth {
  month: number;
  year: number;
}

/** No issuer prints a later date, so the year was mistyped. */
const MAX_YEARS_AHEAD = 20;

type ExpiryFault = 'incomplete' | 'looks_wrong' | 'in_the_past';

/**
 * Reads `MMYY` or `MMYYYY`. A card is valid until the end of its month.
 * @returns a new Secret `MMYY`, which the caller wipes, or the fault
 */
export function expiryFrom(keyed: Secret, today: YearMonth): Secret | ExpiryFault {
  if (keyed.length < 4 || keyed.length === 5) return 'incomplete';
  return keyed.reveal((digits) => {
    const match = /^(0[1-9]|1[0-2])(?:20)?(\d\d)$/.exec(digits);
    if (match === null) return 'looks_wrong';
    const [, month = '', yearOfCentury = ''] = match;
    const monthsAhead = (2000 + Number(yearOfCentury) - today.year) * 12 + Number(month) - today.month;
    if (monthsAhead < 0) return 'in_the_past';
    if (monthsAhead > MAX_YEARS_AHEAD * 12) return 'looks_wrong';
    return Secret.of(month + yearOfCentury);
  });
}

/**
 * How much of an expiry has been keyed. Four digits are complete, with two exceptions. `MM20` may become `MM20YY`,
 * because 2020 is past. An invalid month was mistyped, or becomes `M20YY`. The digits that follow must not count for
 * the next field.
 */
export function expiryProgress(keyed: Secret): NumberProgress {
  if (keyed.length < 4) return 'incomplete';
  if (keyed.length >= 6) return 'complete';
  return keyed.reveal((digits) => (/^(0[1-9]|1[0-2])(?!20)\d\d$/.test(digits) ? 'complete' : 'may_be_complete'));
}

/** Month and year of an `MMYY` Secret from {@link expiryFrom}. */
export function expiryParts(expiry: Secret): YearMonth {
  return expiry.reveal((digits) => ({ month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) }));
}

/** The length of the security code: 3, or 4 for American Express. 3 if the brand is unknown. */
export function securityCodeLength(number: Secret, accepted: readonly string[] = []): number {
  return brandOf(number, accepted)?.securityCodeLength ?? 3;
}

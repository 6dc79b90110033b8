/** Phone numbers in E.164. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+` and up to fifteen digits, of a length that its country has. Made by {@link parseE164}. */
export type E164 = string & { readonly __kind: 'E164' };

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

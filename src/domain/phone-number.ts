/** Phone numbers in E.164. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+` and up to fifteen digits, of a length that its country has. Made by {@link parseE164}. */
export type E164 = string & { readonly __kind: 'E164' };

/**
 * The number if `text` is one in E.164, else null. Its form is checked (country code, length), not whether it is
 * assigned: voice platforms call from test and fictional numbers too.
 */
export function parseE164(text: string): E164 | null {
  const number = parsePhoneNumberFromString(text);
  return number?.number === text && number.isPossible() ? (text as E164) : null;
}

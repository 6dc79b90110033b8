/** Telephone numbers, as E.164 writes them. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** `+` and up to fifteen digits, of a length that its country has. Made by {@link parseE164}. */
export type E164 = string & { readonly __kind: 'E164' };

/**
 * The one plan whose numbers all have one form: ten digits after +1, no trunk prefix to be mistaken for one. The library
 * says the same of each (there is a test), at fifty times the cost.
 */
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/**
 * The number if `text` is one in E.164, else null. Its form is checked (country code, length), not whether it is
 * assigned: voice platforms call from test and fictional numbers too.
 */
export function parseE164(text: string): E164 | null {
  if (NORTH_AMERICAN.test(text)) return text as E164;
  const number = parsePhoneNumberFromString(text);
  return number?.number === text && number.isPossible() ? (text as E164) : null;
}

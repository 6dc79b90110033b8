/**
 * Parses phone numbers, and remembers the last ones: a checkout and its call parse the same few numbers a dozen times,
 * at some 50 µs each.
 */
import * as max from 'libphonenumber-js/max';
import * as min from 'libphonenumber-js/min';

type Parse = (text: string) => min.PhoneNumber | undefined;

const MAX_REMEMBERED = 2_000;
/** Longer texts are no numbers, and are not kept. */
const MAX_LENGTH = 32;

/** @returns undefined if `text` is no number with a country code. Knows lengths, and hardly any types. */
export const parseNumber = remembered((text) => min.parsePhoneNumberFromString(text));

/** The same, with the types of numbers. */
export const parseTypedNumber = remembered((text) => max.parsePhoneNumberFromString(text));

function remembered(parse: Parse): Parse {
  const known = new Map<string, min.PhoneNumber | undefined>();
  return (text) => {
    if (text.length > MAX_LENGTH) return parse(text);
    if (known.has(text)) return known.get(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    const number = parse(text);
    known.set(text, number);
    return number;
  };
}

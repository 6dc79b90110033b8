/**
 * Words for digits, as people and speech recognizers write them: English, Spanish, French and German, without accents.
 */

const NAMES: Readonly<Record<string, readonly string[]>> = {
  0: ['zero', 'oh', 'o', 'nought', 'cero', 'null'],
  1: ['one', 'uno', 'una', 'un', 'une', 'eins', 'ein', 'eine'],
  2: ['two', 'dos', 'deux', 'zwei', 'zwo'],
  3: ['three', 'tres', 'trois', 'drei'],
  4: ['four', 'cuatro', 'quatre', 'vier'],
  5: ['five', 'cinco', 'cinq', 'funf', 'fuenf'],
  6: ['six', 'seis', 'sechs'],
  7: ['seven', 'siete', 'sept', 'sieben'],
  8: ['eight', 'ocho', 'huit', 'acht'],
  9: ['nine', 'niner', 'nueve', 'neuf', 'neun'],
};

/** Words for one digit. */
export const DIGIT_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([digit, names]) => names.map((name) => [name, digit] as const)),
);

/** `fifteen`: `15`. */
const ENGLISH_TEENS: ReadonlyMap<string, string> = new Map(
  ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'].map(
    (name, place) => [name, String(10 + place)] as const,
  ),
);

/** `forty`: the first of its two digits. */
const ENGLISH_TENS: ReadonlyMap<string, string> = new Map(
  ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].map(
    (name, place) => [name, String(2 + place)] as const,
  ),
);

/** `double four`. */
const REPEATS: ReadonlyMap<string, number> = new Map([
  ['double', 2] as const,
  ['doble', 2] as const,
  ['doppel', 2] as const,
  ['triple', 3] as const,
]);

/** Digits at the start of some words, and how many of these words they take. */
interface SpokenDigits {
  digits: string;
  consumed: 1 | 2;
}

const digitOf = (word: string) => DIGIT_WORDS.get(word) ?? (/^\d$/.test(word) ? word : null);

/**
 * The digits of a word, alone or with the next word: `four`, `double four`, `forty two`.
 * @param word lower case, without accents, as `next`
 * @returns null if they are no words for digits
 */
export function readSpokenDigits(word: string, next: string): SpokenDigits | null {
  const following = digitOf(next);
  const times = REPEATS.get(word);
  if (times !== undefined && following !== null) return { digits: following.repeat(times), consumed: 2 };
  const tens = ENGLISH_TENS.get(word);
  if (tens !== undefined) {
    const isCompound = following !== null && following !== '0' && DIGIT_WORDS.has(next);
    return isCompound ? { digits: tens + following, consumed: 2 } : { digits: `${tens}0`, consumed: 1 };
  }
  const digits = DIGIT_WORDS.get(word) ?? ENGLISH_TEENS.get(word);
  return digits === undefined ? null : { digits, consumed: 1 };
}

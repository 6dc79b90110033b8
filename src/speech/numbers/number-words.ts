/**
 * What the number words of a language are asked for: a whole number as it is said before a noun, e.g. of a currency.
 */

/** Of the noun that follows. Languages whose numbers do not change by it ignore it. */
export type Gender = 'masculine' | 'feminine' | 'neuter';

/**
 * The largest number that is put into words: MAX_AMOUNT_CENTS (`domain/money.ts`) of a currency without a minor unit.
 */
export const MAX_NUMBER = 99_999_999;

/** @param value an integer, 0 … {@link MAX_NUMBER} */
export type NumberWords = (value: number, gender: Gender) => string;

/** Thousands and what is left of a number below a million. */
export function splitThousands(value: number): { thousands: number; rest: number } {
  return { thousands: Math.floor(value / 1_000), rest: value % 1_000 };
}

/**
 * Puts the millions of a number before the words of the rest.
 * @param millions words for 1 … 99 millions, with the noun
 * @param below words for 0 … 999,999
 */
export function withMillions(millions: (count: number) => string, below: NumberWords): NumberWords {
  return (value, gender) => {
    const [count, rest] = [Math.floor(value / 1_000_000), value % 1_000_000];
    if (count === 0) return below(rest, gender);
    return joinWords(millions(count), rest === 0 ? '' : below(rest, gender));
  };
}

/** The words of a number in order, without those that are not said. */
export function joinWords(...words: string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** What the number words of a language are asked for: a whole number as it is said before a noun, e.g. of a currency. */

/** Of the noun that follows. Languages whose numbers do not change by it ignore it. */
export type Gender = 'masculine' | 'feminine' | 'neuter';

/** The largest number that is put into words: the whole units of MAX_AMOUNT_CENTS (`domain/money.ts`). */
export const MAX_NUMBER = 999_999;

/** @param value an integer, 0 … {@link MAX_NUMBER} */
export type NumberWords = (value: number, gender: Gender) => string;

/** Thousands and what is left of a number. */
export function splitThousands(value: number): { thousands: number; rest: number } {
  return { thousands: Math.floor(value / 1_000), rest: value % 1_000 };
}

/** The words of a number in order, without those that are not said. */
export function joinWords(...words: string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

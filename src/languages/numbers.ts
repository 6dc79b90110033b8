/** Numbers and amounts as the line says them. */
import { minorDigits } from '../domain/cached-formats.ts';
import type { Currency } from '../domain/money.ts';

export type Gender = 'masculine' | 'feminine' | 'neuter';

/** Words for a whole number from 0 to {@link MAX_NUMBER} before a noun of this gender. Many languages ignore the gender. */
type NumberWords = (value: number, gender: Gender) => string;

interface Noun {
  /** After one: "dollar". */
  one: string;
  /** After other numbers: "dollars". */
  many: string;
  /** Masculine by default. Needed only if the language's numbers change by it. */
  gender?: Gender;
}

/** `minor` is missing exactly for currencies without a minor unit. */
interface CurrencyWords {
  major: Noun;
  minor?: Noun;
}

export interface Numbers {
  /** Zero to nine, said one by one: the last digits of a card. */
  digits: readonly [string, string, string, string, string, string, string, string, string, string];
  words: NumberWords;
  /** Whether the noun after this number is in the singular. */
  isSingular: (value: number) => boolean;
  /** Between this number and its noun, with a leading space. Empty for most numbers. */
  beforeNoun: (value: number) => string;
  /** Between the major and the minor units of an amount. */
  and: string;
  currencies: Record<Currency, CurrencyWords>;
}

/** MAX_AMOUNT_CENTS (`domain/money.ts`) in a currency without a minor unit. */
export const MAX_NUMBER = 99_999_999;

/** The thousands and the rest of a number below a million. */
export function splitThousands(value: number): { thousands: number; rest: number } {
  return { thousands: Math.floor(value / 1_000), rest: value % 1_000 };
}

/**
 * Puts the millions of a number before the words for the rest.
 * @param millions words for 1 to 99 millions, with the noun
 * @param below words for 0 to 999,999
 */
export function withMillions(millions: (count: number) => string, below: NumberWords): NumberWords {
  return (value, gender) => {
    const [count, rest] = [Math.floor(value / 1_000_000), value % 1_000_000];
    if (count === 0) return below(rest, gender);
    return joinWords(millions(count), rest === 0 ? '' : below(rest, gender));
  };
}

/** Joins words with spaces, without the empty ones. */
export function joinWords(...words: string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/**
 * An amount in words. 4250 USD: "forty-two dollars and fifty cents"; 50: "fifty cents"; 4200: "forty-two dollars". 4250 JPY: "four
 * thousand two hundred fifty yen".
 * @param amountCents 0 to MAX_AMOUNT_CENTS
 */
export function amountInWords(amountCents: number, currency: Currency, numbers: Numbers): string {
  const { words, beforeNoun, isSingular, and } = numbers;
  const { major, minor } = numbers.currencies[currency];
  const count = (value: number, { one, many, gender = 'masculine' }: CurrencyWords['major']) =>
    `${words(value, gender)}${beforeNoun(value)} ${isSingular(value) ? one : many}`;
  const minorUnits = 10 ** minorDigits(currency);
  const [units, rest] = [Math.floor(amountCents / minorUnits), amountCents % minorUnits];
  if (rest === 0 || minor === undefined) return count(units, major);
  return units === 0 ? count(rest, minor) : `${count(units, major)} ${and} ${count(rest, minor)}`;
}

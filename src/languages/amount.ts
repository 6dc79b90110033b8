/** Amounts in words, for the line. */
import { minorDigits } from '../domain/kept-formats.ts';
import type { Currency } from '../domain/money.ts';
import type { CurrencyWords, Numbers } from './numbers.ts';

/**
 * E.g. 4250 USD: "forty-two dollars and fifty cents"; 50: "fifty cents"; 4200: "forty-two dollars". 4250 JPY: "four
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

/** Amounts in words: numbers by the rules of each language, currencies by its catalogue. */
import { minorDigits } from '../domain/kept-formats.ts';
import type { Currency } from '../domain/money.ts';
import { type Catalogue, hasMinorUnit } from './catalogue.ts';
import type { Gender } from './numbers/number-words.ts';
import { numberRulesOf } from './numbers/numbers.ts';

/**
 * E.g. 4250 USD: "forty-two dollars and fifty cents"; 50: "fifty cents"; 4200: "forty-two dollars". 4250 JPY: "four
 * thousand two hundred fifty yen".
 * @param amountCents 0 … MAX_AMOUNT_CENTS
 */
export function amountInWords(amountCents: number, currency: Currency, catalogue: Catalogue): string {
  const rules = numberRulesOf(catalogue.language);
  if (rules === null) throw new Error(`there are no number words in ${catalogue.language}`);
  const unit = catalogue.currencies[currency];
  const count = (value: number, one: string, many: string, gender: Gender = 'masculine') =>
    `${rules.words(value, gender)}${rules.beforeNoun(value)} ${rules.isSingular(value) ? one : many}`;
  const minorUnits = 10 ** minorDigits(currency);
  const major = Math.floor(amountCents / minorUnits);
  const minor = amountCents % minorUnits;
  const majorWords = count(major, unit.one, unit.many, unit.gender);
  if (minor === 0 || !hasMinorUnit(unit)) return majorWords;
  const minorWords = count(minor, unit.minorOne, unit.minorMany, unit.minorGender);
  return major === 0 ? minorWords : `${majorWords} ${catalogue.and} ${minorWords}`;
}

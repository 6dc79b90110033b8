/** Amounts in words: numbers by the rules of each language, currencies by its catalogue. */
import type { Currency } from '../domain/money.ts';
import type { Catalogue } from './catalogue.ts';
import type { Gender } from './numbers/number-words.ts';
import { numberRulesOf } from './numbers/numbers.ts';

/** All our currencies have hundredths (`Currency` in domain/money.ts): there is none without, such as JPY. */
const MINOR_UNITS = 100;

/**
 * E.g. 4250 USD: "forty-two dollars and fifty cents"; 50: "fifty cents"; 4200: "forty-two dollars".
 * @param amountCents 0 … MAX_AMOUNT_CENTS
 */
export function amountInWords(amountCents: number, currency: Currency, catalogue: Catalogue): string {
  const rules = numberRulesOf(catalogue.language);
  if (rules === null) throw new Error(`there are no number words in ${catalogue.language}`);
  const unit = catalogue.currencies[currency];
  const count = (value: number, one: string, many: string, gender: Gender = 'masculine') =>
    `${rules.words(value, gender)} ${rules.isSingular(value) ? one : many}`;
  const major = Math.floor(amountCents / MINOR_UNITS);
  const minor = amountCents % MINOR_UNITS;
  const majorWords = count(major, unit.one, unit.many, unit.gender);
  if (minor === 0) return majorWords;
  const minorWords = count(minor, unit.minorOne, unit.minorMany, unit.minorGender);
  return major === 0 ? minorWords : `${majorWords} ${catalogue.and} ${minorWords}`;
}

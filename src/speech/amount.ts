/** Amounts in words. */
import { toCardinal } from 'n2words/en-US';
import type { Catalogue } from './catalogue.ts';

/** Numbers to words, by primary language subtag; a new catalogue brings its own. */
const CARDINALS: Readonly<Record<string, (value: number) => string>> = { en: (value) => toCardinal(value) };

/** All our currencies have hundredths (`Currency` in domain/money.ts). */
const MINOR_UNITS = 100;

/** E.g. 4250 USD: "forty-two dollars and fifty cents"; 50: "fifty cents"; 4200: "forty-two dollars". */
export function amountInWords(amountCents: number, currency: string, catalogue: Catalogue): string {
  const cardinal = CARDINALS[catalogue.language.split('-')[0] ?? ''] ?? toCardinal;
  const unit = catalogue.currencies[currency] ?? { one: currency, many: currency, minorOne: '', minorMany: '' };
  const major = Math.floor(amountCents / MINOR_UNITS);
  const minor = amountCents % MINOR_UNITS;
  const majorWords = `${cardinal(major)} ${major === 1 ? unit.one : unit.many}`;
  const minorWords = `${cardinal(minor)} ${minor === 1 ? unit.minorOne : unit.minorMany}`.trim();
  if (minor === 0) return majorWords;
  return major === 0 ? minorWords : `${majorWords} ${catalogue.and} ${minorWords}`;
}

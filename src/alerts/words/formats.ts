/** Amounts, numbers, days and plurals of messages, in the language of the reader. */
import { cached, currencyFormat, minorDigits } from '../../domain/cached-formats.ts';
import type { LanguageTag } from '../../languages/index.ts';

/** Of amounts and numbers. */
const NUMBERS: Readonly<Record<LanguageTag, string>> = { en: 'en-US', de: 'de', es: 'es', fr: 'fr' };
/** Of days. English has the day before the month. */
const DAYS: Readonly<Record<LanguageTag, string>> = { en: 'en-GB', de: 'de', es: 'es', fr: 'fr' };

const numberFormat = cached((locale) => new Intl.NumberFormat(locale));
const percentFormat = cached((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));
const pluralRules = cached((locale) => new Intl.PluralRules(locale));
const monthFormat = cached(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
const dayFormat = cached(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
);

export function alertFormats(tag: LanguageTag) {
  const number = (value: number): string => numberFormat(NUMBERS[tag]).format(value);
  return {
    number,
    money: (cents: number, currency: string): string =>
      currencyFormat(NUMBERS[tag], currency).format(cents / 10 ** minorDigits(currency)),
    /** @param share `0.42` is `42%` */
    percent: (share: number): string => percentFormat(NUMBERS[tag]).format(share),
    /** `plural(2, { one: '# call', other: '# calls' })`: "2 calls". */
    plural: (count: number, forms: { one: string; other: string }): string =>
      (pluralRules(tag).select(count) === 'one' ? forms.one : forms.other).replace('#', number(count)),
    /** @param day `2026-11-20` */
    day: (day: string): string => dayFormat(DAYS[tag]).format(new Date(`${day}T00:00:00Z`)),
    /** @param month `2026-11` */
    month: (month: string): string => monthFormat(DAYS[tag]).format(new Date(`${month}-01T00:00:00Z`)),
  };
}

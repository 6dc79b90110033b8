/** Amounts, numbers, times and plurals in the language of the request. */
import { cached, currencyFormat, minorDigits } from '../../../domain/cached-formats.ts';
import { shownInterval, type TimeInterval } from '../../../domain/time-interval.ts';
import type { LanguageTag } from '../../../languages/index.ts';
import { language } from './language.ts';
import type { PluralForms } from './plural-forms.ts';
import { timeZone } from './time-zone.ts';

/** Of amounts and numbers. */
const NUMBERS: Readonly<Record<LanguageTag, string>> = { en: 'en-US', de: 'de', es: 'es', fr: 'fr' };
/** Of times and days. English has the day before the month. */
const TIMES: Readonly<Record<LanguageTag, string>> = { en: 'en-GB', de: 'de', es: 'es', fr: 'fr' };

/** `$42.50`. */
export const moneyText = (amountCents: number, currency: string): string =>
  currencyFormat(NUMBERS[language()], currency).format(amountCents / 10 ** minorDigits(currency));

const numberFormat = cached((locale) => new Intl.NumberFormat(locale));

/** `1,234`. */
export const numberText = (value: number): string => numberFormat(NUMBERS[language()]).format(value);

const decimalFormat = cached((locale, digits) => {
  const fraction = Number(digits);
  return new Intl.NumberFormat(locale, { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
});

/** `9.0`: with as many decimals. */
export const decimalText = (value: number, digits: number): string =>
  decimalFormat(NUMBERS[language()], String(digits)).format(value);

const percentFormat = cached((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));

/** @param share `0.425` is `42.5%` */
export const percentText = (share: number): string => percentFormat(NUMBERS[language()]).format(share);

const DAY = { day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const TIME_FORMS = {
  /** `26 Nov, 14:02`. */
  short: { ...DAY, ...CLOCK },
  /** `26 Nov 2026, 14:02:31`. */
  full: { ...DAY, ...CLOCK, year: 'numeric', second: '2-digit' },
  /** `26 Nov 2026, 14:02:31 GMT+1`: one hour repeats when clocks go back. */
  exact: { ...DAY, ...CLOCK, year: 'numeric', second: '2-digit', timeZoneName: 'shortOffset' },
  /** `26/11/2026, GMT+1`. */
  offset: { timeZoneName: 'shortOffset' },
  /** `26 Nov`. */
  day: DAY,
  /** `26 Nov 2026`. */
  date: { ...DAY, year: 'numeric' },
  /** `Thu 26 Nov`. */
  weekday: { ...DAY, weekday: 'short' },
  /** `Thursday 26 November`. */
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  /** `November 2026`. */
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type TimeForm = keyof typeof TIME_FORMS;

const timeFormat = cached(
  (locale, form, zone) => new Intl.DateTimeFormat(locale, { ...TIME_FORMS[form as TimeForm], timeZone: zone }),
);

/** A day, or a time in UTC. @param at ISO 8601 */
export const timeText = (at: string, form: TimeForm): string =>
  timeFormat(TIMES[language()], form, 'UTC').format(new Date(at));

/** A time in the time zone of the page. @param at ISO 8601 */
export const localTimeText = (at: string, form: TimeForm): string =>
  timeFormat(TIMES[language()], form, timeZone()).format(new Date(at));

/** An interval in the time zone of the page: `27 Nov 2026, 03:00–09:00 (GMT-5)`. */
export const intervalRangeText = (interval: TimeInterval): string =>
  shownInterval(interval, TIMES[language()], timeZone());

/** The time zone of the page, with its offset now: `Europe/Berlin (GMT+1)`. */
export function timeZoneText(): string {
  const place = timeZone().replaceAll('_', ' ');
  if (place === 'UTC') return place;
  const parts = timeFormat(TIMES[language()], 'offset', timeZone()).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined || offset === place ? place : `${place} (${offset})`;
}

const listFormat = cached((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** `A, B and C`. */
export const listText = (items: readonly string[]): string => listFormat(TIMES[language()]).format(items);

const pluralRules = cached((locale) => new Intl.PluralRules(locale));

/** `plural(2, { one: '# refund', other: '# refunds' })`: "2 refunds". */
export function plural(count: number, forms: PluralForms): string {
  const category = pluralRules(language()).select(count);
  const form = category === 'one' || category === 'many' ? forms[category] : undefined;
  return (form ?? forms.other).replace('#', numberText(count));
}

/** `12 s`: the same unit in all languages. Only English breaks a line before it. */
export const unitText = (value: number | string, unit: 's' | 'min' | 'ms'): string =>
  `${value}${language() === 'en' ? ' ' : '\u00a0'}${unit}`;

/** `47 s`, `1 min 12 s`, as in the dashboard's script. */
export function durationText(fromIso: string, toIso: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(toIso) - Date.parse(fromIso)) / 1_000));
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? unitText(seconds, 's') : `${unitText(minutes, 'min')} ${unitText(seconds % 60, 's')}`;
}

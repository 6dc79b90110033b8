/** Amounts and times as people read them. */
import { cached, currencyFormat, knownZone, minorDigits } from './cached-formats.ts';
import type { Money } from './money.ts';

export function amountText({ amountCents, currency }: Money, locale: string): string {
  const format = currencyFormat(locale, currency);
  return format.format(amountCents / 10 ** minorDigits(currency));
}

const percentFormat = cached((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));

/** `15%`, or `15 %` in German. */
export function percentText(percent: number, locale: string): string {
  return percentFormat(locale).format(percent / 100);
}

const dayFormat = cached((timeZone) => new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone }));
const TIME = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const timeFormat = cached((locale, timeZone) => new Intl.DateTimeFormat(locale, { ...TIME, timeZone }));
const dayAndTimeFormat = cached(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric', ...TIME, timeZone }),
);

/** The time in the merchant's time zone, with the date if it is not today. @param timeZone IANA name */
export function timeText(at: Date, now: Date, locale: string, timeZone: string): string {
  const zone = knownZone(timeZone);
  const day = dayFormat(zone);
  return (day.format(at) === day.format(now) ? timeFormat : dayAndTimeFormat)(locale, zone).format(at);
}

/** Date and time. */
export function dateText(at: Date, locale: string, timeZone: string): string {
  return dayAndTimeFormat(locale, knownZone(timeZone)).format(at);
}

/**
 * Amounts, times and cards as the page shows them. What Intl makes is kept: to make it takes longer than all the rest of a
 * page.
 */
import { brandName } from '../domain/card.ts';
import type { Money } from '../domain/money.ts';

/** More than the languages, regions, currencies and time zones of one installation's merchants come to. */
const MAX_KEPT = 500;

/** Keeps what `make` makes of a key; begins anew where that are too many. */
function kept<T>(make: (...key: string[]) => T): (...key: string[]) => T {
  const made = new Map<string, T>();
  return (...key) => {
    const name = key.join(' ');
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.size >= MAX_KEPT) made.clear();
    const one = make(...key);
    made.set(name, one);
    return one;
  };
}

const currencyFormat = kept((locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }));

export function amountText({ amountCents, currency }: Money, locale: string): string {
  const format = currencyFormat(locale, currency);
  return format.format(amountCents / 10 ** minorDigits(currency));
}

/** As machines write it: `42.50`, whatever the language. */
export function majorUnits({ amountCents, currency }: Money): string {
  const digits = minorDigits(currency);
  return (amountCents / 10 ** digits).toFixed(digits);
}

const minorDigits = kept((currency) => currencyFormat('en', currency).resolvedOptions().maximumFractionDigits ?? 2);

const dayFormat = kept((timeZone) => new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone }));
const TIME = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const timeFormat = kept((locale, timeZone) => new Intl.DateTimeFormat(locale, { ...TIME, timeZone }));
const dayAndTimeFormat = kept(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric', ...TIME, timeZone }),
);

/** The time at the merchant's place, with the day where that is not `now`'s. @param timeZone IANA name */
export function timeText(at: Date, now: Date, locale: string, timeZone: string): string {
  const zone = knownZone(timeZone);
  const day = dayFormat(zone);
  return (day.format(at) === day.format(now) ? timeFormat : dayAndTimeFormat)(locale, zone).format(at);
}

/** Always with the day. */
export function dateText(at: Date, locale: string, timeZone: string): string {
  return dayAndTimeFormat(locale, knownZone(timeZone)).format(at);
}

const knownZone = kept((timeZone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return 'UTC';
    throw error;
  }
});

/** Processors' words for a card whose brand they don't know. */
const NO_BRAND = ['UNKNOWN', 'OTHER_BRAND'];

/** @param label as in `CardBrand.label`, or a processor's own. @returns null where it says nothing */
export function brandText(label: string | null): string | null {
  if (label === null || NO_BRAND.includes(label)) return null;
  const words = label.toLowerCase().split('_');
  return brandName(label) ?? words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join(' ');
}

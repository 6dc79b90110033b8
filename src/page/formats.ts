/** Amounts, times and cards as the page shows them. */
import { brandName } from '../domain/card.ts';
import type { Money } from '../domain/money.ts';

export function amountText({ amountCents, currency }: Money, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amountCents / 10 ** maximumFractionDigits);
}

/** As machines write it: `42.50`, whatever the language. */
export function majorUnits({ amountCents, currency }: Money): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return (amountCents / 10 ** maximumFractionDigits).toFixed(maximumFractionDigits);
}

/** The time at the merchant's place, with the day where that is not `now`'s. @param timeZone IANA name */
export function timeText(at: Date, now: Date, locale: string, timeZone: string): string {
  const zone = knownZone(timeZone);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: zone });
  const isToday = day.format(at) === day.format(now);
  return new Intl.DateTimeFormat(locale, {
    ...(isToday ? {} : { year: 'numeric', month: 'short', day: 'numeric' }),
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: zone },
  }).format(at);
}

/** Always with the day. */
export function dateText(at: Date, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZoneName: 'short', timeZone: knownZone(timeZone) },
  }).format(at);
}

function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return 'UTC';
    throw error;
  }
}

/** Processors' words for a card whose brand they don't know. */
const NO_BRAND = ['UNKNOWN', 'OTHER_BRAND'];

/** @param label as in `CardBrand.label`, or a processor's own. @returns null where it says nothing */
export function brandText(label: string | null): string | null {
  if (label === null || NO_BRAND.includes(label)) return null;
  const words = label.toLowerCase().split('_');
  return brandName(label) ?? words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join(' ');
}

/** The periods of the overview: the last days of a time zone up to now, and as many days before, up to the same time. */
import { dayIn, startOfDay } from '../../../domain/local-days.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { timeText } from '../words/formats.ts';
import { timeZone } from '../words/time-zone.ts';

export const DAY_CHOICES = ['7', '30', '90'] as const;
const DAY_MS = 86_400_000;

export interface OverviewPeriod {
  days: number;
  /** IANA name. */
  zone: string;
  /** `2026-11-20`. */
  firstDay: string;
  today: string;
  from: Date;
  to: Date;
  compareFrom: Date;
  /** The first and the last day of the period before. */
  before: readonly [from: string, to: string];
}

/** @returns null if there is no such time zone */
export function overviewPeriod(days: number, zone: string, now: Date): OverviewPeriod | null {
  const today = dayIn(now, zone);
  if (today === null) return null;
  const firstDay = addDays(today, 1 - days);
  const before = [addDays(firstDay, -days), addDays(firstDay, -1)] as const;
  const from = startOfDay(firstDay, zone);
  const compareFrom = startOfDay(before[0], zone);
  if (from === null || compareFrom === null) return null;
  // Where clocks have changed, the days before can be an hour shorter than this period.
  const latest = from.getTime() - (now.getTime() - from.getTime());
  return {
    days,
    zone,
    firstDay,
    today,
    from,
    to: now,
    compareFrom: new Date(Math.min(compareFrom.getTime(), latest)),
    before,
  };
}

/** @param day `2026-11-20` */
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The time zones to choose from: the page's, those of the merchants, the most frequent first, and UTC. */
export function zonesOf(merchants: readonly Pick<Merchant, 'timeZone'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { timeZone: zone } of merchants) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([zone]) => zone);
  return [...new Set([timeZone(), ...frequent, 'UTC'])];
}

/** `20 Nov`. @param day `2026-11-20` */
export const dateText = (day: string) => timeText(day, 'day');
/** `Friday 20 November`. */
export const longDateText = (day: string) => timeText(day, 'longDay');

/** `New York`. */
export const placeOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

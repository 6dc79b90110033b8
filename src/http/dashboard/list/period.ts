/** The period of a list in the URL: the last hours or days or an interval, days of a time zone, or both. */
import { endOfDay, startOfDay } from '../../../domain/local-days.ts';
import { parseInterval, type TimeInterval } from '../../../domain/time-interval.ts';
import { timeZone } from '../words/time-zone.ts';

/** Lists can show what was created in the last hours or days. */
export const SINCE = ['1h', '3h', '6h', '24h', '7d', '30d'] as const;
export type Since = (typeof SINCE)[number];

const HOUR_MS = 3_600_000;
/** The period of each choice. */
const SINCE_MS: Readonly<Record<Since, number>> = {
  '1h': HOUR_MS,
  '3h': 3 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

type Query = Readonly<Record<string, string | undefined>>;

export interface Days {
  /** The first day, such as `2026-11-01`, or empty. As in the URL: it may be no day. */
  from: string;
  /** The last day, included, or empty. */
  to: string;
  /** The IANA name of the time zone that the days belong to. */
  zone: string;
}

/** Null if the URL has no days. */
export function daysOf(query: Query): Days | null {
  const from = query.from?.trim() ?? '';
  const to = query.to?.trim() ?? '';
  return from === '' && to === '' ? null : { from, to, zone: query.zone?.trim() || timeZone() };
}

/**
 * What is wrong with a day. `no_day`: there is no such date, or it is not of this century. `no_zone`: the time zone is
 * unknown. `before_from`: the last day is before the first one. Of pages that count: `in_future`, and `too_long` if there
 * are too many days.
 */
type DayFault = 'no_day' | 'no_zone' | 'before_from' | 'in_future' | 'too_long';
export type PeriodFaults = Readonly<Partial<Record<'from' | 'to', DayFault>>>;

/** What is wrong with the days in the URL, by field. Empty if they are right, or if there are none. */
export function periodFaults(query: Query): PeriodFaults {
  const days = daysOf(query);
  if (days === null) return {};
  const { from, to, zone } = days;
  const isWrong = (day: string) => day !== '' && startOfDay(day, 'UTC') === null;
  const wrong = { ...(isWrong(from) && { from: 'no_day' as const }), ...(isWrong(to) && { to: 'no_day' as const }) };
  if (wrong.from !== undefined || wrong.to !== undefined) return wrong;
  if (startOfDay(from || to, zone) === null) return from === '' ? { to: 'no_zone' } : { from: 'no_zone' };
  return to !== '' && to < from ? { to: 'before_from' } : {};
}

/** The interval that the URL has instead of the last hours or days, as links of attention items do. Otherwise null. */
export const intervalOf = ({ since }: Query): TimeInterval | null => parseInterval(since?.trim() ?? '');

/** The query for REST. It refuses a text that is no day. */
export function periodQuery(query: Query, now = Date.now()): { created_after: string; created_before: string } {
  const days = daysOf(query);
  const interval = intervalOf(query);
  const after = [interval?.from.toISOString() ?? sinceText(query.since?.trim() ?? '', now)];
  if (days !== null) after.push(dayText(days.from, startOfDay(days.from, days.zone)));
  const before = [interval?.until.toISOString() ?? ''];
  if (days !== null) before.push(dayText(days.to, endOfDay(days.to, days.zone)));
  return {
    // The later one, because each filter narrows the list. Text that REST refuses sorts behind all times.
    created_after: after.sort().at(-1) ?? '',
    created_before: earliestOf(before),
  };
}

/** Text that REST refuses counts as the earliest one. */
const earliestOf = (texts: readonly string[]): string =>
  texts.find((text) => text.startsWith('no day')) ?? texts.filter((text) => text !== '').sort()[0] ?? '';

function sinceText(since: string, now: number): string {
  const known = SINCE.find((each) => each === since);
  return known === undefined ? '' : new Date(now - SINCE_MS[known]).toISOString();
}

const dayText = (given: string, at: Date | null): string =>
  at === null ? given && `no day: ${given}` : at.toISOString();

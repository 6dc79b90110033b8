/** The periods of the overview: days of a time zone, at the latest up to now, and as many days before, up to the same time. */
import { dayIn, endOfDay, startOfDay } from '../../../domain/local-days.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { type PeriodFaults, periodFaults } from '../list/period.ts';
import { timeText } from '../words/formats.ts';
import { timeZone } from '../words/time-zone.ts';

/** How many of the last days, or a calendar month. */
export const PERIOD_CHOICES = ['7', '30', '90', 'this_month', 'last_month'] as const;
type PeriodChoice = (typeof PERIOD_CHOICES)[number];
/** As in `GET /v1/statistics`. */
const MOST_DAYS = 92;
const DAY_MS = 86_400_000;

export interface OverviewPeriod {
  days: number;
  /** IANA name. */
  zone: string;
  /** `2026-11-20`. */
  firstDay: string;
  lastDay: string;
  /** The last day has not ended. */
  isUntilNow: boolean;
  from: Date;
  to: Date;
  compareFrom: Date;
  /** The first and the last day of the period before. */
  before: readonly [from: string, to: string];
}

/** What the URL says. */
interface ChosenPeriod {
  /** Null if the days are wrong. */
  period: OverviewPeriod | null;
  /** Null: the days `from` and `to`. */
  choice: PeriodChoice | null;
  /** As in the URL. */
  from: string;
  to: string;
  faults: PeriodFaults;
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * The days of the URL, otherwise the last ones. The form of chosen days says so: a user who then chooses another period
 * means that one, although the fields still have the days.
 */
export function chosenPeriod(query: Query, zone: string, now: Date): ChosenPeriod {
  const today = dayIn(now, zone);
  if (today === null) throw new Error('the page has no time zone');
  const [from, to] = [query.from?.trim() ?? '', query.to?.trim() ?? ''];
  const asked = PERIOD_CHOICES.find((each) => each === query.days);
  if (from + to === '' || (asked !== undefined && query.chosen !== undefined)) {
    const choice = asked ?? PERIOD_CHOICES[0];
    const period = overviewPeriod(...daysOfChoice(choice, today), zone, now);
    return { period, choice, from: '', to: '', faults: {} };
  }
  const wrong = periodFaults({ from, to, zone });
  if (Object.keys(wrong).length > 0) return { period: null, choice: null, from, to, faults: wrong };
  const last = to === '' || to > today ? today : to;
  const first = from === '' ? addDays(last, 1 - Number(PERIOD_CHOICES[0])) : from;
  const faults = faultsOf(first, last, today);
  const period = Object.keys(faults).length > 0 ? null : overviewPeriod(first, last, zone, now);
  return { period, choice: null, from, to, faults };
}

/** The first and the last day. @param today `2026-11-20` */
function daysOfChoice(choice: PeriodChoice, today: string): [first: string, last: string] {
  const firstOfMonth = `${today.slice(0, 8)}01`;
  if (choice === 'this_month') return [firstOfMonth, today];
  if (choice !== 'last_month') return [addDays(today, 1 - Number(choice)), today];
  const last = addDays(firstOfMonth, -1);
  return [`${last.slice(0, 8)}01`, last];
}

function faultsOf(first: string, last: string, today: string): PeriodFaults {
  if (first > today) return { from: 'in_future' };
  return daysFrom(first, last) > MOST_DAYS ? { from: 'too_long' } : {};
}

function overviewPeriod(firstDay: string, lastDay: string, zone: string, now: Date): OverviewPeriod {
  const days = daysFrom(firstDay, lastDay);
  const before = [addDays(firstDay, -days), addDays(firstDay, -1)] as const;
  const from = startOfDay(firstDay, zone);
  const end = endOfDay(lastDay, zone);
  const compareFrom = startOfDay(before[0], zone);
  if (from === null || end === null || compareFrom === null) throw new Error('the days are of the time zone');
  const isUntilNow = now < end;
  const to = isUntilNow ? now : end;
  // Where clocks have changed, the days before can be an hour shorter than this period.
  const latest = from.getTime() - (to.getTime() - from.getTime());
  return {
    days,
    zone,
    firstDay,
    lastDay,
    isUntilNow,
    from,
    to,
    compareFrom: new Date(Math.min(compareFrom.getTime(), latest)),
    before,
  };
}

/** How many days there are from the first to the last one. */
const daysFrom = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

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

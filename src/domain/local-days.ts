/** Days of a time zone as ranges of time. A day begins when the date changes there, which is not always at 00:00. */
import { cached } from './cached-formats.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAY = /^20\d\d-\d\d-\d\d$/;

/** Swedish dates are written as in ISO 8601. */
const dayFormat = cached(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

/**
 * When a day begins in a time zone. A day that a zone has skipped begins with the next one.
 * @param day `2026-11-30`
 * @param timeZone IANA name
 * @returns null if the day or the time zone does not exist
 */
export function startOfDay(day: string, timeZone: string): Date | null {
  const utc = utcMidnight(day);
  return utc === null || !isZone(timeZone) ? null : firstMinute(utc, timeZone);
}

/** The day in a time zone: `2026-11-30`. Null if the time zone does not exist. */
export const dayIn = (at: Date, timeZone: string): string | null =>
  isZone(timeZone) ? dayFormat(timeZone).format(at) : null;

/** When a day ends in a time zone: the next day begins. Otherwise like {@link startOfDay}. */
export function endOfDay(day: string, timeZone: string): Date | null {
  const utc = utcMidnight(day);
  return utc === null || !isZone(timeZone) ? null : firstMinute(utc + DAY_MS, timeZone);
}

/** By binary search: the date of a time zone never goes back. @param utc when the date begins in UTC */
function firstMinute(utc: number, timeZone: string): Date {
  const format = dayFormat(timeZone);
  const date = new Date(utc).toISOString().slice(0, 10);
  // Time zones are less than a day from UTC. A skipped day ends a day later.
  let before = utc - DAY_MS;
  let found = utc + 2 * DAY_MS;
  while (found - before > MINUTE_MS) {
    const middle = before + Math.floor((found - before) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (format.format(middle) >= date) found = middle;
    else before = middle;
  }
  return new Date(found);
}

function utcMidnight(day: string): number | null {
  if (!DAY.test(day)) return null;
  const at = Date.parse(`${day}T00:00:00Z`);
  // Some engines read February 30 as March 2.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at;
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone !== '';
  } catch {
    return false;
  }
}

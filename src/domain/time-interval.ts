/** A period between two times. In a URL it is written as in ISO 8601: `2026-11-27T03:00:12Z/2026-11-27T09:00:12Z`. */
import { cached } from './cached-formats.ts';

export interface TimeInterval {
  from: Date;
  until: Date;
}

const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)`;
const INTERVAL = new RegExp(`^${TIME}/${TIME}$`);

/** @param from ISO 8601 @param until ISO 8601 */
export const intervalText = (from: string, until: string): string => `${from}/${until}`;

/** Null if the text is no interval of this century, or if it ends before it begins. */
export function parseInterval(text: string): TimeInterval | null {
  const [, first = '', last = ''] = INTERVAL.exec(text) ?? [];
  const isTime = (at: string) => at.startsWith('20') && !Number.isNaN(Date.parse(at));
  if (!isTime(first) || !isTime(last) || first >= last) return null;
  return { from: new Date(first), until: new Date(last) };
}

const SHOWN = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

const rangeFormat = cached(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { ...SHOWN, hourCycle: 'h23', timeZone }),
);
const offsetFormat = cached(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset', timeZone }),
);

/** `27 Nov 2026, 03:00–09:00 (GMT-5)`. @param locale of days @param timeZone a known one */
export function shownInterval({ from, until }: TimeInterval, locale: string, timeZone: string): string {
  const parts = offsetFormat(locale, timeZone).formatToParts(until);
  const offset = timeZone === 'UTC' ? timeZone : parts.find(({ type }) => type === 'timeZoneName')?.value;
  return `${rangeFormat(locale, timeZone).formatRange(from, until)} (${offset})`;
}

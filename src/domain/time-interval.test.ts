/** Periods between two times. */
import { expect, test } from 'vitest';
import { hasCardData } from './card-data.ts';
import { intervalText, parseInterval, shownInterval } from './time-interval.ts';

const FROM = '2026-11-27T03:00:12Z';
const UNTIL = '2026-11-27T09:00:12Z';

test('An interval is read from the text that is written for it', () => {
  expect(parseInterval(intervalText(FROM, UNTIL))).toEqual({ from: new Date(FROM), until: new Date(UNTIL) });
});

test.each([
  '',
  '6h',
  FROM,
  `${UNTIL}/${FROM}`,
  `${FROM}/${FROM}`,
  `${FROM}/2026-11-40T09:00:12Z`,
  `1026-11-27T03:00:12Z/${UNTIL}`,
  `${FROM}/${UNTIL}/${UNTIL}`,
])('%s is no interval', (text) => {
  expect(parseInterval(text)).toBeNull();
});

test('An interval is shown in a time zone, with both days only if they differ', () => {
  const interval = { from: new Date(FROM), until: new Date(UNTIL) };
  const shown = (locale: string, zone: string) =>
    shownInterval(interval, locale, zone).replace(/[\s\u2009\u202f]+/g, ' ');
  expect(shown('en-GB', 'UTC')).toBe('27 Nov 2026, 03:00–09:00 (UTC)');
  expect(shown('en-GB', 'America/New_York')).toBe('26 Nov 2026, 22:00 – 27 Nov 2026, 04:00 (GMT-5)');
  expect(shown('de', 'Europe/Berlin')).toMatch(/^27\. Nov\.? 2026, 04:00–10:00 Uhr \((GMT|MEZ|UTC)\+?1?\)$/);
});

test('A URL-encoded time with microseconds and an offset is never taken for card data', () => {
  for (let each = 0; each < 1_000; each += 1) {
    const seconds = new Date(Date.parse(FROM) + each * 97_003_000).toISOString().slice(0, 19);
    const encoded = encodeURIComponent(`${seconds}.${String((each * 7_919) % 1_000_000).padStart(6, '0')}+02:00`);
    expect(hasCardData(encoded), encoded).toBe(false);
  }
});

test('An interval is never taken for card data, which addresses must not contain', () => {
  const text = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const DAYS_AND_SECONDS_MS = 97_003_000;
  for (let each = 0; each < 1_000; each += 1) {
    const from = Date.parse(FROM) + each * DAYS_AND_SECONDS_MS;
    const interval = intervalText(text(from), text(from + 21_601_000));
    expect(hasCardData(interval), interval).toBe(false);
    expect(hasCardData(String(new URLSearchParams({ since: interval }))), interval).toBe(false);
  }
});

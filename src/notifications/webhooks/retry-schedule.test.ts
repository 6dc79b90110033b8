import { expect, it } from 'vitest';
import { parseRetryAfter, RETRY_DELAYS_MS, retryInMs } from './retry-schedule.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECOND = 1_000;

it('follows the schedule, each retry up to a tenth late, and then gives up', () => {
  const hours = (count: number) => count * 3_600 * SECOND;
  expect(RETRY_DELAYS_MS).toEqual([
    5 * SECOND,
    300 * SECOND,
    1_800 * SECOND,
    hours(2),
    hours(5),
    hours(10),
    hours(14),
    hours(20),
    hours(24),
  ]);
  RETRY_DELAYS_MS.forEach((delay, index) => {
    expect(retryInMs(index + 1, 0, 0)).toBe(delay);
    expect(retryInMs(index + 1, 0, 1)).toBe(delay * 1.1);
  });
  expect(retryInMs(10, 0, 0)).toBeNull();
});

it('honours Retry-After if it is later than the schedule', () => {
  expect(retryInMs(1, 60 * SECOND, 0)).toBe(60 * SECOND);
  expect(retryInMs(1, SECOND, 0)).toBe(5 * SECOND);
  expect(retryInMs(10, 60 * SECOND, 0)).toBeNull();
});

it.each([
  ['120', 120 * SECOND],
  ['0', 0],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60 * SECOND],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['999999999', 24 * 3_600 * SECOND],
  ['9'.repeat(400), 24 * 3_600 * SECOND],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * 3_600 * SECOND],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['1.5', 0],
  ['1e9', 0],
  ['', 0],
  ['Sun, 99 Foo 2026', 0],
  [undefined, 0],
])('Retry-After: %s', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});

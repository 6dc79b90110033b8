/** Days of a time zone as ranges of time. */
import { expect, test } from 'vitest';
import { endOfDay, startOfDay } from './local-days.ts';

test.each([
  ['2026-11-30', 'UTC', '2026-11-30T00:00', '2026-12-01T00:00'],
  ['2026-11-30', 'America/New_York', '2026-11-30T05:00', '2026-12-01T05:00'],
  ['2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30', '2026-07-01T18:30'],
  ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00', '2026-07-01T10:00'],
  ['2026-07-01', 'Pacific/Pago_Pago', '2026-07-01T11:00', '2026-07-02T11:00'],
  ['2028-02-29', 'UTC', '2028-02-29T00:00', '2028-03-01T00:00'],
])('%s in %s lasts from %s to %s', (day, zone, from, to) => {
  expect(startOfDay(day, zone)).toEqual(new Date(`${from}Z`));
  expect(endOfDay(day, zone)).toEqual(new Date(`${to}Z`));
});

test.each([
  ['has 23 hours when clocks go forward', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-29T22:00'],
  ['has 25 hours when clocks go back', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-25T23:00'],
  [
    'begins at 01:00 where midnight is skipped',
    '2018-11-04',
    'America/Sao_Paulo',
    '2018-11-04T03:00',
    '2018-11-05T02:00',
  ],
  ['begins at the first of two midnights', '2026-11-01', 'America/Havana', '2026-11-01T04:00', '2026-11-02T05:00'],
  ['is empty where it was skipped', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00', '2011-12-30T10:00'],
])('A day %s', (_what, day, zone, from, to) => {
  expect(startOfDay(day, zone)).toEqual(new Date(`${from}Z`));
  expect(endOfDay(day, zone)).toEqual(new Date(`${to}Z`));
});

test.each([
  ['2026-02-30', 'UTC'],
  ['2026-13-01', 'UTC'],
  ['1999-12-31', 'UTC'],
  ['9999-12-31', 'UTC'],
  ['2026-11-30T00:00:00Z', 'UTC'],
  ['', 'UTC'],
  ['2026-11-30', 'Mars/Olympus'],
  ['2026-11-30', ''],
])('"%s" in "%s" is no day', (day, zone) => {
  expect(startOfDay(day, zone)).toBeNull();
  expect(endOfDay(day, zone)).toBeNull();
});

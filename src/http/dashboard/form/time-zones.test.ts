import { expect, test } from 'vitest';
import { TIME_ZONES, timeZoneIn } from './time-zones.ts';

const offset = (timeZone: string, at: string) =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(new Date(at));

test.each([
  ['Asia/Kolkata', 'Asia/Calcutta'],
  ['Europe/Kyiv', 'Europe/Kiev'],
  ['Asia/Kathmandu', 'Asia/Katmandu'],
  ['Asia/Ho_Chi_Minh', 'Asia/Saigon'],
  ['Asia/Yangon', 'Asia/Rangoon'],
  ['America/Nuuk', 'America/Godthab'],
  ['Atlantic/Faroe', 'Atlantic/Faeroe'],
  ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
  ['Pacific/Chuuk', 'Pacific/Truk'],
])('suggests %s instead of %s', (current, before) => {
  const names = TIME_ZONES.map(([zone]) => zone);
  expect(names).toContain(current);
  expect(names).not.toContain(before);
  for (const at of ['2026-01-15', '2026-07-15']) expect(offset(current, at)).toBe(offset(before, at));
});

test('suggests each zone once', () => {
  expect(new Set(TIME_ZONES.map(([zone]) => zone)).size).toBe(TIME_ZONES.length);
});

test.each([
  ['New York', 'America/New_York'],
  [' new  york ', 'America/New_York'],
  ['america/new york', 'America/New_York'],
  ['Kolkata', 'Asia/Kolkata'],
  ['Calcutta', 'Asia/Kolkata'],
  ['Kiev', 'Europe/Kyiv'],
  ['Ho Chi Minh', 'Asia/Ho_Chi_Minh'],
  ['utc', 'UTC'],
])('understands %j as %s', (text, zone) => {
  expect(timeZoneIn(text)).toBe(zone);
});

test.each(['Asia/Calcutta', 'Mars/Olympus', 'Springfield', '+02:00', ''])('leaves %j as it is', (text) => {
  expect(timeZoneIn(text)).toBe(text);
});

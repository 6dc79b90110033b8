import { expect, test } from 'vitest';
import { addMonths, daysOfMonth, monthOf } from './month-report.ts';

const LATER = new Date('2027-01-15T12:00:00Z');

test('has all days of a month that is over, each with its beginning in the time zone', () => {
  const days = daysOfMonth('2026-11', 'America/New_York', LATER);
  expect(days?.dates).toHaveLength(30);
  expect(days?.dates.at(-1)).toBe('2026-11-30');
  expect(days?.starts).toHaveLength(31);
  expect(days?.starts[0]).toEqual(new Date('2026-11-01T04:00:00Z'));
  // Clocks went back on the first day.
  expect(days?.starts[1]).toEqual(new Date('2026-11-02T05:00:00Z'));
  expect(days?.starts.at(-1)).toEqual(new Date('2026-12-01T05:00:00Z'));
});

test('ends with the present day in the present month', () => {
  const days = daysOfMonth('2027-01', 'Asia/Tokyo', new Date('2027-01-14T15:00:00Z'));
  expect(days?.dates.at(-1)).toBe('2027-01-15');
  expect(days?.starts.at(-1)).toEqual(new Date('2027-01-15T15:00:00Z'));
});

test.each([
  ['a month that has not started', '2027-02', 'UTC'],
  ['a month that does not exist', '2026-13', 'UTC'],
  ['a day', '2026-11-01', 'UTC'],
  ['an unknown time zone', '2026-11', 'Mars/Base'],
])('has no days of %s', (_, month, zone) => {
  expect(daysOfMonth(month, zone, LATER)).toBeNull();
});

test('counts months over the end of a year, and finds the month of a time in its zone', () => {
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(addMonths('2026-12', 1)).toBe('2027-01');
  const newYear = new Date('2027-01-01T03:00:00Z');
  expect(monthOf(newYear, 'UTC')).toBe('2027-01');
  expect(monthOf(newYear, 'America/New_York')).toBe('2026-12');
});

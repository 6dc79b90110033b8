import { expect, test } from 'vitest';
import { chosenPeriod } from './period.ts';

const NEW_YORK = 'America/New_York';
/** 09:30 in New York. */
const NOW = new Date('2026-11-27T14:30:00Z');
const chosen = (query: Record<string, string>, now = NOW) => chosenPeriod(query, NEW_YORK, now);
const HOUR_MS = 3_600_000;

test('shows the last seven days without days in the URL, and any of the choices', () => {
  expect(chosen({})).toMatchObject({
    choice: '7',
    period: { days: 7, firstDay: '2026-11-21', lastDay: '2026-11-27', isUntilNow: true, to: NOW },
  });
  expect(chosen({ days: '90' })).toMatchObject({ choice: '90', period: { days: 90, firstDay: '2026-08-30' } });
  expect(chosen({ days: '8' }).choice).toBe('7');
});

test('shows calendar months, this one up to now and the last one whole', () => {
  expect(chosen({ days: 'this_month' })).toMatchObject({
    choice: 'this_month',
    period: { firstDay: '2026-11-01', lastDay: '2026-11-27', isUntilNow: true, before: ['2026-10-05', '2026-10-31'] },
  });
  expect(chosen({ days: 'last_month' }).period).toMatchObject({
    firstDay: '2026-10-01',
    lastDay: '2026-10-31',
    isUntilNow: false,
  });
  // In UTC, it is January already.
  const newYearsEve = new Date('2027-01-01T04:30:00Z');
  expect(chosen({ days: 'this_month' }, newYearsEve).period).toMatchObject({ firstDay: '2026-12-01', days: 31 });
  const january = new Date('2027-01-01T05:30:00Z');
  expect(chosen({ days: 'last_month' }, january).period).toMatchObject({
    firstDay: '2026-12-01',
    lastDay: '2026-12-31',
  });
});

test('shows whole days that are over, compared with as many days before', () => {
  const { choice, period } = chosen({ from: '2026-11-10', to: '2026-11-12' });
  expect(choice).toBeNull();
  expect(period).toMatchObject({
    days: 3,
    isUntilNow: false,
    from: new Date('2026-11-10T05:00:00Z'),
    to: new Date('2026-11-13T05:00:00Z'),
    compareFrom: new Date('2026-11-07T05:00:00Z'),
    before: ['2026-11-07', '2026-11-09'],
  });
});

test('ends with today if the last day is left out or later', () => {
  for (const to of ['', '2026-12-31'])
    expect(chosen({ from: '2026-11-26', to }).period).toMatchObject({
      days: 2,
      lastDay: '2026-11-27',
      isUntilNow: true,
    });
});

test('shows seven days up to the last one if the first is left out', () => {
  expect(chosen({ to: '2026-11-12' }).period).toMatchObject({ firstDay: '2026-11-06', lastDay: '2026-11-12' });
});

test.each([
  ['the clocks are set back', { from: '2026-09-01', to: '2026-11-30' }, new Date('2026-12-05T12:00:00Z'), 91],
  ['the clocks are set forward', { from: '2026-02-01', to: '2026-05-03' }, new Date('2026-05-10T12:00:00Z'), 92],
])('compares periods of the same length if %s', (_, days, now, expected) => {
  const { period } = chosen(days, now);
  if (period === null) throw new Error('the days are right');
  const lengthMs = period.to.getTime() - period.from.getTime();
  expect(period.days).toBe(expected);
  expect(Math.abs(lengthMs - expected * 24 * HOUR_MS)).toBe(HOUR_MS);
  // REST counts as long a time from `compare_from`, and refuses two periods that overlap.
  expect(period.compareFrom.getTime() + lengthMs).toBeLessThanOrEqual(period.from.getTime());
});

test('says which day is wrong', () => {
  const faults = (query: Record<string, string>) => {
    const { period, faults: found } = chosen(query);
    expect(period).toBeNull();
    return found;
  };
  expect(faults({ from: 'monday', to: '2026-11-01' })).toEqual({ from: 'no_day' });
  expect(faults({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ to: 'before_from' });
  expect(faults({ from: '2026-11-28', to: '2026-11-29' })).toEqual({ from: 'in_future' });
  expect(faults({ from: '2026-08-27' })).toEqual({ from: 'too_long' });
  expect(chosen({ from: '2026-08-28' }).period).toMatchObject({ days: 92 });
});

test('shows the last days if these are chosen in the form of other days, and the days if they are entered', () => {
  const days = { from: '2026-11-10', to: '2026-11-12' };
  expect(chosen({ ...days, days: '30', chosen: 'days' })).toMatchObject({ choice: '30', from: '', to: '' });
  expect(chosen({ ...days, days: '', chosen: 'days' }).choice).toBeNull();
  expect(chosen({ ...days, days: '7' }).choice).toBeNull();
});

/** The period of a list in the URL. */
import { expect, test } from 'vitest';
import { daysOf, periodFaults, periodQuery } from './period.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const period = (query: Record<string, string>) => periodQuery(query, NOW);

test('A list without a period has no limits', () => {
  const none = { created_after: '', created_before: '' };
  expect(period({})).toEqual(none);
  expect(period({ zone: 'Europe/Berlin', from: ' ', to: '' })).toEqual(none);
  expect(period({ since: '1y' })).toEqual(none);
  expect(daysOf({ zone: 'Europe/Berlin' })).toBeNull();
});

test('The last day is included, and days belong to the time zone in the URL', () => {
  expect(period({ from: '2026-10-25', to: '2026-10-25', zone: 'Europe/Berlin' })).toEqual({
    created_after: '2026-10-24T22:00:00.000Z',
    created_before: '2026-10-25T23:00:00.000Z',
  });
  expect(period({ to: '2026-11-30' })).toEqual({ created_after: '', created_before: '2026-12-01T00:00:00.000Z' });
});

test('The last days and a first day narrow the list together', () => {
  expect(period({ since: '24h', from: '2026-11-01' }).created_after).toBe('2026-11-25T12:00:00.000Z');
  expect(period({ since: '30d', from: '2026-11-01' }).created_after).toBe('2026-11-01T00:00:00.000Z');
});

test('An interval has both limits, and days narrow it', () => {
  const since = '2026-11-25T03:00:12Z/2026-11-25T09:00:12Z';
  expect(period({ since })).toEqual({
    created_after: '2026-11-25T03:00:12.000Z',
    created_before: '2026-11-25T09:00:12.000Z',
  });
  expect(period({ since, from: '2026-11-01', to: '2026-11-30' })).toEqual(period({ since }));
  expect(period({ since, to: '2026-11-24' }).created_before).toBe('2026-11-25T00:00:00.000Z');
  expect(period({ since, to: 'monday' }).created_before).toBe('no day: monday');
});

test('An invalid day or an unknown time zone reaches REST, which rejects it', () => {
  for (const query of [{ from: 'monday' }, { from: '2026-02-30' }, { from: '2026-11-01', zone: 'Mars/Olympus' }]) {
    expect(period({ since: '1h', ...query }).created_after).toBe(`no day: ${query.from}`);
  }
  expect(period({ to: '2026-11-01T00:00:00Z' }).created_before).toBe('no day: 2026-11-01T00:00:00Z');
});

test('A wrong day is a fault of its own field', () => {
  expect(periodFaults({ from: 'monday', to: '2026-02-30' })).toEqual({ from: 'no_day', to: 'no_day' });
  expect(periodFaults({ from: '2026-11-01', to: '1999-12-31' })).toEqual({ to: 'no_day' });
  expect(periodFaults({ from: '2026-11-01', zone: 'Mars/Olympus' })).toEqual({ from: 'no_zone' });
  expect(periodFaults({ to: '2026-11-01', zone: 'Mars/Olympus' })).toEqual({ to: 'no_zone' });
  expect(periodFaults({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ to: 'before_from' });
});

test('A right period, or none, has no faults', () => {
  for (const query of [{}, { zone: 'Mars/Olympus' }, { from: '2026-11-01' }, { to: '2026-11-01', zone: 'Asia/Tokyo' }])
    expect(periodFaults(query)).toEqual({});
  expect(periodFaults({ from: '2000-01-01', to: '2099-12-31' })).toEqual({});
});

import { describe, expect, it } from 'vitest';
import { type AttemptResult, outcomeOf, parseRetryAfter, RETRY_DELAYS_MS } from './attempt-result.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const answered = (status: number, retryAfter?: string): AttemptResult => ({ type: 'answered', status, retryAfter });
const first = { attempts: 1, now: NOW, random: 0 };
const SECOND = 1_000;

describe('the outcome of an attempt', () => {
  it.each([200, 201, 204, 299])('%i is success', (status) => {
    expect(outcomeOf(answered(status), first)).toEqual({ status: 'delivered' });
  });

  it.each([100, 300, 301, 307, 400, 404, 429, 500, 503])('%i is none', (status) => {
    expect(outcomeOf(answered(status), first).status).toBe('waiting');
  });

  it('follows the schedule, each retry up to a tenth late, and then gives up', () => {
    const hours = (count: number) => count * 3_600 * SECOND;
    expect(RETRY_DELAYS_MS).toEqual([
      ...[5 * SECOND, 300 * SECOND, 1_800 * SECOND],
      ...[hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)],
    ]);
    RETRY_DELAYS_MS.forEach((delay, index) => {
      const attempted = { ...first, attempts: index + 1 };
      expect(outcomeOf(answered(500), attempted)).toMatchObject({ nextInMs: delay });
      expect(outcomeOf(answered(500), { ...attempted, random: 1 })).toMatchObject({ nextInMs: delay * 1.1 });
    });
    expect(outcomeOf(answered(500), { ...first, attempts: 10 })).toMatchObject({ status: 'failed' });
  });

  it('honours Retry-After where it is later than the schedule', () => {
    expect(outcomeOf(answered(503, '60'), first)).toMatchObject({ nextInMs: 60 * SECOND, retryAfterMs: 60 * SECOND });
    expect(outcomeOf(answered(503, '1'), first)).toMatchObject({ nextInMs: 5 * SECOND });
  });

  it('takes 410 for the last word', () => {
    expect(outcomeOf(answered(410), first)).toMatchObject({ status: 'failed', failure: 'gone' });
  });
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
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['1e9', null],
  ['', null],
  ['Sun, 99 Foo 2026', null],
  [undefined, null],
])('Retry-After: %s', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});

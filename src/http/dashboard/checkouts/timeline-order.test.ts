import { expect, test } from 'vitest';
import { byTime, type Ordered } from './timeline-order.ts';

const SECOND = Date.parse('2026-11-20T12:00:40.000Z');
const entry = (name: string, ms: number, more: Omit<Ordered, 'at'> = {}) => ({
  name,
  at: new Date(SECOND + ms).toISOString(),
  ...more,
});
const names = (...entries: ReturnType<typeof entry>[]) => byTime(entries).map(({ name }) => name);

const sent = (ms: number) => entry('sent', ms, { tells: 'charge_sent' });
const created = (ms: number) => entry('created', ms, { tells: 'charge_created', follows: 'charge_sent' });
const settled = (ms: number) => entry('settled', ms, { tells: 'charge_settled' });
const answered = (ms: number) => entry('answered', ms, { follows: 'charge_settled' });

test('sorts by time, and keeps the order of equal times', () => {
  expect(names(entry('b', 500), entry('a', 10), entry('c', 500), entry('d', 2_000))).toEqual(['a', 'b', 'c', 'd']);
});

test('puts a cause before its effect in the same second', () => {
  expect(names(created(200), sent(300), answered(350), settled(400))).toEqual([
    'sent',
    'created',
    'settled',
    'answered',
  ]);
});

test('keeps other entries in their place', () => {
  expect(names(entry('a', 100), created(200), entry('b', 250), sent(300), entry('c', 900))).toEqual([
    'a',
    'b',
    'sent',
    'created',
    'c',
  ]);
});

test('leaves entries of different seconds in the order of their times', () => {
  expect(names(answered(900), settled(1_000))).toEqual(['answered', 'settled']);
  expect(names(created(900), sent(1_100))).toEqual(['created', 'sent']);
});

test('shows an effect without its cause', () => {
  expect(names(answered(100), created(200))).toEqual(['answered', 'created']);
});

import { expect, test } from 'vitest';
import { deferred } from '../../../lib/concurrency/deferred.ts';
import { RecentPasses } from './recent-passes.ts';

const START = Date.parse('2026-11-26T12:00:00Z');

/** Checks whose answers are given, and a clock. */
function start() {
  const clock = { now: START };
  const passes = new RecentPasses<string>(
    () => new Date(clock.now),
    (answer) => answer === 'passed',
  );
  let asked = 0;
  const ask = (answer: Promise<string> | string, key = 'bakery') =>
    passes.ask(key, async () => {
      asked += 1;
      return answer;
    });
  return { clock, ask, asked: () => asked };
}

test('asks once in a minute if the check has passed', async () => {
  const { clock, ask, asked } = start();
  await ask('passed');
  clock.now += 59_999;
  expect(await ask('refused')).toBe('passed');
  expect(asked()).toBe(1);
  clock.now += 1;
  expect(await ask('refused')).toBe('refused');
  expect(asked()).toBe(2);
});

test('asks again at once if the check has not passed', async () => {
  const { ask } = start();
  expect(await ask('refused')).toBe('refused');
  expect(await ask('passed')).toBe('passed');
});

test('asks again at once if the check failed', async () => {
  const { ask } = start();
  await expect(ask(Promise.reject(new Error('unreachable')))).rejects.toThrow('unreachable');
  expect(await ask('passed')).toBe('passed');
});

test('views at the same time share an answer', async () => {
  const { ask, asked } = start();
  const answer = deferred<string>();
  const views = [ask(answer.promise), ask('unused'), ask('passed', 'diner')];
  answer.resolve('refused');
  expect(await Promise.all(views)).toEqual(['refused', 'refused', 'passed']);
  expect(asked()).toBe(2);
});

test('remembers a bounded number of checks', async () => {
  const { ask } = start();
  for (let merchant = 0; merchant < 1_001; merchant += 1) await ask('passed', String(merchant));
  expect(await ask('asked again', '0')).toBe('asked again');
  expect(await ask('asked again', '1000')).toBe('passed');
});

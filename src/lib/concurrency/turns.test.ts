import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('lets others run between two turns, and keeps the order', async () => {
  const turns = createTurns(2);
  const steps: string[] = [];
  const work = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.next().then(() => steps.push(name)));
  const other = (async () => {
    for (let at = 0; at < 2; at += 1) {
      await turn();
      steps.push('other');
    }
  })();
  await Promise.all([...work, other]);
  expect(steps).toEqual(['a', 'b', 'other', 'c', 'd', 'other', 'e']);
});

test('starts again after all have run', async () => {
  const turns = createTurns(1);
  await Promise.all([turns.next(), turns.next()]);
  await expect(turns.next()).resolves.toBeUndefined();
});

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

const log = pino({ level: 'silent' });

test('parts close in reverse order, once', async () => {
  const closed: string[] = [];
  const lifecycle = createLifecycle(log);
  for (const part of ['servers', 'engine', 'api']) {
    lifecycle.add(part, 1_000, async () => {
      closed.push(part);
    });
  }
  expect(await Promise.all([lifecycle.close(), lifecycle.close()])).toEqual([true, true]);
  expect(closed).toEqual(['api', 'engine', 'servers']);
});

test('a part that fails or hangs does not hold up the others', async () => {
  const closed: string[] = [];
  const lifecycle = createLifecycle(log);
  lifecycle.add('servers', 1_000, async () => {
    closed.push('servers');
  });
  lifecycle.add('hangs', 20, () => new Promise(() => undefined));
  lifecycle.add('fails', 1_000, async () => {
    throw new Error('broken');
  });
  expect(await lifecycle.close()).toBe(false);
  expect(closed).toEqual(['servers']);
});

import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Sql } from '../../db/pool.ts';
import { createOutboxNotify } from './notify.ts';

/** A database whose statements end when the test ends them. */
function slowDatabase() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const query = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  return { sql: { query } as unknown as Sql, ends };
}

test('combines concurrent notifications, and sends one more for those requested meanwhile', async () => {
  const { sql, ends } = slowDatabase();
  const notify = createOutboxNotify(sql, { warn: vi.fn() });
  notify();
  notify();
  await expect.poll(() => ends).toHaveLength(1);
  notify();
  notify();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]?.resolve();
  notify();
  await expect.poll(() => ends).toHaveLength(3);
});

test('pauses after each notification', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sql, ends } = slowDatabase();
  const notify = createOutboxNotify(sql, { warn: vi.fn() });
  notify();
  await expect.poll(() => ends).toHaveLength(1);
  ends[0]?.resolve();
  for (let turns = 0; turns < 10; turns += 1) {
    await turn();
    notify();
  }
  expect(ends).toHaveLength(1);
  vi.runAllTimers();
  await expect.poll(() => ends).toHaveLength(2);
});

test('logs an unavailable database, and notifies it the next time', async () => {
  const { sql, ends } = slowDatabase();
  const warn = vi.fn();
  const notify = createOutboxNotify(sql, { warn });
  notify();
  await expect.poll(() => ends).toHaveLength(1);
  ends[0]?.reject(new Error('away'));
  await expect.poll(() => warn.mock.calls).toHaveLength(1);
  notify();
  await expect.poll(() => ends).toHaveLength(2);
});

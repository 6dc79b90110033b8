import { expect, test, vi } from 'vitest';
import type { Sql } from '../db/pool.ts';
import { createOutboxNotify } from './notify.ts';

/** A record whose statements end when the test says so. */
function slowRecord() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const query = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  return { sql: { query } as unknown as Sql, ends };
}

test('rings that come together are one, and those that come while it is under way one more, after it', async () => {
  const { sql, ends } = slowRecord();
  const ring = createOutboxNotify(sql, { warn: vi.fn() });
  ring();
  ring();
  await vi.waitFor(() => expect(ends).toHaveLength(1));
  ring();
  ring();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  ends[1]?.resolve();
  ring();
  await vi.waitFor(() => expect(ends).toHaveLength(3));
});

test('a record that is away is said, and asked again at the next ring', async () => {
  const { sql, ends } = slowRecord();
  const warn = vi.fn();
  const ring = createOutboxNotify(sql, { warn });
  ring();
  await vi.waitFor(() => expect(ends).toHaveLength(1));
  ends[0]?.reject(new Error('away'));
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
  ring();
  await vi.waitFor(() => expect(ends).toHaveLength(2));
});

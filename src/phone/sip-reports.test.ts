import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PhoneDeps } from './deps.ts';
import { SipReports } from './sip-reports.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports how many SIP servers are missing when that changes, and again after the database was away', async () => {
  const query = vi.fn(async (_statement: { values: unknown[] }) => ({ rows: [] }));
  const edge = { missing: 0 };
  const deps = { sql: { query }, lease: { id: 7, held: true }, log: { warn: vi.fn() }, edge } as unknown as PhoneDeps;
  const reports = new SipReports(deps);
  const values = () => query.mock.calls.map(([statement]) => statement.values);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(values()).toEqual([]);
  edge.missing = 2;
  query.mockRejectedValueOnce(new Error('the database is away'));
  await vi.advanceTimersByTimeAsync(40_000);
  expect(values()).toEqual([
    [7, 2],
    [7, 2],
  ]);
  edge.missing = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(values().at(-1)).toEqual([7, 0]);
  await reports.close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(values()).toHaveLength(3);
});

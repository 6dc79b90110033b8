import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PhoneDeps } from './deps.ts';
import { NumberReports } from './number-reports.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports how many SIP servers are missing when that changes, and again after the database was away', async () => {
  const written: number[] = [];
  const write = vi.fn(async (value: number) => void written.push(value));
  let missing = 0;
  const deps = { lease: { id: 7, held: true }, log: { warn: vi.fn() } } as unknown as PhoneDeps;
  const reports = new NumberReports(deps, { read: () => missing, write, failure: 'could not be reported' });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(write).not.toHaveBeenCalled();
  missing = 2;
  write.mockRejectedValueOnce(new Error('the database is away'));
  await vi.advanceTimersByTimeAsync(40_000);
  expect(write).toHaveBeenCalledTimes(2);
  expect(written).toEqual([2]);
  missing = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([2, 0]);
  await reports.close();
  missing = 1;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(written).toEqual([2, 0]);
});

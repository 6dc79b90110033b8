/** The charges that an attention item about success rates links to. */
import { expect } from 'vitest';
import { parseInterval } from '../../src/domain/time-interval.ts';
import type { TestApi } from './test-api.ts';

/** The totals and reasons of the list that an item links to. @param path in the dashboard */
export async function listOf(api: TestApi, path: string, headers: Record<string, string>) {
  const { since, ...filters } = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  const { from, until } = parseInterval(since ?? '') ?? expect.unreachable();
  const query = { ...filters, created_after: from.toISOString(), created_before: until.toISOString() };
  const { body } = await api.get(`/v1/charges/totals?${new URLSearchParams(query)}`, headers);
  return { from, until, totals: body.totals, declines: body.declines };
}

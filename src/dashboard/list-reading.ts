/** Reads a page of a list from REST by the filters in the address; a filter that is wrong is told beside the list. */
import type { FastifyReply } from 'fastify';
import { sendCsv } from './csv.ts';
import { DashboardFault, faultOfStatus } from './faults.ts';
import type { Filter } from './views/filters.tsx';
import type { Visit } from './visit.ts';

export interface ListSource<T> {
  /** `/v1/calls`. */
  path: string;
  /** The field of the answer that holds the rows. */
  field: string;
  /** What `starting_after` takes. */
  idOf: (row: T) => string;
}

export interface ListReading<T> {
  rows: readonly T[];
  hasMore: boolean;
  /** What is wrong with a filter; else null. */
  fault: string | null;
  /** Why nobody may read it here, as in a demo that strangers reach; else null. */
  refusal: string | null;
}

export async function readList<T>(
  visit: Visit,
  { path, field }: ListSource<T>,
  filters: readonly Filter[],
): Promise<ListReading<T>> {
  const answer = await visit.tryAsk<Record<string, unknown>>({ path, query: listQuery(visit, filters) });
  const none = { rows: [], hasMore: false, fault: null, refusal: null };
  if (answer.ok) return { ...none, rows: answer.body[field] as T[], hasMore: answer.body.has_more === true };
  const { status, error } = answer;
  // The list itself is locked, for its rows are read by every role.
  if (status === 403) return { ...none, refusal: error.message };
  // What a filter names is not there, or is of the other mode: nothing matches.
  const isNothing = status === 404 || status === 401;
  if (!isNothing && status !== 400) throw new DashboardFault(faultOfStatus(status), error.message);
  return { ...none, fault: isNothing ? null : error.message };
}

/** All rows that the filters leave, as a file. */
export function downloadList<T extends object>(
  visit: Visit,
  reply: FastifyReply,
  { path, field, idOf }: ListSource<T>,
  { filters, columns }: { filters: readonly Filter[]; columns: readonly string[] },
): Promise<FastifyReply> {
  return sendCsv(reply, field, {
    columns,
    idOf,
    async rowsBehind(startingAfter) {
      const query = { ...listQuery(visit, filters), limit: '100', starting_after: startingAfter };
      const body = await visit.ask<Record<string, unknown>>({ path, query });
      return { rows: body[field] as T[], hasMore: body.has_more === true };
    },
  });
}

const HOUR_MS = 3_600_000;
/** By the choices of a filter of the kind `since`. */
export const SINCE_MS: Readonly<Record<string, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

/** What REST is asked: the filters of the address, and its place in the list. */
function listQuery({ query }: Visit, filters: readonly Filter[]): Record<string, string | undefined> {
  const given = filters.map((filter) => queryOf(filter, query[filter.name]?.trim() ?? ''));
  return { ...Object.fromEntries(given), starting_after: query.starting_after };
}

function queryOf({ kind, name }: Filter, value: string): readonly [name: string, value: string] {
  if (kind === 'phone') return [name, value.replace(/[\s().-]/g, '')];
  if (kind !== 'since') return [name, value];
  const sinceMs = Object.hasOwn(SINCE_MS, value) ? SINCE_MS[value] : undefined;
  return ['created_after', sinceMs === undefined ? '' : new Date(Date.now() - sinceMs).toISOString()];
}

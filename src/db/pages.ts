/** Reads lists page by page, newest first. */
import type { Scope } from '../domain/account.ts';
import { readFirst, type Sql } from './pool.ts';

export interface PageRequest {
  /** 1 … 100. */
  limit: number;
  /** The last ID of the previous page; null for the first page. */
  startingAfter: string | null;
}

export interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** How a list is read. */
interface ListReader<Place, T> {
  /** The position of the item in the list's order; null if there is no such item. */
  placeOf(id: string): Promise<Place | null>;
  /** Up to `limit` rows after `place`, or the first ones if it is null. */
  rowsBehind(place: Place | null, limit: number): Promise<{ rows: T[] }>;
}

/** @returns null if `startingAfter` is no item of the list */
export async function readPage<Place, T>(
  { limit, startingAfter }: PageRequest,
  list: ListReader<Place, T>,
): Promise<Page<T> | null> {
  const place = startingAfter === null ? null : await list.placeOf(startingAfter);
  if (startingAfter !== null && place === null) return null;
  // One more is enough to know that there are more.
  const { rows } = await list.rowsBehind(place, limit + 1);
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Tables whose rows have an ID, a scope and a creation time. */
type Listed = 'alert_targets' | 'instruments' | 'keys' | 'merchants' | 'webhook_endpoints';

/** The ID itself if the scope has or had a row with it, so that a list continues after a row deleted meanwhile. */
export async function idInScope(
  sql: Sql,
  table: Listed,
  { accountId, mode }: Scope,
  id: string,
): Promise<string | null> {
  const text = `select from ${table} where id = $1 and account_id = $2 and mode = $3`;
  return (await readFirst(sql, text, [id, accountId, mode])) === null ? null : id;
}

/** SQL: whether a row is older than the one whose ID the parameter has. True for every row if the parameter is null. */
export function isBehind(table: Listed | 'refunds', parameter: string): string {
  const place = `select created_at, id from ${table} where id = ${parameter}`;
  return `(${parameter}::text is null or (${table}.created_at, ${table}.id) < (${place}))`;
}

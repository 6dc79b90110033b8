/** Finds the rows of a time range in a table that is only indexed by its ascending numbers. */
import { readFirst, type Sql } from './pool.ts';

/** Rows of concurrent transactions are not in the order of their times. No transaction lasts longer. */
const DISORDER_MS = 3_600_000;

interface Numbered {
  name: 'events' | 'audit_events';
  /** SQL: whose rows, by an index with `sequence`. */
  whose: string;
  values: readonly unknown[];
}

/** From `after` inclusive to `before` exclusive, as numbers. Null is unlimited. */
interface Sequences {
  after: string | null;
  before: string | null;
}

/**
 * Numbers around a time range, by binary search. They can include rows up to an hour outside of the range, which the
 * statement excludes by their times.
 */
export async function sequencesIn(
  sql: Sql,
  table: Numbered,
  { after, before }: { after: Date | null; before: Date | null },
): Promise<Sequences> {
  return {
    after: after === null ? null : await firstSince(sql, table, new Date(after.getTime() - DISORDER_MS)),
    before: before === null ? null : await firstSince(sql, table, new Date(before.getTime() + DISORDER_MS)),
  };
}

/**
 * The number from which on rows are not older than the time. It reads the table, also for users who are limited to
 * merchants: the next row of theirs can be far away, and only the number is used.
 */
async function firstSince(sql: Sql, { name, whose, values }: Numbered, at: Date): Promise<string> {
  const nextRow = (order: 'asc' | 'desc', condition = '') =>
    `select sequence::text, created_at as "createdAt" from public.${name} ${name} where ${whose} ${condition}
      order by ${name}.sequence ${order} limit 1`;
  const read = (text: string, more: readonly unknown[] = []) =>
    readFirst<{ sequence: string; createdAt: Date }>(sql, text, [...values, ...more]);
  const [first, last] = [await read(nextRow('asc')), await read(nextRow('desc'))];
  let low = BigInt(first?.sequence ?? 0);
  let high = BigInt(last?.sequence ?? 0) + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const row = await read(nextRow('asc', `and ${name}.sequence >= $${values.length + 1}`), [String(middle)]);
    if (row === null || row.createdAt >= at) high = middle;
    else low = BigInt(row.sequence) + 1n;
  }
  return String(low);
}

/** Runs the statements of statistics and reports, which count many rows. */
import pLimit from 'p-limit';
import { waitForAll } from '../lib/concurrency/wait-for-all.ts';
import type { Database, Sql } from './pool.ts';

/** The limit of each statement, so that a long period does not burden the database. */
const STATEMENT_LIMIT_MS = 3_000;
/**
 * Sequential scans are a last resort: in a table of many accounts they read everyone's rows. JIT costs more than it
 * saves here.
 */
const SETTINGS = `select set_config('statement_timeout', '${STATEMENT_LIMIT_MS}', true), set_config('enable_seqscan', 'off', true),
  set_config('jit', 'off', true)`;

/**
 * Connections of this process that count. Payments take theirs from the same pool, which has at least four, and fail if
 * they get none for a few seconds.
 */
const MOST_AT_ONCE = 3;
const turns = pLimit(MOST_AT_ONCE);
/** By then, the client has probably given up. */
const WAIT_LIMIT_MS = 15_000;

/** As if the database had taken too long: query_canceled. */
class WaitedTooLong extends Error {
  override name = 'WaitedTooLong';
  readonly code = '57014';
}

/**
 * Counts at the same time, each in its own transaction, as soon as other requests count little enough.
 * @param waitLimitMs a request that has waited longer counts nothing
 * @throws an error with the code 57014 if it takes or waits too long
 */
export function countBoth<One, Other>(
  database: Pick<Database, 'transaction'>,
  one: (sql: Sql) => Promise<One>,
  other: (sql: Sql) => Promise<Other>,
  waitLimitMs = WAIT_LIMIT_MS,
): Promise<[One, Other]> {
  const askedAt = performance.now();
  const inTransaction = <T>(count: (sql: Sql) => Promise<T>) =>
    turns(() => {
      if (performance.now() - askedAt > waitLimitMs) throw new WaitedTooLong('other requests are still counting');
      return database.transaction(async (sql) => {
        await sql.query(SETTINGS);
        return count(sql);
      });
    });
  return waitForAll([inTransaction(one), inTransaction(other)]);
}

export async function readRows<Row extends object>(sql: Sql, text: string, values: unknown[]): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

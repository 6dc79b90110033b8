/** Runs the statements of statistics and reports, which count many rows. */
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

/** Counts at the same time, each in its own transaction. No more than two, because payments need the connections, too. */
export function countBoth<One, Other>(
  database: Pick<Database, 'transaction'>,
  one: (sql: Sql) => Promise<One>,
  other: (sql: Sql) => Promise<Other>,
): Promise<[One, Other]> {
  const inTransaction = <T>(count: (sql: Sql) => Promise<T>) =>
    database.transaction(async (sql) => {
      await sql.query(SETTINGS);
      return count(sql);
    });
  return waitForAll([inTransaction(one), inTransaction(other)]);
}

export async function readRows<Row extends object>(sql: Sql, text: string, values: unknown[]): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

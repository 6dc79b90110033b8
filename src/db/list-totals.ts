/** Sums all rows that a list's filters match: not too many, and not for too long, because the list's page waits. */
import type { Conditions } from './conditions.ts';
import type { Database } from './pool.ts';

/** No more rows are summed. */
export const MOST_SUMMED = 10_000;
/** A filter that no index serves reads all rows of the account. */
const STATEMENT_LIMIT_MS = 500;
const QUERY_CANCELED = '57014';

interface Summed<Totals> {
  /** SQL: the sums of the rows of `listed`. */
  sums: string;
  /** SQL up to the WHERE clause. */
  select: string;
  conditions: Conditions;
  /** SQL: the list's order, so that its index is used. */
  order: string;
  /** SQL: the sums' order. */
  highestFirst: string;
  /** How many rows were summed. */
  countOf: (totals: Totals) => number;
}

/** By currency. @returns null if more than {@link MOST_SUMMED} rows match, or if it takes too long */
export async function readListTotals<Totals extends object>(
  database: Pick<Database, 'transaction'>,
  { sums, select, conditions, order, highestFirst, countOf }: Summed<Totals>,
): Promise<Totals[] | null> {
  const limit = conditions.parameter(MOST_SUMMED + 1);
  const text = `
    select currency, ${sums}
      from (${select} where ${conditions.sql} order by ${order} limit ${limit}) listed
     group by currency order by ${highestFirst} desc nulls last, currency`;
  try {
    const rows = await database.transaction(async (sql) => {
      await sql.query(`select set_config('statement_timeout', '${STATEMENT_LIMIT_MS}', true)`);
      return (await sql.query<Totals>(text, conditions.values)).rows;
    });
    return rows.reduce((sum, row) => sum + countOf(row), 0) > MOST_SUMMED ? null : rows;
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null;
    throw error;
  }
}

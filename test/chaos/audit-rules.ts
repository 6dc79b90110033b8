/** What the books on charges and those on refunds are held against. */
import type { Sql } from '../../src/db/pool.ts';

/** Of one rule, so many cases are told: enough to look into. */
const CASES_TOLD = 3;

/** @param rules what must not be, and the query that finds it, one row a case. @returns the cases, in words */
export async function findViolations(sql: Sql, rules: Record<string, string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await sql.query(query);
    for (const row of rows.slice(0, CASES_TOLD)) faults.push(`${rule}: ${JSON.stringify(row)}`);
  }
  return faults;
}

/** What a client was told of a charge or a refund. A clear answer is final; `pending` may have become either. */
export interface Answered {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
}

/** @returns the promises that do not hold, in words */
export async function findContradictions(
  sql: Sql,
  table: 'charges' | 'refunds',
  told: readonly Answered[],
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; status: string }>(`select id, status from ${table}`);
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
  return told
    .filter(({ id, status }) => {
      const now = statusOf.get(id);
      return now === undefined || (status !== 'pending' && status !== now);
    })
    .map(({ id, status }) => `a client was told ${status} of ${id}: it is ${statusOf.get(id)}`);
}

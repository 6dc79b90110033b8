/** Shared by the audits of charges and refunds. */
import type { Sql } from '../../src/db/pool.ts';

/** How many violations of one rule are reported. */
const MAX_CASES = 3;

/**
 * @param rules a description of each violation and the query that finds it, one row each. @returns the violations, in
 *   words
 */
export async function findViolations(sql: Sql, rules: Record<string, string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await sql.query(query);
    for (const row of rows.slice(0, MAX_CASES)) faults.push(`${rule}: ${JSON.stringify(row)}`);
  }
  return faults;
}

/**
 * The answer that a client received for a charge or refund. `pending` may change later, `authorized` may be captured or
 * released, and the others stay.
 */
interface Answered {
  id: string;
  status: 'pending' | 'authorized' | 'succeeded' | 'voided' | 'failed';
}

/** The statuses of a charge that was authorized. */
const OF_HOLDS = ['authorized', 'succeeded', 'voided', 'expired'];

/** SQL: the status, and `failed_late` of a refund that had succeeded. */
const STATUS_OF = {
  charges: 'status::text',
  refunds: `case when failed_late_at is null then status::text else 'failed_late' end`,
};
/** What else may have become of the answer. */
const LATER: Record<string, readonly string[]> = {
  authorized: OF_HOLDS,
  succeeded: ['failed_late'],
  failed: ['failed_late'],
};

/** @returns the answers that the database contradicts, in words */
export async function findContradictions(
  sql: Sql,
  table: 'charges' | 'refunds',
  answers: readonly Answered[],
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; status: string }>(
    `select id, ${STATUS_OF[table]} as status from ${table}`,
  );
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
  return answers
    .filter(({ id, status }) => {
      const now = statusOf.get(id);
      if (now === undefined) return true;
      return status !== 'pending' && status !== now && !(LATER[status] ?? []).includes(now);
    })
    .map(({ id, status }) => `a client got ${status} for ${id}, which is ${statusOf.get(id)}`);
}

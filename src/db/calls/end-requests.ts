/**
 * Calls that somebody of their account ends: written down here, read by the phone process that has the call. A request
 * may come while that process cannot be reached; it is found as long as the call is on the line.
 */
import type { AccountId, CallId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/**
 * @returns the lease of the process that has the call; null where it has ended, was asked to end before, or is not
 *   there
 */
export async function markEndRequested(
  sql: Sql,
  accountId: AccountId,
  id: CallId,
): Promise<{ leaseId: number } | null> {
  return readFirst(
    sql,
    `update calls set end_requested_at = now()
      where id = $1 and account_id = $2 and ended_at is null and end_requested_at is null
     returning lease_id as "leaseId"`,
    [id, accountId],
  );
}

/** The live calls of a process that are to end. Reads live rows only, by a partial index. */
export async function findEndRequests(sql: Sql, leaseId: number): Promise<CallId[]> {
  const { rows } = await sql.query<{ id: CallId }>({
    name: 'find_end_requests',
    text: 'select id from calls where ended_at is null and lease_id = $1 and end_requested_at is not null',
    values: [leaseId],
  });
  return rows.map(({ id }) => id);
}

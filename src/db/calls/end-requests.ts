/**
 * Requests of an account to end a call: written here, and read by the phone process that has the call. If that process
 * cannot be reached, the request stays until the call ends.
 */
import type { AccountId, CallId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/**
 * @returns the lease of the process that has the call; null if the call has ended, does not exist, or was already asked
 * to end
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

/** The live calls of a process that have to end. Reads a partial index of live rows. */
export async function findEndRequests(sql: Sql, leaseId: number): Promise<CallId[]> {
  const { rows } = await sql.query<{ id: CallId }>({
    name: 'find_end_requests',
    text: 'select id from calls where ended_at is null and lease_id = $1 and end_requested_at is not null',
    values: [leaseId],
  });
  return rows.map(({ id }) => id);
}

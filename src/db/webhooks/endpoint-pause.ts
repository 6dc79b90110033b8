/** The circuit breaker of a webhook endpoint: failures in a row, and the time before which nothing is sent there. */
import type { WebhookEndpointId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

/** In a row: the endpoint looks down. From then on it is tried with one delivery at a time. */
export const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * From {@link FAILURES_TO_PAUSE} in a row on each failure pauses the endpoint, twice as long as the one before. What
 * fails while it is paused was under way before, and does not count.
 * @param retryAfterMs what the endpoint asked for; 0 where it did not
 */
export async function countFailure(sql: Sql, id: WebhookEndpointId, retryAfterMs: number): Promise<void> {
  await sql.query(
    `update webhook_endpoints
        set failures = failures + 1,
            paused_until = case when failures + 1 < ${FAILURES_TO_PAUSE} then paused_until
              else now() + interval '1 millisecond'
                   * greatest(least(${FIRST_PAUSE_MS} * 2 ^ least(failures + 1 - ${FAILURES_TO_PAUSE}, 20),
                       ${LONGEST_PAUSE_MS}), $2) end
      where id = $1 and paused_until <= now()`,
    [id, retryAfterMs],
  );
}

export async function forgetFailures(sql: Sql, id: WebhookEndpointId): Promise<void> {
  await sql.query(`update webhook_endpoints set failures = 0, paused_until = '-infinity' where id = $1`, [id]);
}

/** Nothing is sent there for so long: the fault is ours. */
export async function pauseEndpoint(sql: Sql, id: WebhookEndpointId, ms: number): Promise<void> {
  await sql.query(`update webhook_endpoints set paused_until = now() + $2 * interval '1 millisecond' where id = $1`, [
    id,
    ms,
  ]);
}

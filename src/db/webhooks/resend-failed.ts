/** Sends failed deliveries of an endpoint again: their rows wait once more, and the sweep of the workers enqueues them. */
import type { WebhookEndpointId } from '../../domain/ids.ts';
import { NOTIFY_OUTBOX } from '../events/events.ts';
import type { Sql } from '../pool.ts';

/**
 * Oldest event first. Rows are locked in the order of their keys, as in `cancelDeliveries`. Call it in a transaction.
 * @param since of the last attempt
 * @returns how many wait again: `limit`, if there may be more
 */
export async function resendFailedDeliveries(
  sql: Sql,
  endpointId: WebhookEndpointId,
  since: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await sql.query(
    `with oldest as (
       select event_id from webhook_deliveries
        where endpoint_id = $1 and status = 'failed' and attempted_at >= $2
        order by sequence limit $3
     ), held as (
       select event_id from webhook_deliveries
        where endpoint_id = $1 and status = 'failed' and event_id = any (array(select event_id from oldest))
        order by event_id for no key update
     )
     update webhook_deliveries d
        set status = 'waiting', attempts = 0, next_attempt_at = now(), created_at = now(), enqueue_at = now()
       from held where d.endpoint_id = $1 and d.event_id = held.event_id`,
    [endpointId, since, limit],
  );
  await sql.query(`select ${NOTIFY_OUTBOX}`);
  return rowCount ?? 0;
}

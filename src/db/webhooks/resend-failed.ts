/**
 * Sends deliveries of an endpoint again: one of them, or all that failed. Those that wait for a retry have failed, too:
 * when the endpoint works again, the retry can be hours away. The rows wait like new ones, and the workers' sweep
 * enqueues them.
 */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import { NOTIFY_OUTBOX } from '../events/events.ts';
import { readOne, type Sql } from '../pool.ts';
import { forgetFailures } from './deliveries.ts';
import { sequenceOfDelivery } from './delivery-log.ts';

const WAITS_AGAIN = `status = 'waiting', attempts = 0, next_attempt_at = now(), created_at = now(), enqueue_at = now()`;
/** Each has an index of its own, which few deliveries are in. */
const oldestWhere = (condition: string) => `
  (select event_id, sequence from webhook_deliveries
    where endpoint_id = $1 and ${condition} and attempted_at >= $2 and sequence > $4 order by sequence limit $3)`;
const HAS_FAILED = `(status = 'failed' or (status = 'waiting' and attempts > 0))`;

interface FailedSince {
  /** Only deliveries whose last attempt was not before it. */
  since: Date;
  /** Only events after this one, so that those of an earlier call that failed again are not sent again. Null: all. */
  startingAfter: string | null;
  /** Of events. */
  limit: number;
}

export interface ResentDeliveries {
  /** How many wait again. */
  resent: number;
  hasMore: boolean;
  /** Where the next call starts. Null if nothing has failed. */
  lastEventId: EventId | null;
}

/**
 * Oldest event first. The endpoint's pause ends, too. Rows are locked in the order of their keys, as in `cancelDeliveries`.
 * Call it in a transaction.
 * @returns null if `startingAfter` was never sent to the endpoint
 */
export async function resendFailedDeliveries(
  sql: Sql,
  endpointId: WebhookEndpointId,
  { since, startingAfter, limit }: FailedSince,
): Promise<ResentDeliveries | null> {
  const after = startingAfter === null ? '-1' : await sequenceOfDelivery(sql, endpointId, startingAfter);
  if (after === null) return null;
  // As when it is disabled: the endpoint first, then its deliveries. Otherwise one of both could fail by a deadlock.
  await sql.query('select from webhook_endpoints where id = $1 for no key update', [endpointId]);
  const { found, lastEventId, resent } = await readOne<{ found: number; lastEventId: EventId | null; resent: number }>(
    sql,
    `with oldest as (
       select event_id, sequence
         from (${oldestWhere("status = 'failed'")} union all ${oldestWhere("status = 'waiting' and attempts > 0")}) each
        order by sequence limit $3
     ), held as (
       select event_id from webhook_deliveries
        where endpoint_id = $1 and ${HAS_FAILED} and event_id = any (array(select event_id from oldest))
        order by event_id for no key update
     ), resent as (
       update webhook_deliveries d
          set ${WAITS_AGAIN}
         from held where d.endpoint_id = $1 and d.event_id = held.event_id
       returning d.event_id
     )
     select (select count(*) from oldest)::integer as found, (select count(*) from resent)::integer as resent,
            (select event_id from oldest order by sequence desc limit 1) as "lastEventId"`,
    [endpointId, since, limit, after],
  );
  if (resent !== 0) await forgetFailures(sql, endpointId);
  await sql.query(`select ${NOTIFY_OUTBOX}`);
  return { resent, hasMore: found === limit, lastEventId };
}

/**
 * Sends an event again to one endpoint to which it was sent before, whatever the endpoint answered. Its pause ends.
 * @returns false if there is no such delivery, or its endpoint is disabled or deleted
 */
export async function resendDelivery(sql: Sql, eventId: EventId, endpointId: WebhookEndpointId): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update webhook_deliveries d set ${WAITS_AGAIN} from webhook_endpoints e
      where d.endpoint_id = $2 and d.event_id = $1 and e.id = d.endpoint_id
        and e.disabled_at is null and e.deleted_at is null
     returning ${NOTIFY_OUTBOX}`,
    [eventId, endpointId],
  );
  if (rowCount !== 1) return false;
  await forgetFailures(sql, endpointId);
  return true;
}

/** The delivery log of a webhook endpoint, as integrators read it. */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { LoggedType } from '../events/event-log.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import type { DeliveryStatus } from './deliveries.ts';

/** The delivery of one event to one endpoint. The answer is that of the last attempt. */
export interface LoggedDelivery {
  eventId: EventId;
  type: LoggedType;
  /** A 64-bit integer as text. */
  sequence: string;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  attemptedAt: Date | null;
  latencyMs: number | null;
  statusCode: number | null;
  answer: string | null;
  failure: string | null;
  failureDetail: string | null;
}

/** A delivery of a known event, with its endpoint. */
export interface LoggedDeliveryOfEvent extends Omit<LoggedDelivery, 'eventId' | 'type' | 'sequence'> {
  endpointId: WebhookEndpointId;
  url: string;
}

/** A failing endpoint gets nothing before its pause ends. Other pauses are ours, and short. */
const NEXT_ATTEMPT = `case when w.failures > 0 then greatest(d.next_attempt_at, w.paused_until) else d.next_attempt_at end`;
const STATE = `d.status, d.attempts, case when d.status = 'waiting' then ${NEXT_ATTEMPT} end as "nextAttemptAt",
  d.attempted_at as "attemptedAt", d.latency_ms as "latencyMs", d.status_code as "statusCode", d.answer, d.failure,
  d.failure_detail as "failureDetail"`;

/** Oldest endpoint first, without deleted endpoints. The number of endpoints per account limits the list. */
export async function listDeliveriesOfEvent(sql: Sql, id: EventId): Promise<LoggedDeliveryOfEvent[]> {
  const { rows } = await sql.query<LoggedDeliveryOfEvent>(
    `select w.id as "endpointId", w.url, ${STATE}
       from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
      where d.event_id = $1 and w.deleted_at is null
      order by w.created_at, w.id`,
    [id],
  );
  return rows;
}

/** Newest event first. @returns null if `startingAfter` is no event of this endpoint */
export function listDeliveries(
  sql: Sql,
  id: WebhookEndpointId,
  status: DeliveryStatus | null,
  page: PageRequest,
): Promise<Page<LoggedDelivery> | null> {
  return readPage(page, {
    placeOf: (eventId) => sequenceOfDelivery(sql, id, eventId),
    rowsBehind: (sequence, limit) =>
      sql.query<LoggedDelivery>(
        `select d.event_id as "eventId", e.type, d.sequence, ${STATE}
           from webhook_deliveries d join events e on e.id = d.event_id join webhook_endpoints w on w.id = d.endpoint_id
          where d.endpoint_id = $1 and ($2::bigint is null or d.sequence < $2) and ($3::text is null or d.status = $3)
          order by d.sequence desc limit $4`,
        [id, sequence, status, limit],
      ),
  });
}

/** The place of an event among those of an endpoint. Null if it was never sent to it. */
export async function sequenceOfDelivery(sql: Sql, id: WebhookEndpointId, eventId: string): Promise<string | null> {
  const text = 'select sequence from webhook_deliveries where endpoint_id = $1 and event_id = $2';
  return (await readFirst<{ sequence: string }>(sql, text, [id, eventId]))?.sequence ?? null;
}

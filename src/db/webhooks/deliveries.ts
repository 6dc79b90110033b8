/**
 * Deliveries: one row for each event and subscribed endpoint. The row is the record; a BullMQ job only says that it is
 * due. At `enqueue_at` the sweep enqueues it (again), for a retry or because Redis lost the job.
 */
import type { ConnectionFailure, DeliveryFailure } from '../../domain/delivery-failure.ts';
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'canceled';

export interface DeliveryKey {
  endpointId: WebhookEndpointId;
  eventId: EventId;
}

/** SQL: an enqueued delivery whose row has not changed by then is enqueued again. */
export const ENQUEUE_AGAIN = "now() + interval '30 seconds'";

/** Deliveries of one endpoint per sweep, so that a busy endpoint does not delay others. */
const MOST_OF_AN_ENDPOINT = 250;

/** SQL: endpoints with waiting deliveries. From one endpoint to the next by their index: most have none. */
const WAITING_ENDPOINTS = `
  (select endpoint_id from webhook_deliveries where status = 'waiting' order by endpoint_id limit 1)
  union all
  select (select endpoint_id from webhook_deliveries
           where status = 'waiting' and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1)
    from waiting where endpoint_id is not null`;

/** SQL: waiting endpoints with a due delivery, as {@link takeDueDeliveries} finds them. */
export const DELIVERIES_DUE = `
  with recursive waiting (endpoint_id) as (${WAITING_ENDPOINTS})
  select from waiting join webhook_endpoints e on e.id = waiting.endpoint_id
   where e.paused_until <= now()
     and exists (select from webhook_deliveries
                  where endpoint_id = e.id and status = 'waiting' and enqueue_at <= now())`;

/**
 * Claims due deliveries that are in no job, as far as the row shows. A claimed delivery is due again after 30 seconds,
 * so that each sweep claims others and each goes to one worker. Endpoints are in random order, so that busy ones don't
 * fill every sweep. An endpoint that looks down gets one delivery, and none while paused.
 */
export async function takeDueDeliveries(sql: Sql, limit: number): Promise<DeliveryKey[]> {
  const { rows } = await sql.query<DeliveryKey>(
    `with recursive waiting (endpoint_id) as (${WAITING_ENDPOINTS}),
     due as (
       select d.endpoint_id, d.event_id
         from (select e.id, e.failures from waiting join webhook_endpoints e on e.id = waiting.endpoint_id
                where e.paused_until <= now() order by random()) e
        cross join lateral (
          select endpoint_id, event_id from webhook_deliveries
           where endpoint_id = e.id and status = 'waiting' and enqueue_at <= now()
           order by enqueue_at limit case when e.failures >= ${FAILURES_TO_PAUSE} then 1 else ${MOST_OF_AN_ENDPOINT} end
             for no key update skip locked) d
        limit $1
     )
     update webhook_deliveries d set enqueue_at = ${ENQUEUE_AGAIN} from due
      where d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
     returning d.endpoint_id as "endpointId", d.event_id as "eventId"`,
    [limit],
  );
  return rows;
}

/** The data for an attempt. */
export interface Delivery extends DeliveryKey {
  url: string;
  mode: Mode;
  /** The endpoint is disabled or deleted. */
  closed: boolean;
  paused: boolean;
  /** The endpoint's consecutive failures. */
  failures: number;
  /** Sealed. Includes the previous secret while it still signs. */
  secrets: string[];
  /** The bytes to post. */
  body: string;
  /** Number of earlier attempts. */
  attempts: number;
  /** When it was last relayed, as PostgreSQL formats it. */
  relayedAt: string;
  /** Time since then. */
  ageMs: number;
  /** Time since its event was created; null after the first attempt, and for events that were relayed again later. */
  firstDelayMs: number | null;
}

/** @returns in the order of `keys`; null if it is not waiting, or not due yet */
export async function readDueDeliveries(sql: Sql, keys: readonly DeliveryKey[]): Promise<(Delivery | null)[]> {
  const { rows } = await sql.query<Delivery>({
    name: 'read_due_deliveries',
    text: `select d.endpoint_id as "endpointId", d.event_id as "eventId", e.url, e.mode,
                  e.disabled_at is not null or e.deleted_at is not null as closed,
                  e.paused_until > now() as paused, e.failures,
                  array_remove(array[e.signing_secret,
                                     case when e.previous_secret_until > now() then e.previous_secret end], null) as secrets,
                  ev.body, d.attempts, d.created_at::text as "relayedAt",
                  extract(epoch from now() - d.created_at)::double precision * 1000 as "ageMs",
                  case when d.attempts = 0 and d.created_at < ev.created_at + interval '1 minute'
                       then extract(epoch from now() - ev.created_at)::double precision * 1000 end as "firstDelayMs"
             from unnest($1::text[], $2::text[]) as wanted (endpoint_id, event_id)
             join webhook_deliveries d on d.endpoint_id = wanted.endpoint_id and d.event_id = wanted.event_id
             join webhook_endpoints e on e.id = d.endpoint_id
             join events ev on ev.id = d.event_id
            where d.status = 'waiting' and d.next_attempt_at <= now()`,
    values: [keys.map(({ endpointId }) => endpointId), keys.map(({ eventId }) => eventId)],
  });
  const found = new Map(rows.map((row) => [textOf(row), row]));
  return keys.map((key) => found.get(textOf(key)) ?? null);
}

/** The result of an attempt. */
export interface AttemptRow extends DeliveryKey {
  /** As read: an event that was resent meanwhile still waits. */
  relayedAt: string;
  status: Exclude<DeliveryStatus, 'canceled'>;
  /** Number of attempts, including this one. */
  attempts: number;
  /** Time to the next attempt; 0 if there is none. */
  nextInMs: number;
  /** The signed time and `webhook-signature` of the request. Null if none was sent: then no attempt is logged. */
  sentAt: Date | null;
  signature: string | null;
  latencyMs: number;
  /** Null if there was no answer. */
  statusCode: number | null;
  answer: string | null;
  failure: DeliveryFailure | null;
  failureDetail: ConnectionFailure | null;
}

/**
 * Safe to repeat. A delivery canceled meanwhile is not retried. Rows are locked in the order of their keys, as in
 * {@link cancelDeliveries}, so that there are no deadlocks.
 * @returns in the order of `attempts`; false if nothing was written, because it was relayed again meanwhile
 */
export async function writeAttempts(sql: Sql, attempts: readonly AttemptRow[]): Promise<boolean[]> {
  const { rows } = await sql.query<DeliveryKey>({
    name: 'write_attempts',
    text: `with held as (
             select a.*, d.endpoint_id, d.event_id, d.attempts as recorded
               from json_to_recordset($1) as a ("endpointId" text, "eventId" text, "relayedAt" timestamptz, status text,
                      attempts integer, "nextInMs" double precision, "latencyMs" integer, "statusCode" integer,
                      answer text, failure text, "failureDetail" text, "sentAt" timestamptz,
                      signature text)
               join webhook_deliveries d on d.endpoint_id = a."endpointId" and d.event_id = a."eventId"
              where d.created_at = a."relayedAt"
              order by d.endpoint_id, d.event_id for no key update of d
           ), written as (
             update webhook_deliveries d
                set status = case when d.status = 'canceled' and held.status = 'waiting' then d.status else held.status end,
                    attempts = held.attempts, attempted_at = now(),
                    next_attempt_at = now() + held."nextInMs" * interval '1 millisecond',
                    enqueue_at = now() + held."nextInMs" * interval '1 millisecond',
                    latency_ms = held."latencyMs", status_code = held."statusCode", answer = held.answer,
                    failure = held.failure, failure_detail = held."failureDetail"
               from held
              where d.endpoint_id = held.endpoint_id and d.event_id = held.event_id and d.status in ('waiting', 'canceled')
           ), logged as (
             insert into webhook_attempts (event_id, endpoint_id, attempt, sent_at, signature, latency_ms, status_code,
                                           answer, failure, failure_detail)
             select event_id, endpoint_id, attempts, "sentAt", signature, "latencyMs", "statusCode", answer, failure,
                    "failureDetail"
               from held where "sentAt" is not null and recorded < attempts
           )
           select "endpointId", "eventId" from held`,
    values: [JSON.stringify(attempts)],
  });
  const written = new Set(rows.map(textOf));
  return attempts.map((attempt) => written.has(textOf(attempt)));
}

function textOf({ endpointId, eventId }: DeliveryKey): string {
  return `${endpointId} ${eventId}`;
}

/** Cancels the waiting deliveries of an endpoint that is disabled or deleted. */
export async function cancelDeliveries(sql: Sql, endpointId: WebhookEndpointId): Promise<void> {
  await sql.query(
    `with held as (
       select event_id from webhook_deliveries where endpoint_id = $1 and status = 'waiting'
        order by event_id for no key update
     )
     update webhook_deliveries d set status = 'canceled' from held
      where d.endpoint_id = $1 and d.event_id = held.event_id and d.status = 'waiting'`,
    [endpointId],
  );
}

/** After this many consecutive failures the endpoint looks down, and gets one delivery at a time. */
export const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Counts a failure. From {@link FAILURES_TO_PAUSE} consecutive failures on, each pauses the endpoint, twice as long as
 * the previous pause. Failures while it is paused started earlier and do not count.
 * @param retryAfterMs the pause that the endpoint asked for, or 0
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

/** Pauses the endpoint because of a fault on our side. */
export async function pauseEndpoint(sql: Sql, id: WebhookEndpointId, ms: number): Promise<void> {
  await sql.query(`update webhook_endpoints set paused_until = now() + $2 * interval '1 millisecond' where id = $1`, [
    id,
    ms,
  ]);
}

/**
 * Deliveries: one row for each event and endpoint that is to have it. The row is the truth; a BullMQ job only says that
 * it is due. `enqueue_at` is when the sweep enqueues it (again): for its retry, or because Redis lost the job.
 */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'canceled';

export interface DeliveryKey {
  endpointId: WebhookEndpointId;
  eventId: EventId;
}

/** SQL: an enqueued delivery whose row has not moved by then is enqueued once more. */
export const ENQUEUE_AGAIN = "now() + interval '30 seconds'";

/** Of one endpoint in one sweep, so that one with many does not keep others waiting. */
const MOST_OF_AN_ENDPOINT = 250;

/**
 * Deliveries that are due and in no job, as far as the row knows. What is taken here is due again half a minute later,
 * so that each sweep takes others, and each goes to one worker. Endpoints come in any order, so that those with many
 * don't fill every sweep. Of an endpoint that looks down it is one, and none while it is paused.
 */
export async function takeDueDeliveries(sql: Sql, limit: number): Promise<DeliveryKey[]> {
  const { rows } = await sql.query<DeliveryKey>(
    `with due as (
       select d.endpoint_id, d.event_id
         from (select id, failures from webhook_endpoints where paused_until <= now() order by random()) e
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

/** What is to be known for an attempt. */
export interface Delivery extends DeliveryKey {
  url: string;
  mode: Mode;
  /** The endpoint is disabled or deleted. */
  closed: boolean;
  paused: boolean;
  /** Of the endpoint, in a row. */
  failures: number;
  /** Sealed; the one that is being replaced too, while it signs on. */
  secrets: string[];
  /** The bytes to post. */
  body: string;
  /** Made before. */
  attempts: number;
  /** When it was relayed, the last time, as PostgreSQL writes it. */
  relayedAt: string;
  /** Since then. */
  ageMs: number;
}

/** @returns in the order of `keys`; null for one that is not waiting, or not due yet */
export async function readDueDeliveries(sql: Sql, keys: readonly DeliveryKey[]): Promise<(Delivery | null)[]> {
  const { rows } = await sql.query<Delivery>({
    name: 'read_due_deliveries',
    text: `select d.endpoint_id as "endpointId", d.event_id as "eventId", e.url, e.mode,
                  e.disabled_at is not null or e.deleted_at is not null as closed,
                  e.paused_until > now() as paused, e.failures,
                  array_remove(array[e.signing_secret,
                                     case when e.previous_secret_until > now() then e.previous_secret end], null) as secrets,
                  ev.body, d.attempts, d.created_at::text as "relayedAt",
                  extract(epoch from now() - d.created_at)::double precision * 1000 as "ageMs"
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

/** What an attempt came to. */
export interface AttemptRow extends DeliveryKey {
  /** As it was read: an event that was asked for once more meanwhile still waits. */
  relayedAt: string;
  status: Exclude<DeliveryStatus, 'canceled'>;
  /** This one included. */
  attempts: number;
  /** To the next attempt; 0 where there is none. */
  nextInMs: number;
  latencyMs: number;
  /** Null where no answer came. */
  statusCode: number | null;
  answer: string | null;
  failure: string | null;
}

/**
 * Safe to repeat. A delivery that was canceled meanwhile is not tried again. Rows are locked in the order of their
 * keys, as by {@link cancelDeliveries}: no deadlocks.
 * @returns in the order of `attempts`; false where nothing was written: it was relayed once more meanwhile
 */
export async function writeAttempts(sql: Sql, attempts: readonly AttemptRow[]): Promise<boolean[]> {
  const { rows } = await sql.query<DeliveryKey>({
    name: 'write_attempts',
    text: `with held as (
             select a.*, d.endpoint_id, d.event_id
               from json_to_recordset($1) as a ("endpointId" text, "eventId" text, "relayedAt" timestamptz, status text,
                      attempts integer, "nextInMs" double precision, "latencyMs" integer, "statusCode" integer,
                      answer text, failure text)
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
                    failure = held.failure
               from held
              where d.endpoint_id = held.endpoint_id and d.event_id = held.event_id and d.status in ('waiting', 'canceled')
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

/** Nothing that waits goes to an endpoint that is disabled or deleted. */
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

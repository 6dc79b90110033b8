/**
 * Deliveries: one row for each event and endpoint that is to have it. The row is the truth; a BullMQ job only says that it
 * is due. `enqueue_at` is when the sweep enqueues it (again): for its retry, or because Redis lost the job.
 */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { FAILURES_TO_PAUSE } from './endpoint-pause.ts';

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'canceled';

export interface DeliveryKey {
  endpointId: WebhookEndpointId;
  eventId: EventId;
}

export interface DueDelivery extends DeliveryKey {
  /** Which attempt of which relay it is: another one is another job. */
  round: string;
}

/** SQL: `round` of a row of `webhook_deliveries`. */
export const ROUND = "attempts || '.' || extract(epoch from created_at)";

/** SQL: an enqueued delivery whose row has not moved by then is enqueued once more. */
export const ENQUEUE_AGAIN = "now() + interval '30 seconds'";

/** Of one endpoint in one sweep, so that one with many does not keep others waiting. */
const MOST_OF_AN_ENDPOINT = 250;

/**
 * Deliveries that are due and in no job, as far as the row knows. What is taken here is due again half a minute later, so
 * that each sweep takes others, and each goes to one worker. Endpoints come in any order, so that those with many don't
 * fill every sweep. Of an endpoint that looks down it is one, and none while it is paused.
 */
export async function takeDueDeliveries(sql: Sql, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql.query<DueDelivery>(
    `with due as (
       select d.endpoint_id, d.event_id
         from (select id, failures from webhook_endpoints where paused_until <= now() order by random()) e
        cross join lateral (
          select endpoint_id, event_id from webhook_deliveries
           where endpoint_id = e.id and status = 'waiting' and enqueue_at <= now()
           order by enqueue_at limit case when e.failures >= ${FAILURES_TO_PAUSE} then 1 else ${MOST_OF_AN_ENDPOINT} end
             for update skip locked) d
        limit $1
     )
     update webhook_deliveries d set enqueue_at = ${ENQUEUE_AGAIN} from due
      where d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
     returning d.endpoint_id as "endpointId", d.event_id as "eventId", ${ROUND} as round`,
    [limit],
  );
  return rows;
}

/** What is to be known for an attempt. */
export interface Delivery {
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
  const { rows } = await sql.query<Delivery & { place: number }>({
    name: 'read_due_deliveries',
    text: `select wanted.place::integer, e.url, e.mode, e.disabled_at is not null or e.deleted_at is not null as closed,
                  e.paused_until > now() as paused, e.failures,
                  array_remove(array[e.signing_secret,
                                     case when e.previous_secret_until > now() then e.previous_secret end], null) as secrets,
                  ev.body, d.attempts, d.created_at::text as "relayedAt",
                  extract(epoch from now() - d.created_at)::double precision * 1000 as "ageMs"
             from unnest($1::text[], $2::text[]) with ordinality as wanted (endpoint_id, event_id, place)
             join webhook_deliveries d on d.endpoint_id = wanted.endpoint_id and d.event_id = wanted.event_id
             join webhook_endpoints e on e.id = d.endpoint_id
             join events ev on ev.id = d.event_id
            where d.status = 'waiting' and d.next_attempt_at <= now()`,
    values: [keys.map(({ endpointId }) => endpointId), keys.map(({ eventId }) => eventId)],
  });
  const places = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_key, at) => places.get(at + 1) ?? null);
}

/** What an attempt came to. */
export interface AttemptRow {
  /** As it was read: an event that was asked for once more meanwhile still waits. */
  relayedAt: string;
  status: Exclude<DeliveryStatus, 'canceled'>;
  /** To the next attempt; null where there is none. */
  nextInMs: number | null;
  latencyMs: number;
  /** Null where no answer came. */
  statusCode: number | null;
  answer: string | null;
  failure: string | null;
}

/**
 * Repeated, it counts the attempt twice and changes nothing else. One that was canceled meanwhile is not tried again.
 * @returns false when nothing was written: it was relayed once more meanwhile
 */
export async function writeAttempt(
  sql: Sql,
  { endpointId, eventId }: DeliveryKey,
  attempt: AttemptRow,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'write_attempt',
    text: `update webhook_deliveries
              set status = case when status = 'canceled' and $4 = 'waiting' then status else $4 end,
                  attempts = attempts + 1, attempted_at = now(),
                  next_attempt_at = now() + $5 * interval '1 millisecond',
                  enqueue_at = now() + $5 * interval '1 millisecond',
                  latency_ms = $6, status_code = $7, answer = $8, failure = $9
            where endpoint_id = $1 and event_id = $2 and created_at = $3 and status in ('waiting', 'canceled')`,
    values: [
      ...[endpointId, eventId, attempt.relayedAt, attempt.status, attempt.nextInMs ?? 0],
      ...[attempt.latencyMs, attempt.statusCode, attempt.answer, attempt.failure],
    ],
  });
  return rowCount !== 0;
}

/** The next sweep enqueues it. */
export async function enqueueNow(sql: Sql, { endpointId, eventId }: DeliveryKey): Promise<void> {
  await sql.query('update webhook_deliveries set enqueue_at = now() where endpoint_id = $1 and event_id = $2', [
    endpointId,
    eventId,
  ]);
}

/** Nothing that waits goes to an endpoint that is disabled or deleted. */
export async function cancelDeliveries(sql: Sql, endpointId: WebhookEndpointId): Promise<void> {
  await sql.query(`update webhook_deliveries set status = 'canceled' where endpoint_id = $1 and status = 'waiting'`, [
    endpointId,
  ]);
}

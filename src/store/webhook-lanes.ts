/**
 * An endpoint's lane: who works on it, when there is something to do, and what. Deliveries of an endpoint go out in the
 * order of `sequence`, so one worker at a time has its lane, for as long as the lease is renewed.
 */
import type { EventId, WebhookEndpointId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import type { Sql } from './database.ts';

/** Longer than an attempt may take: a live worker never loses its lane. */
const LEASE = "interval '45 seconds'";

/**
 * SQL, true: this transaction's commit need not wait for the disk. What a crash of PostgreSQL undoes of a lane's last
 * moments is sent once more, which "at least once" allows.
 */
const UNHURRIED_COMMIT = "set_config('synchronous_commit', 'off', true) is not null";

/** A delivery to attempt now. */
export interface DueDelivery {
  eventId: EventId;
  /** The bytes to post. */
  body: string;
  /** Attempts made before. */
  attempts: number;
  /** Since it was relayed. */
  ageMs: number;
}

export interface Lane {
  url: string;
  mode: Mode;
  /** Disabled or deleted: nothing is to be sent any more. */
  closed: boolean;
  /** Sealed; the one that is being replaced too, while it signs on. */
  secrets: string[];
  /** In a row, at this endpoint. */
  failures: number;
  /** In the order of `sequence`. */
  due: DueDelivery[];
}

interface LaneRow {
  url: string;
  mode: Mode;
  closed: boolean;
  secrets: string[];
  failures: number;
  event_id: EventId | null;
  body: string;
  attempts: number;
  age_ms: number;
}

const TAKE = `
  with leased as (
    update webhook_lanes set lease = $2, leased_until = now() + ${LEASE}, wake_at = 'infinity'
     where endpoint_id = $1 and (coalesce(leased_until, wake_at) <= now() or lease = $2) and ${UNHURRIED_COMMIT}
    returning endpoint_id, failures
  )
  select e.url, e.mode, e.disabled_at is not null or e.deleted_at is not null as closed, leased.failures,
         array_remove(array[e.signing_secret, case when e.previous_secret_until > now() then e.previous_secret end], null)
           as secrets,
         due.*
    from leased
    join webhook_endpoints e on e.id = leased.endpoint_id
    left join lateral (
      select d.event_id, ev.body, d.attempts, extract(epoch from now() - d.created_at)::double precision * 1000 as age_ms
        from webhook_deliveries d join events ev on ev.id = d.event_id
       where d.endpoint_id = e.id and d.status = 'waiting' and d.next_attempt_at <= now()
       order by d.sequence limit $3) due on true`;

/**
 * Takes the lane, or keeps it, with up to `limit` due deliveries.
 * @returns null when there is nothing to do yet, or another worker is at it
 */
export async function takeLane(sql: Sql, id: WebhookEndpointId, lease: string, limit: number): Promise<Lane | null> {
  const { rows } = await sql.query<LaneRow>({ name: 'take_lane', text: TAKE, values: [id, lease, limit] });
  const [first] = rows;
  if (first === undefined) return null;
  const { url, mode, closed, secrets, failures } = first;
  const due = rows.flatMap(({ event_id, body, attempts, age_ms }) =>
    event_id === null ? [] : [{ eventId: event_id, body, attempts, ageMs: age_ms }],
  );
  return { url, mode, closed, secrets, failures, due };
}

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'canceled';

/** What an attempt came to. */
export interface AttemptRecord {
  eventId: EventId;
  status: Exclude<DeliveryStatus, 'canceled'>;
  /** To the next attempt; null where there is none. */
  nextInMs: number | null;
  latencyMs: number;
  /** Null where no answer came. */
  statusCode: number | null;
  answer: string | null;
  failure: string | null;
}

/** Where the lane stands after the attempts. */
export interface Circuit {
  /** In a row. */
  failures: number;
  /** Nothing is sent for so long; 0: go on. */
  pauseMs: number;
}

const RECORD = `
  with made as (
    update webhook_deliveries d
       set status = a.status, attempts = d.attempts + 1, attempted_at = now(), latency_ms = a.latency_ms,
           next_attempt_at = now() + a.next_in_ms * interval '1 millisecond',
           status_code = a.status_code, answer = a.answer, failure = a.failure
      from unnest($3::text[], $4::text[], $5::double precision[], $6::integer[], $7::integer[], $8::text[], $9::text[])
             as a (event_id, status, next_in_ms, latency_ms, status_code, answer, failure)
     where d.endpoint_id = $1 and d.event_id = a.event_id and d.status = 'waiting'
  )
  update webhook_lanes
     set leased_until = now() + ${LEASE}, failures = $10::integer,
         paused_until = case when $11::double precision > 0 then now() + $11 * interval '1 millisecond' else '-infinity' end
   where endpoint_id = $1 and lease = $2 and ${UNHURRIED_COMMIT}`;

/** Keeps attempts in the log and renews the lease. @returns false when the lane is another's by now */
export async function recordAttempts(
  sql: Sql,
  id: WebhookEndpointId,
  lease: string,
  attempts: readonly AttemptRecord[],
  circuit: Circuit,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'record_attempts',
    text: RECORD,
    values: [
      id,
      lease,
      attempts.map(({ eventId }) => eventId),
      attempts.map(({ status }) => status),
      attempts.map(({ nextInMs }) => nextInMs ?? 0),
      attempts.map(({ latencyMs }) => latencyMs),
      attempts.map(({ statusCode }) => statusCode),
      attempts.map(({ answer }) => answer),
      attempts.map(({ failure }) => failure),
      circuit.failures,
      circuit.pauseMs,
    ],
  });
  return rowCount === 1;
}

const LEAVE = `
  update webhook_lanes l
     set lease = null, leased_until = null,
         wake_at = greatest(l.paused_until, least(l.wake_at,
           coalesce((select min(next_attempt_at) from webhook_deliveries d
                      where d.endpoint_id = l.endpoint_id and d.status = 'waiting'), 'infinity')))
   where l.endpoint_id = $1 and l.lease = $2 and ${UNHURRIED_COMMIT}
  returning case when wake_at < 'infinity'
                 then greatest(0, extract(epoch from wake_at - now()) * 1000)::double precision end as due_in_ms`;

/** Gives the lane back. What was relayed meanwhile is not missed: it has moved `wake_at`. @returns null: nothing to do */
export async function leaveLane(sql: Sql, id: WebhookEndpointId, lease: string): Promise<number | null> {
  const { rows } = await sql.query<{ due_in_ms: number | null }>({
    name: 'leave_lane',
    text: LEAVE,
    values: [id, lease],
  });
  return rows[0]?.due_in_ms ?? null;
}

/** Gives the lane back untouched, to be tried again in `inMs`: the fault is ours. */
export async function putLaneOff(sql: Sql, id: WebhookEndpointId, lease: string, inMs: number): Promise<void> {
  await sql.query(
    `update webhook_lanes set lease = null, leased_until = null, wake_at = now() + $3 * interval '1 millisecond'
      where endpoint_id = $1 and lease = $2`,
    [id, lease, inMs],
  );
}

/** Nothing that waits goes to a disabled or deleted endpoint. */
export async function cancelWaiting(sql: Sql, id: WebhookEndpointId): Promise<void> {
  await sql.query(`update webhook_deliveries set status = 'canceled' where endpoint_id = $1 and status = 'waiting'`, [
    id,
  ]);
}

/** Lanes with something to do now that nobody is at, the longest due first. */
export async function dueLanes(sql: Sql, limit: number): Promise<WebhookEndpointId[]> {
  const { rows } = await sql.query<{ endpoint_id: WebhookEndpointId }>({
    name: 'due_lanes',
    text: `select endpoint_id from webhook_lanes where coalesce(leased_until, wake_at) <= now()
            order by coalesce(leased_until, wake_at) limit $1`,
    values: [limit],
  });
  return rows.map((row) => row.endpoint_id);
}

/**
 * An endpoint's lane: who works on it, when there is something to do, and what. Deliveries of an endpoint go out in the
 * order of `sequence`, so one worker at a time has its lane, for as long as the lease is renewed. Whoever changes
 * deliveries locks their lanes first, several in the order of their ids.
 */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

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
  /** When it was relayed, the last time, in PostgreSQL's words. */
  relayedAt: string;
  /** Since then. */
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

/** A worker's claim on a lane: `lease` is the worker's own word for it. */
export interface LaneClaim {
  id: WebhookEndpointId;
  lease: string;
}

interface LaneRow {
  endpoint_id: WebhookEndpointId;
  url: string;
  mode: Mode;
  closed: boolean;
  secrets: string[];
  failures: number;
  event_id: EventId | null;
  body: string;
  attempts: number;
  relayed_at: string;
  age_ms: number;
}

/** SQL: the lanes of `asked`, locked in one order, so that workers that want the same ones take turns. */
const LOCKED = `locked as (
    select l.endpoint_id from webhook_lanes l where l.endpoint_id in (select endpoint_id from asked)
     order by l.endpoint_id for update
  )`;

/** SQL: what is to be known of the lanes of `leased`. @param but SQL: deliveries `d` that are not due after all */
const reading = (limit: string, but: string) => `
  select e.id as endpoint_id, e.url, e.mode, e.disabled_at is not null or e.deleted_at is not null as closed,
         leased.failures,
         array_remove(array[e.signing_secret, case when e.previous_secret_until > now() then e.previous_secret end], null)
           as secrets,
         due.event_id, due.body, due.attempts, due.relayed_at, due.age_ms
    from leased
    join webhook_endpoints e on e.id = leased.endpoint_id
    left join lateral (
      select d.event_id, ev.body, d.attempts, d.created_at::text as relayed_at,
             extract(epoch from now() - d.created_at)::double precision * 1000 as age_ms
        from webhook_deliveries d join events ev on ev.id = d.event_id
       where d.endpoint_id = leased.endpoint_id and d.status = 'waiting' and d.next_attempt_at <= now() and ${but}
       order by d.sequence limit ${limit}) due on true`;

const TAKE = `
  with asked as (
    select * from unnest($1::text[], $2::text[]) a (endpoint_id, lease)
  ), ${LOCKED}, leased as (
    update webhook_lanes l set lease = asked.lease, leased_until = now() + ${LEASE}, wake_at = 'infinity'
      from asked join locked using (endpoint_id)
     where l.endpoint_id = asked.endpoint_id
       and (coalesce(l.leased_until, l.wake_at) <= now() or l.lease = asked.lease) and ${UNHURRIED_COMMIT}
    returning l.endpoint_id, l.failures
  )${reading('$3', 'true')}`;

/**
 * Takes lanes, or keeps them, with up to `limit` due deliveries each.
 * @returns in the order of `claims`; null where there is nothing to do yet, or another worker is at it
 */
export async function takeLanes(sql: Sql, claims: readonly LaneClaim[], limit: number): Promise<(Lane | null)[]> {
  const { rows } = await sql.query<LaneRow>({
    name: 'take_lanes',
    text: TAKE,
    values: [claims.map(({ id }) => id), claims.map(({ lease }) => lease), limit],
  });
  return lanesOf(claims, rows);
}

function lanesOf(claims: readonly LaneClaim[], rows: readonly LaneRow[]): (Lane | null)[] {
  const lanes = new Map<WebhookEndpointId, Lane>();
  for (const row of rows) {
    const { endpoint_id, url, mode, closed, secrets, failures, event_id, body, attempts } = row;
    const lane = lanes.get(endpoint_id) ?? { url, mode, closed, secrets, failures, due: [] };
    if (event_id !== null)
      lane.due.push({ eventId: event_id, body, attempts, relayedAt: row.relayed_at, ageMs: row.age_ms });
    lanes.set(endpoint_id, lane);
  }
  return claims.map(({ id }) => lanes.get(id) ?? null);
}

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'canceled';

/** What an attempt came to. */
export interface AttemptRecord {
  eventId: EventId;
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

/** Where the lane stands after the attempts. */
export interface Circuit {
  /** In a row. */
  failures: number;
  /** Nothing is sent for so long; 0: go on. */
  pauseMs: number;
}

/** What was done in a lane, and whether there is to be more. */
export interface LaneReport extends LaneClaim {
  attempts: readonly AttemptRecord[];
  circuit: Circuit;
  /** Whether the worker goes on: then it is told what is due. */
  goesOn: boolean;
}

/**
 * The lanes are counted to have them locked before the deliveries. `not in`, and not `= 'waiting'`: that is what an index
 * of waiting deliveries says of itself, and a planner without statistics reads that one from end to end.
 */
const RECORD = `
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::integer[], $4::double precision[], $5::boolean[])
      a (endpoint_id, lease, failures, pause_ms, goes_on)
  ), ${LOCKED}, attempted as (
    select * from unnest($6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::double precision[],
                         $11::integer[], $12::integer[], $13::text[], $14::text[])
      a (endpoint_id, event_id, relayed_at, status, next_in_ms, latency_ms, status_code, answer, failure)
  ), made as (
    update webhook_deliveries d
       set status = a.status, attempts = d.attempts + 1, attempted_at = now(), latency_ms = a.latency_ms,
           next_attempt_at = now() + a.next_in_ms * interval '1 millisecond',
           status_code = a.status_code, answer = a.answer, failure = a.failure
      from attempted a
     where d.endpoint_id = a.endpoint_id and d.event_id = a.event_id and d.created_at = a.relayed_at
       and d.status not in ('delivered', 'failed', 'canceled') and (select count(*) from locked) > 0
  ), leased as (
    update webhook_lanes l
       set leased_until = now() + ${LEASE}, failures = asked.failures,
           wake_at = case when asked.goes_on then 'infinity' else l.wake_at end,
           paused_until = case when asked.pause_ms > 0 then now() + asked.pause_ms * interval '1 millisecond'
                               else '-infinity' end
      from asked join locked using (endpoint_id)
     where l.endpoint_id = asked.endpoint_id and l.lease = asked.lease and ${UNHURRIED_COMMIT}
    returning l.endpoint_id, l.failures, asked.goes_on
  )${reading('$15', 'leased.goes_on and not exists (select from attempted a where a.endpoint_id = d.endpoint_id and a.event_id = d.event_id)')}`;

/**
 * Keeps attempts in the log and renews the leases; the lanes that go on with up to `limit` due deliveries.
 * @returns in the order of `reports`; null where the lane is another's by now
 */
export async function recordAttempts(
  sql: Sql,
  reports: readonly LaneReport[],
  limit: number,
): Promise<(Lane | null)[]> {
  const attempts = reports.flatMap(({ id, attempts }) => attempts.map((attempt) => ({ id, ...attempt })));
  const { rows } = await sql.query<LaneRow>({
    name: 'record_attempts',
    text: RECORD,
    values: [
      reports.map(({ id }) => id),
      reports.map(({ lease }) => lease),
      reports.map(({ circuit }) => circuit.failures),
      reports.map(({ circuit }) => circuit.pauseMs),
      reports.map(({ goesOn }) => goesOn),
      attempts.map(({ id }) => id),
      attempts.map(({ eventId }) => eventId),
      attempts.map(({ relayedAt }) => relayedAt),
      attempts.map(({ status }) => status),
      attempts.map(({ nextInMs }) => nextInMs ?? 0),
      attempts.map(({ latencyMs }) => latencyMs),
      attempts.map(({ statusCode }) => statusCode),
      attempts.map(({ answer }) => answer),
      attempts.map(({ failure }) => failure),
      limit,
    ],
  });
  return lanesOf(reports, rows);
}

const LEAVE = `
  with asked as (
    select * from unnest($1::text[], $2::text[]) a (endpoint_id, lease)
  ), ${LOCKED}
  update webhook_lanes l
     set lease = null, leased_until = null,
         wake_at = greatest(l.paused_until, least(l.wake_at,
           coalesce((select min(next_attempt_at) from webhook_deliveries d
                      where d.endpoint_id = l.endpoint_id and d.status = 'waiting'), 'infinity')))
    from asked join locked using (endpoint_id)
   where l.endpoint_id = asked.endpoint_id and l.lease = asked.lease and ${UNHURRIED_COMMIT}
  returning l.endpoint_id, case when wake_at < 'infinity'
                 then greatest(0, extract(epoch from wake_at - now()) * 1000)::double precision end as due_in_ms`;

/**
 * Gives lanes back. What was relayed meanwhile is not missed: it has moved `wake_at`.
 * @returns in the order of `claims`: when there is something to do, null for nothing
 */
export async function leaveLanes(sql: Sql, claims: readonly LaneClaim[]): Promise<(number | null)[]> {
  const { rows } = await sql.query<{ endpoint_id: WebhookEndpointId; due_in_ms: number | null }>({
    name: 'leave_lanes',
    text: LEAVE,
    values: [claims.map(({ id }) => id), claims.map(({ lease }) => lease)],
  });
  const dueInMs = new Map(rows.map((row) => [row.endpoint_id, row.due_in_ms]));
  return claims.map(({ id }) => dueInMs.get(id) ?? null);
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
  await sql.query(
    `with locked as (select endpoint_id from webhook_lanes where endpoint_id = $1 for update)
     update webhook_deliveries d set status = 'canceled' from locked
      where d.endpoint_id = locked.endpoint_id and d.status = 'waiting'`,
    [id],
  );
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

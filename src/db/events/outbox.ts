/** The outbox's way out: events that nobody has relayed yet become deliveries and texts. */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';
import { type EventRow, eventOf, type LoggedEvent } from './event-log.ts';
import { NOTIFY_OUTBOX } from './events.ts';

/** First key: this job's; lives.ts has another. */
const LOCK = 'pg_try_advisory_xact_lock(72141, 0)';

/** An event on its way out. */
export interface UnrelayedEvent extends LoggedEvent {
  ageMs: number;
  /** Times that it could not be rendered. */
  relayFailures: number;
}

interface Row extends EventRow {
  age_ms: number;
  relay_failures: number;
}

/**
 * The next events that are not set aside, in their order. Only one relay at a time, or that would be lost. In a
 * transaction.
 * @returns null when another relay is at it
 */
export async function claimUnrelayed(sql: Sql, limit: number): Promise<UnrelayedEvent[] | null> {
  const { rows: locks } = await sql.query<{ locked: boolean }>(`select ${LOCK} as locked`);
  if (locks[0]?.locked !== true) return null;
  const { rows } = await sql.query<Row>({
    name: 'claim_unrelayed',
    text: `select id, account_id, mode, sequence, type, session_id, facts, created_at, body, relay_failures,
                  extract(epoch from now() - created_at)::double precision * 1000 as age_ms
             from events where relayed_at is null and relay_after <= now()
            order by sequence limit $1 for update skip locked`,
    values: [limit],
  });
  return rows.map((row) => ({ ...eventOf(row), ageMs: row.age_ms, relayFailures: row.relay_failures }));
}

/**
 * The lanes before their deliveries, as whoever works in them has it (webhook-lanes.ts): the other way round they deadlock.
 * `offset 0`: each event's endpoints by its account, or a planner without statistics reads all endpoints there are.
 */
const RELAY = `
  with said as (
    select * from unnest($1::text[], $2::text[]) as s (id, body)
  ), relayed as (
    update events e set relayed_at = now(), body = coalesce(e.body, said.body)
      from said where e.id = said.id
    returning e.id, e.account_id, e.mode, e.sequence, e.type, e.webhook_endpoint_id, e.text_only
  ), wanted as (
    select w.id as endpoint_id, relayed.id as event_id, relayed.sequence
      from relayed cross join lateral (
        select id, events from webhook_endpoints
         where account_id = relayed.account_id and mode = relayed.mode and disabled_at is null and deleted_at is null
        offset 0) w
     where not relayed.text_only
       and case when relayed.webhook_endpoint_id is null then relayed.type = any(w.events)
                else w.id = relayed.webhook_endpoint_id end
  ), woken as (
    insert into webhook_lanes as l (endpoint_id)
    select distinct endpoint_id from wanted order by 1
    on conflict (endpoint_id) do update set wake_at = least(l.wake_at, greatest(now(), l.paused_until))
    returning endpoint_id
  ), queued as (
    insert into webhook_deliveries as d (endpoint_id, event_id, sequence)
    select wanted.endpoint_id, wanted.event_id, wanted.sequence
      from wanted join woken using (endpoint_id) order by wanted.sequence
    on conflict (endpoint_id, event_id)
      do update set status = 'waiting', attempts = 0, next_attempt_at = now(), created_at = now()
  )
  select endpoint_id from woken`;

/**
 * Queues the events for every endpoint that is to have them, an event that is sent once more too.
 * @returns the endpoints that have something to do now
 */
export async function relayEvents(
  sql: Sql,
  events: readonly { id: EventId; body: string }[],
): Promise<WebhookEndpointId[]> {
  const { rows } = await sql.query<{ endpoint_id: WebhookEndpointId }>({
    name: 'relay_events',
    text: RELAY,
    values: [events.map(({ id }) => id), events.map(({ body }) => body)],
  });
  return rows.map((row) => row.endpoint_id);
}

export interface EventToSetAside {
  id: EventId;
  /** Its webhooks are queued, and are not to be queued again. */
  textOnly: boolean;
  /** This one included. */
  attempt: number;
  /** Null: not until it is asked for again. */
  retryInMs: number | null;
}

/** Keeps events from the relay for a time. */
export async function setAsideEvents(sql: Sql, events: readonly EventToSetAside[]): Promise<void> {
  await sql.query(
    `update events e
        set relayed_at = null, text_only = a.text_only, relay_failures = a.attempt,
            relay_after = coalesce(now() + a.retry_in_ms * interval '1 millisecond', 'infinity')
       from unnest($1::text[], $2::boolean[], $3::smallint[], $4::integer[]) a (id, text_only, attempt, retry_in_ms)
      where e.id = a.id`,
    [
      ...[events.map(({ id }) => id), events.map(({ textOnly }) => textOnly)],
      ...[events.map(({ attempt }) => attempt), events.map(({ retryInMs }) => retryInMs)],
    ],
  );
}

/**
 * Back into the outbox, whosever they are: the relay takes them as if they had never gone out or been set aside.
 * @returns those that there are
 */
export async function resendEvents(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `with again as (
       update events
          set relayed_at = null, resend_requested_at = now(), relay_failures = 0, relay_after = '-infinity', text_only = false
        where id = any($1) returning id
     )
     select id, ${NOTIFY_OUTBOX} from again`,
    [ids],
  );
  return rows.map((row) => row.id);
}

/** The outbox's way out: events that nobody has relayed yet become deliveries and texts. */
import type { AccountId, CheckoutSessionId, EventId, WebhookEndpointId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import type { Sql } from './database.ts';
import type { LoggedEvent } from './event-log.ts';
import type { EventFacts, EventType } from './events.ts';

/** First key: this job's; lives.ts has another. */
const LOCK = 'pg_try_advisory_xact_lock(72141, 0)';

/** An event on its way out. */
export interface UnrelayedEvent extends LoggedEvent {
  ageMs: number;
}

interface Row {
  id: EventId;
  account_id: AccountId;
  mode: Mode;
  sequence: string;
  type: EventType | 'test';
  session_id: CheckoutSessionId | null;
  facts: EventFacts;
  created_at: Date;
  body: string | null;
  age_ms: number;
}

/**
 * The next events, in their order. Only one relay at a time, or their order would be lost. In a transaction.
 * @returns null when another relay is at it
 */
export async function claimUnrelayed(sql: Sql, limit: number): Promise<UnrelayedEvent[] | null> {
  const { rows: locks } = await sql.query<{ locked: boolean }>(`select ${LOCK} as locked`);
  if (locks[0]?.locked !== true) return null;
  const { rows } = await sql.query<Row>({
    name: 'claim_unrelayed',
    text: `select id, account_id, mode, sequence, type, session_id, facts, created_at, body,
                  extract(epoch from now() - created_at)::double precision * 1000 as age_ms
             from events where relayed_at is null order by sequence limit $1 for update skip locked`,
    values: [limit],
  });
  return rows.map((row) => ({
    ...{ id: row.id, accountId: row.account_id, mode: row.mode, sequence: row.sequence, type: row.type },
    ...{ sessionId: row.session_id, facts: row.session_id === null ? null : row.facts, createdAt: row.created_at },
    ...{ body: row.body, ageMs: row.age_ms },
  }));
}

const RELAY = `
  with said as (
    select * from unnest($1::text[], $2::text[]) as s (id, body)
  ), relayed as (
    update events e set relayed_at = now(), body = coalesce(e.body, said.body)
      from said where e.id = said.id
    returning e.id, e.account_id, e.mode, e.sequence, e.type, e.webhook_endpoint_id
  ), queued as (
    insert into webhook_deliveries as d (endpoint_id, event_id, sequence)
    select w.id, relayed.id, relayed.sequence
      from relayed join webhook_endpoints w
        on case when relayed.webhook_endpoint_id is null
                then w.account_id = relayed.account_id and w.mode = relayed.mode and relayed.type = any(w.events)
                else w.id = relayed.webhook_endpoint_id end
     where w.disabled_at is null and w.deleted_at is null
     order by relayed.sequence
    on conflict (endpoint_id, event_id)
      do update set status = 'waiting', attempts = 0, next_attempt_at = now(), created_at = now()
    returning d.endpoint_id
  )
  insert into webhook_lanes as l (endpoint_id)
  select distinct endpoint_id from queued order by 1
  on conflict (endpoint_id) do update set wake_at = least(l.wake_at, greatest(now(), l.paused_until))
  returning endpoint_id`;

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

/** Back into the outbox, whosever they are: for the operator. @returns those that there are */
export async function resendEvents(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    'update events set relayed_at = null, resend_requested_at = now() where id = any($1) returning id',
    [ids],
  );
  return rows.map((row) => row.id);
}

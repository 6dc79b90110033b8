/** Relays the outbox: new events become deliveries and texts. Also quarantine and resending. */
import type { EventId } from '../../domain/ids.ts';
import { IS_KNOWN_EVENT } from '../attention/known-kinds.ts';
import { readOne, type Sql } from '../pool.ts';
import { TEXTS_DUE } from '../texts/texts.ts';
import { DELIVERIES_DUE, type DeliveryKey, ENQUEUE_AGAIN } from '../webhooks/deliveries.ts';
import { EVENT, type LoggedEvent } from './event-log.ts';
import { NOTIFY_OUTBOX } from './events.ts';

/** An event that is not relayed yet. */
export interface UnrelayedEvent extends LoggedEvent {
  ageMs: number;
  /** How often rendering has failed. */
  relayFailures: number;
}

/** The next events that are neither in quarantine nor claimed by another relay. Call it in a transaction. */
export async function claimUnrelayed(sql: Sql, limit: number): Promise<UnrelayedEvent[]> {
  const { rows } = await sql.query<UnrelayedEvent>({
    name: 'claim_unrelayed',
    text: `select ${EVENT}, relay_failures as "relayFailures",
                  extract(epoch from now() - created_at)::double precision * 1000 as "ageMs"
             from events where relayed_at is null and relay_after <= now() and ${IS_KNOWN_EVENT}
            order by sequence limit $1 for no key update skip locked`,
    values: [limit],
  });
  return rows;
}

/** Whether the outbox has events, and deliveries and texts are due: one cheap statement while there are none. */
export function findNotificationWork(sql: Sql): Promise<{ events: boolean; deliveries: boolean; texts: boolean }> {
  return readOne(sql, {
    name: 'find_notification_work',
    text: `select exists (select from events where relayed_at is null and relay_after <= now() and ${IS_KNOWN_EVENT}) as events,
                  exists (${DELIVERIES_DUE}) as deliveries, exists (${TEXTS_DUE}) as texts`,
  });
}

const RELAY = `
  with rendered as (
    select * from unnest($1::text[], $2::text[]) as r (id, body)
  ), relayed as (
    update events e set relayed_at = now(), body = coalesce(e.body, rendered.body)
      from rendered where e.id = rendered.id
    returning e.id, e.account_id, e.mode, e.sequence, e.type, e.webhook_endpoint_id, e.text_only
  )
  insert into webhook_deliveries as d (endpoint_id, event_id, sequence, enqueue_at)
  select w.id, relayed.id, relayed.sequence, ${ENQUEUE_AGAIN}
    from relayed
    join webhook_endpoints w on w.account_id = relayed.account_id and w.mode = relayed.mode
     and case when relayed.webhook_endpoint_id is null then relayed.type = any(w.events)
              else w.id = relayed.webhook_endpoint_id end
   where not relayed.text_only and w.disabled_at is null and w.deleted_at is null
   order by relayed.sequence
  on conflict (endpoint_id, event_id)
    do update set status = 'waiting', attempts = 0, next_attempt_at = now(), created_at = now(), enqueue_at = excluded.enqueue_at
  returning endpoint_id as "endpointId", event_id as "eventId"`;

/**
 * Writes a delivery of each event, resent ones included, for every subscribed endpoint.
 * @returns the deliveries, in the order of the events
 */
export async function relayEvents(sql: Sql, events: readonly { id: EventId; body: string }[]): Promise<DeliveryKey[]> {
  const { rows } = await sql.query<DeliveryKey>({
    name: 'relay_events',
    text: RELAY,
    values: [events.map(({ id }) => id), events.map(({ body }) => body)],
  });
  return rows;
}

interface EventToQuarantine {
  id: EventId;
  /** Its webhooks are already queued and must not be queued again. */
  textOnly: boolean;
  /** Number of attempts, including this one. */
  attempt: number;
  /** Null: not until it is resent manually. */
  retryInMs: number | null;
}

/** Keeps events from the relay for a time. */
export async function quarantineEvents(sql: Sql, events: readonly EventToQuarantine[]): Promise<void> {
  await sql.query(
    `update events e
        set relayed_at = null, text_only = a.text_only, relay_failures = a.attempt,
            relay_after = coalesce(now() + a.retry_in_ms * interval '1 millisecond', 'infinity')
       from unnest($1::text[], $2::boolean[], $3::smallint[], $4::integer[]) a (id, text_only, attempt, retry_in_ms)
      where e.id = a.id`,
    [
      events.map(({ id }) => id),
      events.map(({ textOnly }) => textOnly),
      events.map(({ attempt }) => attempt),
      events.map(({ retryInMs }) => retryInMs),
    ],
  );
}

/**
 * Returns events of any account to the outbox, as if they had never been relayed or quarantined.
 * @returns those that exist
 */
export async function resendEvents(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `update events
        set relayed_at = null, resend_requested_at = now(), relay_failures = 0, relay_after = '-infinity', text_only = false
      where id = any($1) returning id, ${NOTIFY_OUTBOX}`,
    [ids],
  );
  return rows.map((row) => row.id);
}

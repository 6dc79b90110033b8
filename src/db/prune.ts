/** Deletes old rows, and the velocity signals of old charges, a limited number at a time. */
import type { Sql } from './pool.ts';

/** Shown in the log of an endpoint's deliveries. */
const DELIVERIES_KEPT = "interval '30 days'";
/** REST lists them, and can send one once more. */
const EVENTS_KEPT = "interval '90 days'";
/** They hold callers' numbers. A receipt's row is what keeps it from being sent twice: for a day (sms/queue.ts). */
const TEXTS_KEPT = "interval '90 days'";
/** Of charges that failed; a success clears its own. Velocity rules look back for a day at most. */
const SIGNALS_KEPT = "interval '2 days'";

/** Each statement takes at most `$1` rows. */
const PRUNING = {
  deliveries: `
    delete from webhook_deliveries d where (d.endpoint_id, d.event_id) in (
      select endpoint_id, event_id from webhook_deliveries
       where created_at < now() - ${DELIVERIES_KEPT} and status <> 'waiting' limit $1 for update skip locked)`,
  events: `
    delete from events where id in (
      select e.id from events e
       where e.created_at < now() - ${EVENTS_KEPT} and e.relayed_at is not null
         and not exists (select from webhook_deliveries d where d.event_id = e.id)
       limit $1 for update skip locked)`,
  texts: `
    delete from texts where id in (
      select id from texts where created_at < now() - ${TEXTS_KEPT} and status not in ('waiting', 'sending')
       limit $1 for update skip locked)`,
  velocitySignals: `
    update charges set card_fingerprint = null, origin_hash = null where id in (
      select id from charges
       where created_at < now() - ${SIGNALS_KEPT} and status = 'failed'
         and (card_fingerprint is not null or origin_hash is not null)
       limit $1 for update skip locked)`,
} as const;

export type Prunable = keyof typeof PRUNING;

/** In this order: an event goes after its deliveries. */
export const PRUNABLES: readonly Prunable[] = ['deliveries', 'events', 'texts', 'velocitySignals'];

/** Deletes, or clears, at most `limit` of them. @returns how many */
export async function prune(sql: Sql, what: Prunable, limit: number): Promise<number> {
  const { rowCount } = await sql.query(PRUNING[what], [limit]);
  return rowCount ?? 0;
}

/** The states of events' deliveries, for the list of events in the dashboard. */
import type { DeliveryState } from '../../domain/delivery-state.ts';
import type { Sql } from '../pool.ts';
import { IN_DELIVERY_STATE } from './event-log.ts';

/** An event has the first of these states that one of its deliveries has. */
const WORST_FIRST = ['failed', 'failing', 'waiting', 'delivered', 'canceled'] as const satisfies DeliveryState[];

const STATE = WORST_FIRST.map((state) => `when bool_or(${IN_DELIVERY_STATE[state]}) then '${state}'`).join(' ');

/** By the event's ID. Events without deliveries to existing endpoints are left out. @param ids of a page of a list */
export async function readDeliveryStates(sql: Sql, ids: readonly string[]): Promise<Map<string, DeliveryState>> {
  const { rows } = await sql.query<{ id: string; state: DeliveryState }>(
    `select d.event_id as id, case ${STATE} end as state
       from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
      where d.event_id = any($1) and w.deleted_at is null
      group by d.event_id`,
    [ids],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Counts all events that a list's filters match, and those with a delivery in each state. */
import type { Scope } from '../../domain/account.ts';
import { DELIVERY_STATES, type EventTotals } from '../../domain/delivery-state.ts';
import { MOST_SUMMED, readCounts } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { type EventFilter, IN_DELIVERY_STATE, newestEvents } from './event-log.ts';

const COUNTS = [
  'count(*)::integer as events',
  ...DELIVERY_STATES.map((state) => `(count(*) filter (where ${state}))::integer as ${state}`),
].join(', ');

const STATES = DELIVERY_STATES.map((state) => `bool_or(${IN_DELIVERY_STATE[state]}) as ${state}`).join(', ');

/** @returns null as `readListTotals`. Limited users see no deliveries, as their views have none. */
export async function readEventTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: EventFilter,
): Promise<EventTotals | null> {
  const newest = { columns: 'events.id', sequence: null, limit: MOST_SUMMED + 1 };
  const { text, values } = await newestEvents(database, scope, filter, newest);
  const endpoint = `$${values.length + 1}::text`;
  return readCounts<EventTotals>(database, {
    rows: { text, values: [...values, filter.endpointId] },
    sums: COUNTS,
    // The deliveries of too many events are not read.
    from: `every listed left join lateral (
      select ${STATES} from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
       where d.event_id = listed.id and w.deleted_at is null and (${endpoint} is null or w.id = ${endpoint})
         and (select count(*) from every) <= ${MOST_SUMMED}) deliveries on true`,
  });
}

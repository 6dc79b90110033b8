/** Lists events, newest first, as integrators see them, and inserts test events. */
import type { Scope } from '../../domain/account.ts';
import { ATTENTION_EVENT_TYPES, type AttentionItem } from '../../domain/attention.ts';
import type { DeliveryState } from '../../domain/delivery-state.ts';
import type { AccountId, CheckoutSessionId, EventId, WebhookEndpointId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { columnsOf } from '../columns.ts';
import { isNewestOfMerchants, type TimeRange } from '../conditions.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { sequencesIn } from '../sequences.ts';
import { EVENT_TYPES, type EventFacts, NOTIFY_OUTBOX } from './events.ts';

/** All types of events that rows store. Only those of {@link EVENT_TYPES} are about a session. */
export const LOGGED_TYPES = [...EVENT_TYPES, ...ATTENTION_EVENT_TYPES, 'test'] as const;
export type LoggedType = (typeof LOGGED_TYPES)[number];

/** What an `attention.` event stores, as JSON. */
export type AttentionEventItem = Pick<
  AttentionItem,
  'id' | 'kind' | 'subject' | 'merchantId' | 'businessName' | 'facts'
> & {
  isService: boolean;
  /** ISO 8601. */
  openedAt: string;
  closedAt: string | null;
};

/** An event of a session or of an attention item, or a `test` event, which has neither. */
export interface LoggedEvent {
  id: EventId;
  accountId: AccountId;
  mode: Mode;
  /** A 64-bit integer as text. */
  sequence: string;
  type: LoggedType;
  sessionId: CheckoutSessionId | null;
  facts: EventFacts | null;
  attention: AttentionEventItem | null;
  createdAt: Date;
  /** The body as delivered, rendered once; null before that. */
  body: string | null;
}

/** SQL: a {@link LoggedEvent} from a row of `events`. */
export const EVENT = columnsOf<LoggedEvent>()('events', ['id accountId mode sequence type sessionId createdAt body'], {
  facts: 'case when events.session_id is not null then events.facts end',
  attention: `case when events.type like 'attention.%' then events.facts end`,
});

export interface EventFilter extends TimeRange {
  type: LoggedType | null;
  sessionId: CheckoutSessionId | null;
  /** Events with such a delivery, to any endpoint. */
  delivery: DeliveryState | null;
  /** Events with a delivery to this endpoint. */
  endpointId: string | null;
}

/** How a delivery stands, as SQL. Literals, so that the planner can use the partial indexes. */
export const IN_DELIVERY_STATE: Readonly<Record<DeliveryState, string>> = {
  waiting: `d.status = 'waiting' and d.attempts = 0`,
  failing: `d.status = 'waiting' and d.attempts > 0`,
  delivered: `d.status = 'delivered'`,
  failed: `d.status = 'failed'`,
  canceled: `d.status = 'canceled'`,
};

/** @returns null if `startingAfter` is no event of this scope */
export function listEvents(
  sql: Sql,
  scope: Scope,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<LoggedEvent> | null> {
  return readPage(page, {
    placeOf: (id) => sequenceOf(sql, scope, id),
    async rowsBehind(sequence, limit) {
      const { text, values } = await newestEvents(sql, scope, filter, { columns: EVENT, sequence, limit });
      return sql.query<LoggedEvent>(text, values);
    },
  });
}

interface NewestEvents {
  /** SQL: columns of `events`. */
  columns: string;
  /** Only events before this one; null: all. */
  sequence: string | null;
  limit: number;
}

/** The statement that selects the newest events that match the filter. */
export async function newestEvents(
  sql: Sql,
  scope: Scope,
  filter: EventFilter,
  { columns, sequence, limit }: NewestEvents,
): Promise<{ text: string; values: unknown[] }> {
  const { type, sessionId, delivery, endpointId, after, before } = filter;
  const whose = { whose: 'account_id = $1 and mode = $2', values: [scope.accountId, scope.mode] };
  const range = await sequencesIn(sql, { name: 'events', ...whose }, filter);
  const values = [...whose.values, sequence, type, sessionId, limit, range.after, range.before, after, before];
  if (delivery === null && endpointId === null)
    return { text: isLimited(sql) ? eventsOfMerchants(columns) : allEvents(columns), values };
  const statement = sessionId === null ? eventsWithDelivery : eventsOfSessionWithDelivery;
  return { text: statement(columns, delivery), values: [...values, endpointId] };
}

/** SQL: a place in the list. @param row with `sequence` */
const inRange = (row: string) => `($3::bigint is null or ${row}.sequence < $3)
  and ($7::bigint is null or ${row}.sequence >= $7) and ($8::bigint is null or ${row}.sequence < $8)`;

/** Not the column itself, or PostgreSQL reads all rows of the time by its index, instead of a page by their numbers. */
const CREATED_AT = `(events.created_at + interval '0')`;

const BEHIND = `${inRange('events')}
  and ($4::text is null or events.type = $4) and ($5::text is null or events.session_id = $5)
  and ($9::timestamptz is null or ${CREATED_AT} >= $9) and ($10::timestamptz is null or ${CREATED_AT} < $10)`;

const IS_LISTED = `events.account_id = $1 and events.mode = $2 and ${BEHIND}`;
const NEWEST = 'order by events.sequence desc limit $6';

const allEvents = (columns: string) => `select ${columns} from events where ${IS_LISTED} ${NEWEST}`;
const eventsOfMerchants = (columns: string) => `
  select ${columns} from events where ${isNewestOfMerchants('events', IS_LISTED, NEWEST)} ${NEWEST}`;

const stateOf = (delivery: DeliveryState | null) => (delivery === null ? 'true' : IN_DELIVERY_STATE[delivery]);

/** SQL: a session has few events. */
const eventsOfSessionWithDelivery = (columns: string, delivery: DeliveryState | null) => `
  select ${columns} from events
   where account_id = $1 and mode = $2 and ${BEHIND}
     and exists (select from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
                  where d.event_id = events.id and w.deleted_at is null and ($11::text is null or w.id = $11)
                    and ${stateOf(delivery)})
   order by sequence desc limit $6`;

/**
 * SQL: the newest events of each endpoint, by its index, then the newest of these. Among all events, those with a
 * failed delivery would be searched for too long.
 */
function eventsWithDelivery(columns: string, delivery: DeliveryState | null): string {
  return `
    select ${columns} from events
     where id = any (array(
       select newest.event_id from webhook_endpoints w
        cross join lateral (
          select d.event_id from webhook_deliveries d join events on events.id = d.event_id
           where d.endpoint_id = w.id and ${inRange('d')}
             and ${stateOf(delivery)} and ${BEHIND}
           order by d.sequence desc limit $6) newest
        where w.account_id = $1 and w.mode = $2 and w.deleted_at is null and ($11::text is null or w.id = $11)))
     order by events.sequence desc limit $6`;
}

async function sequenceOf(sql: Sql, scope: Scope, id: string): Promise<string | null> {
  const statement = 'select sequence from events where id = $1 and account_id = $2 and mode = $3';
  const event = await readFirst<{ sequence: string }>(sql, statement, [id, scope.accountId, scope.mode]);
  return event?.sequence ?? null;
}

/** The account's event, in either mode. */
export function findEvent(sql: Sql, accountId: AccountId, id: EventId): Promise<LoggedEvent | null> {
  return readFirst(sql, `select ${EVENT} from events where id = $1 and account_id = $2`, [id, accountId]);
}

/** Inserts an event for this endpoint alone, whatever it subscribed to. */
export function insertTestEvent(sql: Sql, scope: Scope, webhookEndpointId: WebhookEndpointId): Promise<LoggedEvent> {
  return readOne(
    sql,
    `insert into events (id, account_id, mode, type, facts, webhook_endpoint_id)
     values ($1, $2, $3, 'test', '{}', $4) returning ${EVENT}, ${NOTIFY_OUTBOX}`,
    [newId('Event'), scope.accountId, scope.mode, webhookEndpointId],
  );
}

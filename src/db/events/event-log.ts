/** Lists events, newest first, as integrators see them, and inserts test events. */
import type { Scope } from '../../domain/account.ts';
import { ATTENTION_EVENT_TYPES, type AttentionItem } from '../../domain/attention.ts';
import type { AccountId, CheckoutSessionId, EventId, WebhookEndpointId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { columnsOf } from '../columns.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
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

interface EventFilter {
  type: LoggedType | null;
  sessionId: CheckoutSessionId | null;
}

/** @returns null if `startingAfter` is no event of this scope */
export function listEvents(
  sql: Sql,
  scope: Scope,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<LoggedEvent> | null> {
  return readPage(page, {
    placeOf: (id) => sequenceOf(sql, scope, id),
    rowsBehind: (sequence, limit) =>
      sql.query<LoggedEvent>(
        `select ${EVENT} from events
          where account_id = $1 and mode = $2 and ($3::bigint is null or sequence < $3)
            and ($4::text is null or type = $4) and ($5::text is null or session_id = $5)
          order by sequence desc limit $6`,
        [scope.accountId, scope.mode, sequence, filter.type, filter.sessionId, limit],
      ),
  });
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

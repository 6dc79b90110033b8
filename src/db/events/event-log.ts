/** The list of events, newest first, as integrators read it; and test events. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, CheckoutSessionId, EventId, WebhookEndpointId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { type EventFacts, type EventType, NOTIFY_OUTBOX } from './events.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';

/** An event of a session; or a `test` event, which is about none. */
export interface LoggedEvent {
  id: EventId;
  accountId: AccountId;
  mode: Mode;
  /** A 64-bit integer as text. */
  sequence: string;
  type: EventType | 'test';
  sessionId: CheckoutSessionId | null;
  facts: EventFacts | null;
  createdAt: Date;
  /** As it is delivered, rendered once; null before that. */
  body: string | null;
}

/** SQL: a {@link LoggedEvent} from a row `e` of `events`. */
export const EVENT_COLUMNS = `e.id, e.account_id as "accountId", e.mode, e.sequence, e.type, e.session_id as "sessionId",
  case when e.session_id is not null then e.facts end as facts, e.created_at as "createdAt", e.body`;

export interface EventFilter {
  type: EventType | 'test' | null;
  sessionId: CheckoutSessionId | null;
}

/** @returns null when `startingAfter` is no event of this scope */
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
        `select ${EVENT_COLUMNS} from events e
          where e.account_id = $1 and e.mode = $2 and ($3::bigint is null or e.sequence < $3)
            and ($4::text is null or e.type = $4) and ($5::text is null or e.session_id = $5)
          order by e.sequence desc limit $6`,
        [scope.accountId, scope.mode, sequence, filter.type, filter.sessionId, limit],
      ),
    itemOf: (event) => event,
  });
}

async function sequenceOf(sql: Sql, scope: Scope, id: string): Promise<string | null> {
  const { rows } = await sql.query<{ sequence: string }>(
    'select sequence from events where id = $1 and account_id = $2 and mode = $3',
    [id, scope.accountId, scope.mode],
  );
  return rows[0]?.sequence ?? null;
}

/** The account's event, in whichever mode it is. */
export async function findEvent(sql: Sql, accountId: AccountId, id: EventId): Promise<LoggedEvent | null> {
  const { rows } = await sql.query<LoggedEvent>(
    `select ${EVENT_COLUMNS} from events e where e.id = $1 and e.account_id = $2`,
    [id, accountId],
  );
  return rows[0] ?? null;
}

/** An event that goes to this endpoint alone, whatever it subscribed to. */
export async function insertTestEvent(
  sql: Sql,
  scope: Scope,
  webhookEndpointId: WebhookEndpointId,
): Promise<LoggedEvent> {
  const { rows } = await sql.query<LoggedEvent>(
    `with e as (
       insert into events (id, account_id, mode, type, facts, webhook_endpoint_id)
       values ($1, $2, $3, 'test', '{}', $4) returning *
     )
     select ${EVENT_COLUMNS}, ${NOTIFY_OUTBOX} from e`,
    [newId('Event'), scope.accountId, scope.mode, webhookEndpointId],
  );
  if (rows[0] === undefined) throw new Error('an insert returned no row');
  return rows[0];
}

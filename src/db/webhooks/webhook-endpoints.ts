/** Webhook endpoints: the destinations of an account's events of one mode. Secrets are sealed here. */
import type { Scope } from '../../domain/account.ts';
import { ATTENTION_EVENT_TYPES } from '../../domain/attention.ts';
import { CALL_EVENT_TYPES } from '../../domain/call-progress.ts';
import type { AccountId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { columnsOf } from '../columns.ts';
import { EVENT_TYPES } from '../events/events.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { cancelDeliveries } from './deliveries.ts';

/** The types that an endpoint can ask for: events of the outbox, and the progress of calls, which no row stores. */
export const SUBSCRIBED_TYPES = [...EVENT_TYPES, ...ATTENTION_EVENT_TYPES, ...CALL_EVENT_TYPES] as const;
export type SubscribedType = (typeof SUBSCRIBED_TYPES)[number];

export interface WebhookEndpoint {
  id: WebhookEndpointId;
  accountId: AccountId;
  mode: Mode;
  url: string;
  events: SubscribedType[];
  disabled: boolean;
  createdAt: Date;
}

const ENDPOINT = columnsOf<WebhookEndpoint>()('webhook_endpoints', ['id accountId mode url events createdAt'], {
  disabled: 'disabled_at is not null',
});

interface NewWebhookEndpoint {
  id: WebhookEndpointId;
  url: string;
  events: readonly SubscribedType[];
  /** Sealed. */
  signingSecret: string;
}

/** Call it in a transaction. @returns null if the account already has `max` endpoints in this mode */
export async function insertWebhookEndpoint(
  sql: Sql,
  scope: Scope,
  endpoint: NewWebhookEndpoint,
  max: number,
): Promise<WebhookEndpoint | null> {
  // One at a time per account, because two concurrent requests could both see the last free place.
  await sql.query('select 1 from accounts where id = $1 for no key update', [scope.accountId]);
  return readFirst<WebhookEndpoint>(
    sql,
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
     select $1, $2, $3, $4, $5, $6
      where (select count(*) from webhook_endpoints
              where account_id = $2 and mode = $3 and deleted_at is null) < $7
     returning ${ENDPOINT}`,
    [endpoint.id, scope.accountId, scope.mode, endpoint.url, endpoint.events, endpoint.signingSecret, max],
  );
}

/** The account's endpoint, in either mode. */
export function findWebhookEndpoint(
  sql: Sql,
  accountId: AccountId,
  id: WebhookEndpointId,
): Promise<WebhookEndpoint | null> {
  return readFirst(
    sql,
    `select ${ENDPOINT} from webhook_endpoints where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}

/** Newest first. @returns null if `startingAfter` is none of them */
export function listWebhookEndpoints(sql: Sql, scope: Scope, page: PageRequest): Promise<Page<WebhookEndpoint> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'webhook_endpoints', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<WebhookEndpoint>(
        `select ${ENDPOINT} from webhook_endpoints
          where account_id = $1 and mode = $2 and deleted_at is null and ${isBehind('webhook_endpoints', '$3')}
          order by created_at desc, id desc limit $4`,
        [scope.accountId, scope.mode, id, limit],
      ),
  });
}

/** Undefined keeps the value. */
interface WebhookEndpointChange {
  url?: string | undefined;
  events?: readonly SubscribedType[] | undefined;
  disabled?: boolean | undefined;
}

/**
 * Disabling an endpoint cancels its waiting deliveries. Moving or enabling it resets its failures. @returns null if it
 * is gone
 */
export async function changeWebhookEndpoint(
  sql: Sql,
  id: WebhookEndpointId,
  { url, events, disabled }: WebhookEndpointChange,
): Promise<WebhookEndpoint | null> {
  const endpoint = await readFirst<WebhookEndpoint>(
    sql,
    `update webhook_endpoints
        set url = coalesce($2, url), events = coalesce($3, events),
            disabled_at = case when $4::boolean is null then disabled_at
                               when $4 then coalesce(disabled_at, now()) end,
            failures = case when $5 then 0 else failures end,
            paused_until = case when $5 then '-infinity' else paused_until end
      where id = $1 and deleted_at is null returning ${ENDPOINT}`,
    [id, url ?? null, events ?? null, disabled ?? null, url !== undefined || disabled === false],
  );
  if (disabled === true) await cancelDeliveries(sql, id);
  return endpoint;
}

/** Disables an endpoint that refuses deliveries. @returns null if it was already disabled or deleted */
export async function disableWebhookEndpoint(sql: Sql, id: WebhookEndpointId): Promise<WebhookEndpoint | null> {
  const endpoint = await readFirst<WebhookEndpoint>(
    sql,
    `update webhook_endpoints set disabled_at = now()
      where id = $1 and deleted_at is null and disabled_at is null returning ${ENDPOINT}`,
    [id],
  );
  await cancelDeliveries(sql, id);
  return endpoint;
}

/** Replaces the secret; the old one signs as well for `overlapSeconds`. @returns false if the endpoint is gone */
export async function rollWebhookSecret(
  sql: Sql,
  id: WebhookEndpointId,
  signingSecret: string,
  overlapSeconds: number,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update webhook_endpoints
        set previous_secret = case when $3 > 0 then signing_secret end,
            previous_secret_until = case when $3 > 0 then now() + $3::integer * interval '1 second' end,
            signing_secret = $2
      where id = $1 and deleted_at is null`,
    [id, signingSecret, overlapSeconds],
  );
  return rowCount === 1;
}

/** Deletes the secrets and stops all deliveries. The row stays for the delivery log. */
export async function deleteWebhookEndpoint(sql: Sql, id: WebhookEndpointId): Promise<void> {
  await sql.query(
    `update webhook_endpoints
        set deleted_at = now(), signing_secret = '', previous_secret = null, previous_secret_until = null
      where id = $1 and deleted_at is null`,
    [id],
  );
  await cancelDeliveries(sql, id);
}

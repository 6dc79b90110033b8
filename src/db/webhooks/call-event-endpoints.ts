/** The webhook endpoints of an account that ask for call events. */
import type { Scope } from '../../domain/account.ts';
import { CALL_EVENT_TYPES, type CallEventType } from '../../domain/call-progress.ts';
import type { WebhookEndpointId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface CallEventEndpoint {
  id: WebhookEndpointId;
  url: string;
  events: CallEventType[];
  /** Sealed. Includes the previous secret while it still signs. */
  secrets: string[];
}

/** Without those that are disabled, or paused after failed deliveries. */
export async function findCallEventEndpoints(sql: Sql, { accountId, mode }: Scope): Promise<CallEventEndpoint[]> {
  const { rows } = await sql.query<CallEventEndpoint>({
    name: 'find_call_event_endpoints',
    text: `select id, url, events,
                  array_remove(array[signing_secret,
                                     case when previous_secret_until > now() then previous_secret end], null) as secrets
             from webhook_endpoints
            where account_id = $1 and mode = $2 and deleted_at is null and disabled_at is null
              and paused_until <= now() and events && $3::text[]`,
    values: [accountId, mode, CALL_EVENT_TYPES],
  });
  return rows;
}

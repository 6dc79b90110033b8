/** How deliveries to webhook endpoints go now, for the lists of the dashboard. */
import type { WebhookEndpointId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface EndpointHealth {
  id: WebhookEndpointId;
  /** Consecutive failures. 0: the last attempt succeeded, or there was none. */
  failures: number;
  /** The first failed attempt after the last success. Null without failures, or if the log no longer has it. */
  failingSince: Date | null;
  /** Of the last 24 hours. */
  attempts: number;
  failedAttempts: number;
}

/** Reads the index of the log only. @param ids of one account, which has 16 at most */
export async function readEndpointHealth(sql: Sql, ids: readonly string[]): Promise<EndpointHealth[]> {
  const { rows } = await sql.query<EndpointHealth>(
    `select w.id, w.failures, run."failingSince", day.attempts, day."failedAttempts"
       from webhook_endpoints w
      cross join lateral (
        select count(*)::integer as attempts, count(failure)::integer as "failedAttempts"
          from webhook_attempts where endpoint_id = w.id and created_at > now() - interval '1 day') day
       left join lateral (
        select min(created_at) as "failingSince"
          from webhook_attempts
         where endpoint_id = w.id and failure is not null and w.failures > 0
           and created_at > coalesce((select max(created_at) from webhook_attempts
                                       where endpoint_id = w.id and failure is null), '-infinity')) run on true
      where w.id = any($1)`,
    [ids],
  );
  return rows;
}

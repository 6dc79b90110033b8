/** How deliveries to webhook endpoints go now, for the lists of the dashboard. */
import type { DeliveryState } from '../../domain/delivery-state.ts';
import type { WebhookEndpointId } from '../../domain/ids.ts';
import { IN_DELIVERY_STATE } from '../events/event-log.ts';
import type { Sql } from '../pool.ts';

/** The newest failed attempt of a failing endpoint. */
export interface LastFailure {
  statusCode: number | null;
  /** A short word, such as `timeout`, and more about it if there is more. */
  failure: string;
  failureDetail: string | null;
  /** Its delivery now. Null: neither failed for good nor waiting for a retry. */
  state: Extract<DeliveryState, 'failing' | 'failed'> | null;
}

export interface EndpointHealth {
  id: WebhookEndpointId;
  /** Consecutive failures. 0: the last attempt succeeded, or there was none. */
  failures: number;
  /** The first failed attempt after the last success. Null without failures, or if the log no longer has it. */
  failingSince: Date | null;
  /** Null as {@link failingSince}. */
  lastFailure: LastFailure | null;
  /** Of the last 24 hours. */
  attempts: number;
  failedAttempts: number;
}

/** Reads the log by its index. @param ids of one account, which has 16 at most */
export async function readEndpointHealth(sql: Sql, ids: readonly string[]): Promise<EndpointHealth[]> {
  const { rows } = await sql.query<EndpointHealth>(
    `select w.id, w.failures, run."failingSince", last.of as "lastFailure", day.attempts, day."failedAttempts"
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
       left join lateral (
        select jsonb_build_object('statusCode', a.status_code, 'failure', a.failure, 'failureDetail', a.failure_detail,
                 'state', case when ${IN_DELIVERY_STATE.failing} then 'failing'
                               when ${IN_DELIVERY_STATE.failed} then 'failed' end) as of
          from webhook_attempts a
          left join webhook_deliveries d on d.endpoint_id = a.endpoint_id and d.event_id = a.event_id
         where a.endpoint_id = w.id and a.failure is not null and w.failures > 0
         order by a.created_at desc limit 1) last on true
      where w.id = any($1)`,
    [ids],
  );
  return rows;
}

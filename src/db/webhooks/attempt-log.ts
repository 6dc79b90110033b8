/** The log of delivery attempts, as integrators read it. {@link writeAttempts} writes it. */
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

/** One signed request to an endpoint and its result. */
export interface LoggedAttempt {
  endpointId: WebhookEndpointId;
  url: string;
  /** Counts from 1 after each resend. */
  attempt: number;
  /** The signed time. */
  sentAt: Date;
  /** The value of `webhook-signature`. */
  signature: string;
  latencyMs: number;
  statusCode: number | null;
  answer: string | null;
  failure: string | null;
  failureDetail: string | null;
}

/** Newest first, without deleted endpoints. */
export async function listAttemptsOfEvent(sql: Sql, id: EventId, limit: number): Promise<LoggedAttempt[]> {
  const { rows } = await sql.query<LoggedAttempt>(
    `select w.id as "endpointId", w.url, a.attempt, a.sent_at as "sentAt", a.signature, a.latency_ms as "latencyMs",
            a.status_code as "statusCode", a.answer, a.failure, a.failure_detail as "failureDetail"
       from webhook_attempts a join webhook_endpoints w on w.id = a.endpoint_id
      where a.event_id = $1 and w.deleted_at is null
      order by a.created_at desc, w.id limit $2`,
    [id, limit],
  );
  return rows;
}

/** The attempts of an hour of UTC. */
export interface AttemptsOfHour {
  /** Its start. */
  hour: Date;
  attempts: number;
  failures: number;
}

/** The last hours up to now, oldest first, with those without attempts. */
export async function countAttemptsByHour(sql: Sql, id: WebhookEndpointId, hours: number): Promise<AttemptsOfHour[]> {
  const { rows } = await sql.query<AttemptsOfHour>(
    `with counted as (
       select date_trunc('hour', created_at, 'UTC') as hour, count(*)::integer as attempts,
              count(failure)::integer as failures
         from webhook_attempts
        where endpoint_id = $1 and created_at >= date_trunc('hour', now(), 'UTC') - ($2 - 1) * interval '1 hour'
        group by 1
     )
     select hour, coalesce(attempts, 0) as attempts, coalesce(failures, 0) as failures
       from generate_series(date_trunc('hour', now(), 'UTC') - ($2 - 1) * interval '1 hour',
                            date_trunc('hour', now(), 'UTC'), interval '1 hour') hour
       left join counted using (hour)
      order by hour`,
    [id, hours],
  );
  return rows;
}

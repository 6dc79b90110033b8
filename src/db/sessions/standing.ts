/** How a session stands: paid, being paid, declined last, its page opened, its call. For whoever watches it from elsewhere. */
import type { CallStage } from '../../domain/call-stage.ts';
import type { Charge } from '../../domain/charge.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';

export interface SessionStanding {
  status: CheckoutSession['status'];
  /** The charge that is pending or has succeeded. */
  live: Pick<Charge, 'id' | 'status' | 'source'> | null;
  /** The newest charge that failed. */
  failed: Pick<Charge, 'id' | 'source' | 'declineCode'> | null;
  /** When a person has first seen the pay page. */
  pageOpenedAt: Date | null;
  /** Of the live call; null: there is none. */
  callStage: CallStage | null;
}

/** SQL: the stage of the live call of a row of `checkout_sessions`; null where there is none. */
export const CALL_STAGE = `(select coalesce(calls.stage, 'greeting')
   from calls where calls.session_id = checkout_sessions.id and calls.ended_at is null)`;

/** @returns null where there is no such session */
export function findStanding(sql: Sql, id: CheckoutSessionId): Promise<SessionStanding | null> {
  return readFirst(sql, {
    name: 'find_standing',
    text: `select checkout_sessions.status,
        (select json_build_object('id', c.id, 'status', c.status, 'source', c.source)
           from charges c where c.session_id = checkout_sessions.id and c.status in ('pending', 'succeeded')) as live,
        (select json_build_object('id', c.id, 'source', c.source, 'declineCode', c.decline_code)
           from charges c where c.session_id = checkout_sessions.id and c.status = 'failed' order by c.created_at desc limit 1) as failed,
        (select opened_at from pay_links l where l.session_id = checkout_sessions.id) as "pageOpenedAt",
        ${CALL_STAGE} as "callStage"
      from checkout_sessions where id = $1`,
    values: [id],
  });
}

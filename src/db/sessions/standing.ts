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

/** @returns null where there is no such session */
export function findStanding(sql: Sql, id: CheckoutSessionId): Promise<SessionStanding | null> {
  return readFirst(sql, {
    name: 'find_standing',
    text: `select s.status,
        (select json_build_object('id', c.id, 'status', c.status, 'source', c.source)
           from charges c where c.session_id = s.id and c.status in ('pending', 'succeeded')) as live,
        (select json_build_object('id', c.id, 'source', c.source, 'declineCode', c.decline_code)
           from charges c where c.session_id = s.id and c.status = 'failed' order by c.created_at desc limit 1) as failed,
        (select opened_at from pay_links l where l.session_id = s.id) as "pageOpenedAt",
        (select coalesce(k.stage, 'greeting') from calls k where k.session_id = s.id and k.ended_at is null) as "callStage"
      from checkout_sessions s where s.id = $1`,
    values: [id],
  });
}

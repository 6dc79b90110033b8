/** The text with a session's pay link that went out last, for a call that speaks of it. */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import { ONCE_IN_SECONDS } from './link-texts.ts';

export interface RecentLinkText {
  /** Last two digits of the number that it goes to. */
  lastTwo: string;
}

/** A text that the carrier refused, or did not take for a while: several tries. */
const TRIES = 2;

/** @returns null where none was queued in the last minute, or none that is on its way or there */
export function findRecentLinkText(sql: Sql, sessionId: CheckoutSessionId): Promise<RecentLinkText | null> {
  return readFirst(sql, {
    name: 'recent_link_text',
    text: `select right(recipient, 2) as "lastTwo" from texts
            where session_id = $1 and kind = 'pay_link'
              and (status in ('sending', 'sent') or status = 'waiting' and attempts < ${TRIES})
              and created_at > now() - interval '${ONCE_IN_SECONDS} seconds'
            order by created_at desc limit 1`,
    values: [sessionId],
  });
}

/** The session's newest text with its link that did not go out; null where it did, or is on its way. @returns its id */
export async function findFailedLinkText(sql: Sql, sessionId: CheckoutSessionId): Promise<string | null> {
  const row = await readFirst<{ id: string | null }>(sql, {
    name: 'failed_link_text',
    text: `select case when status in ('failed', 'unknown', 'opted_out') or (status = 'waiting' and attempts >= ${TRIES})
                       then id end as id
             from texts where session_id = $1 and kind = 'pay_link' order by created_at desc limit 1`,
    values: [sessionId],
  });
  return row?.id ?? null;
}

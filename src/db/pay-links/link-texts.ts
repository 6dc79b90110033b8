/** Queues texts with pay links, and reads the last one. */

import type { CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import { hashPayCode, type NewPayLink } from './pay-links.ts';

/** A session's link is texted at most once in this many seconds. */
const ONCE_IN_SECONDS = 60;
/** Limit per hour. `texted_at` holds as many times. */
const MAX_AN_HOUR = 3;

/** SQL: whether another text is allowed now, from the row of a link. */
export const mayText = (link: string) =>
  `(coalesce(${link}.texted_at[1] <= now() - interval '${ONCE_IN_SECONDS} seconds', true)
    and coalesce(${link}.texted_at[${MAX_AN_HOUR}] <= now() - interval '1 hour', true))`;

export interface LinkText {
  /** `txt_…`. */
  id: string;
  /** E.164. */
  recipient: string;
  /** Encrypted for this text, because it contains the pay link. */
  sealedBody: string;
  segments: number;
}

/**
 * Queues a text with the session's link if another one is allowed now, and stores the link if the session has none. One
 * statement locks the link's row, so that of concurrent requests in all processes only one queues a text.
 * @returns whether the text is queued; false also if the session has a different link
 */
export async function queueLinkText(sql: Sql, link: NewPayLink, text: LinkText): Promise<boolean> {
  const { sessionId, scope, codes, codesSealed } = link;
  const queued = await readFirst(sql, {
    name: 'queue_link_text',
    text: `with turn as (
             insert into pay_links as l (session_id, account_id, mode, short_hash, long_hash, codes_sealed, texted_at)
             values ($1, $2, $3, $4, $5, $6, array[now()])
             on conflict (session_id) do update set texted_at = (array[now()] || l.texted_at)[1:${MAX_AN_HOUR}]
              where l.short_hash = excluded.short_hash and ${mayText('l')}
             returning session_id, account_id, mode)
           insert into texts (id, account_id, mode, session_id, kind, recipient, body, sealed_body, segments)
           select $7, account_id, mode, session_id, 'pay_link', $8, '', $9, $10 from turn
           returning id`,
    values: [
      sessionId,
      scope.accountId,
      scope.mode,
      hashPayCode(codes.short),
      hashPayCode(codes.long),
      codesSealed,
      text.id,
      text.recipient,
      text.sealedBody,
      text.segments,
    ],
  });
  return queued !== null;
}

interface RecentLinkText {
  /** The last two digits of the recipient's number. */
  lastTwo: string;
}

/** After this many attempts a text that the carrier does not accept counts as failed. */
const TRIES = 2;

/** @returns the last text of this minute that is sent or on its way; null if there is none */
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

/** The session's newest text with its link, if it failed. @returns its ID; null if it was sent or is on its way */
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

/** Queues texts with pay links. */

import type { CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import { hashPayCode, type NewPayLink } from './pay-links.ts';

/** Seconds in which a session's link is texted once. */
export const ONCE_IN_SECONDS = 60;
/** More are not texted in an hour. `texted_at` holds as many times. */
const MAX_AN_HOUR = 3;

/** SQL: whether another text may go out now, from the row of a link. */
export const mayText = (link: string) =>
  `(coalesce(${link}.texted_at[1] <= now() - interval '${ONCE_IN_SECONDS} seconds', true)
    and coalesce(${link}.texted_at[${MAX_AN_HOUR}] <= now() - interval '1 hour', true))`;

export interface LinkText {
  /** `txt_…`. */
  id: string;
  /** E.164. */
  recipient: string;
  /** Encrypted for this text: it holds the way to pay. */
  sealedBody: string;
  segments: number;
}

/**
 * Queues a text with the session's link where another may go out now, and stores the link where the session has none.
 * The row of the link decides, in one statement: of several at the same moment, in whatever processes, one finds no
 * time in it.
 * @returns whether the text is queued; false also where the session has another link than this one
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

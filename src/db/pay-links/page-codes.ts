/**
 * Codes that are texted to the caller before the pay page shows saved cards. A session has one row from its first code
 * on.
 */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import type { LinkText } from './link-texts.ts';

/** How long a code is valid. Its text is not sent later, either (texts.ts). */
export const CODE_SECONDS = 300;
const TRIES = 5;
/** A second request within this time is a double click or another window: the first code stays. */
const ONCE_IN_SECONDS = 20;
/** Limit per hour. `texted_at` holds as many times. */
const MAX_AN_HOUR = 3;

interface NewPageCode {
  sessionId: CheckoutSessionId;
  /** HMAC of the digits. */
  codeHash: Buffer;
}

/** SQL: whether the session of a row of `checkout_sessions` has a valid code. */
export const HAS_CODE = `exists (select from page_codes c where c.session_id = checkout_sessions.id
  and c.code_hash is not null and c.expires_at > now() and c.tries_left > 0)`;

/**
 * Queues a text with a code that replaces the previous one, in one statement that locks the row for all processes. The
 * session must have a link.
 * @returns `early`: a code was sent just now and stays valid; `too_many`: the hourly limit is reached
 */
export async function queueCodeText(
  sql: Sql,
  { sessionId, codeHash }: NewPageCode,
  text: LinkText,
): Promise<'queued' | 'early' | 'too_many'> {
  const queued = await readFirst(sql, {
    name: 'queue_code_text',
    text: `with turn as (
             insert into page_codes as c (session_id, code_hash, expires_at, tries_left, texted_at)
             values ($1, $2, now() + interval '${CODE_SECONDS} seconds', ${TRIES}, array[now()])
             on conflict (session_id) do update
                set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries_left = excluded.tries_left,
                    texted_at = (array[now()] || c.texted_at)[1:${MAX_AN_HOUR}]
              where c.texted_at[1] <= now() - interval '${ONCE_IN_SECONDS} seconds'
                and coalesce(c.texted_at[${MAX_AN_HOUR}] <= now() - interval '1 hour', true)
             returning session_id)
           insert into texts (id, account_id, mode, session_id, kind, recipient, body, sealed_body, segments)
           select $3, s.account_id, s.mode, s.id, 'page_code', $4, '', $5, $6
             from turn join checkout_sessions s on s.id = turn.session_id
           returning id`,
    values: [sessionId, codeHash, text.id, text.recipient, text.sealedBody, text.segments],
  });
  if (queued !== null) return 'queued';
  const early = await readFirst(
    sql,
    `select from page_codes where session_id = $1 and texted_at[1] > now() - interval '${ONCE_IN_SECONDS} seconds'
        and code_hash is not null`,
    [sessionId],
  );
  return early === null ? 'too_many' : 'early';
}

/**
 * Counts an attempt, and uses up the code if it matches. Of concurrent attempts, one can succeed.
 * @returns `none`: there is no valid code: it was used, is too old, or was tried too often
 */
export async function tryPageCode(sql: Sql, { sessionId, codeHash }: NewPageCode): Promise<'right' | 'wrong' | 'none'> {
  const tried = await readFirst<{ isRight: boolean; triesLeft: number }>(sql, {
    name: 'try_page_code',
    text: `update page_codes
              set tries_left = tries_left - 1, code_hash = case when code_hash = $2 then null else code_hash end
            where session_id = $1 and code_hash is not null and expires_at > now() and tries_left > 0
           returning code_hash is null as "isRight", tries_left as "triesLeft"`,
    values: [sessionId, codeHash],
  });
  if (tried === null) return 'none';
  if (tried.isRight) return 'right';
  return tried.triesLeft > 0 ? 'wrong' : 'none';
}

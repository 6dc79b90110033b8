/** The table `user_sessions`: who is signed in to the dashboard. Only the SHA-256 of the cookie's token is stored. */
import { type AccountId, newId, type UserId, type UserSessionId } from '../../domain/ids.ts';
import type { MerchantLimit, Role } from '../../domain/user.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { MERCHANT_LIMIT } from './users.ts';

/** An active session, with the user's current permissions. */
export interface UserSession {
  sessionId: UserSessionId;
  userId: UserId;
  accountId: AccountId;
  accountName: string;
  role: Role;
  merchants: MerchantLimit;
  name: string;
  email: string;
  /** Of the dashboard, as the user has chosen. Null: the browser's. */
  language: string | null;
  /** The user's last activity within the idle time. */
  lastActive: Date;
  /** The user was inactive for longer than the idle time, and has not signed in since. */
  isIdle: boolean;
  /** The user has authenticated recently. */
  isRecent: boolean;
  /** {@link lastActive} is old enough to be updated. */
  isTouchDue: boolean;
  expiresAt: Date;
}

/** PCI DSS 8.2.8. */
const IDLE_MINUTES = 15;
export const SESSION_HOURS = 12;
/** For changes of users and of their credentials. */
const RECENT_MINUTES = 15;
/** A slightly outdated time saves a write for most requests. */
const TOUCHED_EVERY_SECONDS = 10;

/** A session to insert. */
interface NewUserSession {
  tokenHash: Buffer;
  userId: UserId;
  source: string | null;
  /** When the user authenticated; null for now. */
  authenticatedAt: Date | null;
}

/** Idle from the start if the user authenticated long ago. */
export function insertUserSession(
  sql: Sql,
  { tokenHash, userId, source, authenticatedAt }: NewUserSession,
): Promise<{ id: UserSessionId; expiresAt: Date }> {
  return readOne(
    sql,
    `insert into user_sessions (token_hash, id, user_id, expires_at, source, authenticated_at, last_active_at)
     values ($1, $2, $3, now() + interval '${SESSION_HOURS} hours', $4, $5,
             least(now(), greatest(coalesce($5::timestamptz, now()), now() - interval '${SESSION_HOURS} hours')))
     returning id, expires_at as "expiresAt"`,
    [tokenHash, newId('UserSession'), userId, source, authenticatedAt],
  );
}

const IS_IDLE = `s.last_active_at < now() - interval '${IDLE_MINUTES} minutes'`;
const IS_TOUCH_DUE = `s.last_active_at < now() - interval '${TOUCHED_EVERY_SECONDS} seconds'`;
const IS_RECENT = `least(s.created_at, s.authenticated_at) > now() - interval '${RECENT_MINUTES} minutes'`;

/** Null if there is no such session, it has ended, or its user was removed. */
export function findUserSession(sql: Sql, tokenHash: Buffer): Promise<UserSession | null> {
  return readFirst(sql, {
    name: 'find_user_session',
    text: `select s.id as "sessionId", u.id as "userId", u.account_id as "accountId", a.name as "accountName",
                  u.role, u.name, u.email, u.language, ${MERCHANT_LIMIT('u')} as merchants,
                  s.last_active_at as "lastActive", ${IS_IDLE} as "isIdle", ${IS_RECENT} as "isRecent",
                  ${IS_TOUCH_DUE} as "isTouchDue", s.expires_at as "expiresAt"
             from user_sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
            where s.token_hash = $1 and s.expires_at > now() and u.removed_at is null`,
    values: [tokenHash],
  });
}

/** The merchants of the session's user, as they are now. Undefined if the session has ended or the user was removed. */
export async function readMerchantLimit(sql: Sql, id: UserSessionId): Promise<MerchantLimit | undefined> {
  const found = await readFirst<{ merchants: MerchantLimit }>(sql, {
    name: 'read_merchant_limit',
    text: `select ${MERCHANT_LIMIT('u')} as merchants from user_sessions s join users u on u.id = s.user_id
            where s.id = $1 and s.expires_at > now() and u.removed_at is null`,
    values: [id],
  });
  return found?.merchants;
}

/** Gives the session another token. The old one becomes invalid. */
export function replaceSessionToken(sql: Sql, id: UserSessionId, tokenHash: Buffer): Promise<{ expiresAt: Date }> {
  const text = 'update user_sessions set token_hash = $2 where id = $1 returning expires_at as "expiresAt"';
  return readOne(sql, text, [id, tokenHash]);
}

/** Records activity of the user. A session that was idle for too long stays idle. */
export async function touchUserSession(sql: Sql, id: UserSessionId): Promise<void> {
  await sql.query({
    name: 'touch_user_session',
    text: `update user_sessions s set last_active_at = now()
            where s.id = $1 and ${IS_TOUCH_DUE} and not (${IS_IDLE})`,
    values: [id],
  });
}

/** @returns false if it was already gone */
export async function deleteUserSession(sql: Sql, id: UserSessionId): Promise<boolean> {
  return (await sql.query('delete from user_sessions where id = $1', [id])).rowCount === 1;
}

/** Whether the session is active and belongs to the user. */
export async function hasUserSession(sql: Sql, userId: UserId, id: UserSessionId): Promise<boolean> {
  const text = 'select 1 from user_sessions where id = $1 and user_id = $2 and expires_at > now()';
  return (await readFirst(sql, text, [id, userId])) !== null;
}

/** @param except a session to keep, or null. @returns how many ended */
export async function deleteUserSessions(
  sql: Sql,
  userId: UserId,
  except: UserSessionId | null = null,
): Promise<number> {
  const text = 'delete from user_sessions where user_id = $1 and id is distinct from $2';
  return (await sql.query(text, [userId, except])).rowCount ?? 0;
}

/** A session as listed for its user. */
export interface ListedSession {
  id: UserSessionId;
  createdAt: Date;
  lastActive: Date;
  /** The IP address that it was created from. */
  source: string | null;
}

/** Active sessions, newest first, at most a hundred. */
export async function listUserSessions(sql: Sql, userId: UserId): Promise<ListedSession[]> {
  const text = `select id, created_at as "createdAt", last_active_at as "lastActive", source from user_sessions
                 where user_id = $1 and expires_at > now() order by created_at desc, id limit 100`;
  return (await sql.query<ListedSession>(text, [userId])).rows;
}

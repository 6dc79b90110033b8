/** Sessions of the dashboard: created at sign-in, found by the token in the cookie, ended at sign-out. */
import { createHmac } from 'node:crypto';
import type { Database, Sql } from '../../db/pool.ts';
import {
  deleteUserSession,
  deleteUserSessions,
  findUserSession,
  insertUserSession,
  replaceSessionToken,
  touchUserSession,
  type UserSession,
} from '../../db/users/user-sessions.ts';
import { setSignedIn } from '../../db/users/users.ts';
import type { Actor } from '../../domain/audit.ts';
import type { UserId, UserSessionId } from '../../domain/ids.ts';
import type { User } from '../../domain/user.ts';
import { auditUser } from './manage.ts';
import { hashUserToken, isUserToken, newUserToken } from './tokens.ts';

export type { UserSession } from '../../db/users/user-sessions.ts';

/** How a user authenticated. */
export type SignInMethod = 'passkey' | 'password' | 'recovery_code' | 'oidc' | 'invitation';

/** A session's token, for the cookie. */
export interface SignedIn {
  token: string;
  expiresAt: Date;
}

/** The source of a request, for the audit trail. */
export interface RequestSource {
  source: string | null;
  requestId: string | null;
}

export function actorOfUser(userId: UserId, { source, requestId }: RequestSource): Actor {
  return { kind: 'user', id: userId, source, requestId };
}

/**
 * Creates a session with a new token, whatever the browser had before. Call it in the transaction that authenticated
 * the user.
 * @param authenticatedAt when the user authenticated, if not now
 * @returns the token, for the cookie
 */
export async function startUserSession(
  sql: Sql,
  user: Pick<User, 'id' | 'accountId'>,
  way: SignInMethod,
  from: RequestSource,
  authenticatedAt: Date | null = null,
): Promise<SignedIn> {
  const token = newUserToken();
  const tokenHash = hashUserToken(token);
  const session = await insertUserSession(sql, { tokenHash, userId: user.id, source: from.source, authenticatedAt });
  await setSignedIn(sql, user.id);
  await auditUser(sql, actorOfUser(user.id, from), 'user.signed_in', user, { way, session: session.id });
  return { token, expiresAt: session.expiresAt };
}

/** Gives the session a new token, which invalidates copies of its cookie. */
export async function renewSessionToken(sql: Sql, id: UserSessionId): Promise<SignedIn> {
  const token = newUserToken();
  return { token, ...(await replaceSessionToken(sql, id, hashUserToken(token))) };
}

/** @returns null if no active session has the token */
export async function findSessionByToken(sql: Sql, token: string): Promise<UserSession | null> {
  return isUserToken(token) ? findUserSession(sql, hashUserToken(token)) : null;
}

/** Records activity of the user, as opposed to a page's polling. */
export async function noteActivity(sql: Sql, { sessionId, isIdle, isTouchDue }: UserSession): Promise<void> {
  if (!isIdle && isTouchDue) await touchUserSession(sql, sessionId);
}

/** Ends this session, or all of the user's. */
export function endUserSession(
  database: Database,
  { sessionId, userId, accountId }: Pick<UserSession, 'sessionId' | 'userId' | 'accountId'>,
  from: RequestSource,
  everywhere: boolean,
): Promise<void> {
  return database.transaction(async (sql) => {
    const ended = everywhere ? await deleteUserSessions(sql, userId) : Number(await deleteUserSession(sql, sessionId));
    if (ended === 0) return;
    const user = { id: userId, accountId };
    const changes = { session: sessionId, ...(everywhere && { sessions_ended: ended }) };
    await auditUser(sql, actorOfUser(userId, from), 'user.signed_out', user, changes);
  });
}

/** The token in the session's forms (CSRF): it cannot be known without the cookie. @param key the session's token */
export function formTokenOf(key: string): string {
  return createHmac('sha256', key).update('ringkey form token').digest('base64url');
}

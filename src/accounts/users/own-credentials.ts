/** Changes of a signed-in user's own credentials, all in the audit trail. */
import type { Database, Sql } from '../../db/pool.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../../db/users/credentials.ts';
import { deletePasskey, insertPasskey, listPasskeys, type Passkey } from '../../db/users/passkeys.ts';
import { type ListedSession, listUserSessions } from '../../db/users/user-sessions.ts';
import { findUser } from '../../db/users/users.ts';
import type { Actor } from '../../domain/audit.ts';
import type { UserId } from '../../domain/ids.ts';
import type { User } from '../../domain/user.ts';
import { auditUser } from './manage.ts';
import { finishChange, lockOwnUser, type OwnSession } from './own-password.ts';
import { newRecoveryCodes, recoveryHashes } from './second-factor.ts';
import type { SignedIn } from './sessions.ts';

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_LENGTH = 60;

export interface OwnCredentials {
  user: User;
  /** Oldest first. */
  passkeys: Passkey[];
  /** Number of unused recovery codes. */
  recoveryCodes: number;
  /** Newest first. */
  sessions: ListedSession[];
}

/** @returns null if the user was removed */
export async function readOwnCredentials(sql: Sql, userId: UserId): Promise<OwnCredentials | null> {
  const user = await findUser(sql, userId);
  if (user === null) return null;
  const [passkeys, recoveryCodes, sessions] = await Promise.all([
    listPasskeys(sql, userId),
    countRecoveryCodes(sql, userId),
    listUserSessions(sql, userId),
  ]);
  return { user, passkeys, recoveryCodes, sessions };
}

/**
 * @param passkey with a verified answer
 * @returns false if there are too many, it already exists, or the session has ended meanwhile
 */
export function addOwnPasskey(
  database: Database,
  by: Actor,
  session: OwnSession,
  passkey: Omit<Passkey, 'userId' | 'createdAt' | 'usedAt'>,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const user = await lockOwnUser(sql, session);
    if (user === null || user.passkeys >= MAX_PASSKEYS) return false;
    if (!(await insertPasskey(sql, { ...passkey, userId: user.id }))) return false;
    await auditUser(sql, by, 'user.credentials_changed', user, { added: 'passkey', name: passkey.name });
    return true;
  });
}

/** `last`: without another passkey or a password, the user could not sign in any more. */
type PasskeyRemoval = { kind: 'removed'; signedIn: SignedIn } | { kind: 'missing' | 'last' };

/**
 * Removes a passkey. Someone may be signed in with it, so the user's other sessions end, and this one gets a new token.
 */
export function removeOwnPasskey(
  database: Database,
  by: Actor,
  { userId, sessionId }: OwnSession,
  id: string,
): Promise<PasskeyRemoval> {
  return database.transaction(async (sql): Promise<PasskeyRemoval> => {
    const user = await lockOwnUser(sql, { userId, sessionId });
    const passkey = (await listPasskeys(sql, userId)).find((each) => each.id === id);
    if (user === null || passkey === undefined) return { kind: 'missing' };
    if (user.passkeys === 1 && !user.hasPassword) return { kind: 'last' };
    await deletePasskey(sql, userId, id);
    const changes = { removed: 'passkey', name: passkey.name };
    return { kind: 'removed', signedIn: await finishChange(sql, by, user, sessionId, changes) };
  });
}

/** Invalidates the old codes. @returns null if there is no authenticator app that they could replace */
export function renewRecoveryCodes(database: Database, by: Actor, session: OwnSession): Promise<string[] | null> {
  return database.transaction(async (sql) => {
    const user = await lockOwnUser(sql, session);
    if (user?.hasPassword !== true) return null;
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(sql, user.id, recoveryHashes(user, codes));
    await auditUser(sql, by, 'user.credentials_changed', user, { now: ['recovery_codes'] });
    return codes;
  });
}

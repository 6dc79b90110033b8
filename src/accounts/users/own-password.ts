/** Checks and changes the password of a signed-in user. Wrong passwords count toward the lock, as at sign-in. */

import type { Database, Sql } from '../../db/pool.ts';
import { type Candidate, countTryOf, lockPassword, setPasswordHash, takeTryBack } from '../../db/users/credentials.ts';
import { deleteInvitations } from '../../db/users/invitations.ts';
import { deleteUserSessions, hasUserSession } from '../../db/users/user-sessions.ts';
import { findUser, lockUser } from '../../db/users/users.ts';
import type { Actor, AuditChanges } from '../../domain/audit.ts';
import type { User } from '../../domain/user.ts';
import { auditUser } from './manage.ts';
import { hashPassword, isPassword, type PasswordFault, passwordFault } from './password.ts';
import { renewSessionToken, type SignedIn, type UserSession } from './sessions.ts';

/** The requesting user and session. That session stays. */
export type OwnSession = Pick<UserSession, 'userId' | 'sessionId'>;

/** `same`: the current password. */
export type NewPasswordFault = PasswordFault | 'same';

/** The faults, by field. */
export interface NewPasswordFaults {
  current?: 'wrong';
  password?: NewPasswordFault;
}

/** `missing`: the user has no password. */
type PasswordChange =
  | { kind: 'changed'; signedIn: SignedIn }
  | { kind: 'missing' }
  | { kind: 'faults'; faults: NewPasswordFaults };

const WRONG_CURRENT: NewPasswordFaults = { current: 'wrong' };

/** Changes the password. The user's other sessions end, and this one gets a new token. @throws TooBusy */
export async function changeOwnPassword(
  database: Database,
  by: Actor,
  { userId, sessionId }: OwnSession,
  entered: { current: string; password: string },
): Promise<PasswordChange> {
  const user = await findUser(database, userId);
  if (user?.hasPassword !== true) return { kind: 'missing' };
  const current = await checkOwnPassword(database, by, user, entered.current, 'new_password');
  const isSame = current !== null && entered.password === entered.current;
  const fault: NewPasswordFault | null = isSame ? 'same' : passwordFault(entered.password, user.email);
  if (current === null || fault !== null) {
    const faults = { ...(current === null && WRONG_CURRENT), ...(fault !== null && { password: fault }) };
    return { kind: 'faults', faults };
  }
  const passwordHash = await hashPassword(entered.password);
  return database.transaction(async (sql): Promise<PasswordChange> => {
    if ((await lockOwnUser(sql, { userId, sessionId })) === null) return { kind: 'missing' };
    const stored = await lockPassword(sql, userId);
    if (stored?.passwordHash !== current.passwordHash) return { kind: 'faults', faults: WRONG_CURRENT };
    await setPasswordHash(sql, userId, passwordHash);
    return { kind: 'changed', signedIn: await finishChange(sql, by, user, sessionId, { now: ['password'] }) };
  });
}

/**
 * Checks the user's password. @param before the intended change, for the audit trail
 * @returns null if it is wrong, or the user is locked. @throws TooBusy
 */
export async function checkOwnPassword(
  database: Database,
  by: Actor,
  { id }: Pick<User, 'id'>,
  password: string,
  before: 'new_password' | 'new_authenticator',
): Promise<Candidate | null> {
  const candidate = await countTryOf(database, id);
  if (candidate === null) return null;
  const isRight = await isPassword(candidate.passwordHash, password).catch(async (error: unknown) => {
    if (!candidate.isLocked) await takeTryBack(database, candidate);
    throw error;
  });
  if (isRight && !candidate.isLocked) {
    // Only this failure: those of somebody who guesses at the sign-in page stay.
    await takeTryBack(database, candidate);
    return candidate;
  }
  await noteWrongPassword(database, by, candidate, { way: 'password', before });
  return null;
}

/** @returns null if the session has ended meanwhile, for example by a change in another session */
export async function lockOwnUser(sql: Sql, { userId, sessionId }: OwnSession): Promise<User | null> {
  const user = await lockUser(sql, userId);
  return (await hasUserSession(sql, userId, sessionId)) ? user : null;
}

/** Writes nothing more while a user is locked, or guessing would fill the audit trail. */
export async function noteWrongPassword(
  sql: Sql,
  by: Actor,
  candidate: Candidate,
  changes: AuditChanges,
): Promise<void> {
  if (candidate.isLocked) return;
  await auditUser(sql, by, 'user.sign_in_failed', candidate, changes);
  if (candidate.isLastTry) await auditUser(sql, by, 'user.locked', candidate, { minutes: 30 });
}

/**
 * Ends everything that the old credentials opened: other sessions, copies of this session's cookie, and invitation
 * links.
 * @param changes for the audit trail. @returns the session's new token
 */
export async function finishChange(
  sql: Sql,
  by: Actor,
  user: Pick<User, 'id' | 'accountId'>,
  sessionId: OwnSession['sessionId'],
  changes: AuditChanges,
): Promise<SignedIn> {
  const ended = await deleteUserSessions(sql, user.id, sessionId);
  await deleteInvitations(sql, user.id);
  await auditUser(sql, by, 'user.credentials_changed', user, { ...changes, sessions_ended: ended });
  return renewSessionToken(sql, sessionId);
}

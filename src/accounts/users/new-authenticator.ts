/**
 * Replaces the authenticator app of a signed-in user, or adds the first one together with a password. The secret is
 * stored sealed until a code proves that the app has it; until then the old app stays valid.
 */
import type { Database, Sql } from '../../db/pool.ts';
import { replaceRecoveryCodes, setPassword, setTotpSecret } from '../../db/users/credentials.ts';
import { findAttempt, insertAttempt, takeAttempt } from '../../db/users/sign-in-attempts.ts';
import { findUser } from '../../db/users/users.ts';
import type { Actor } from '../../domain/audit.ts';
import type { User } from '../../domain/user.ts';
import { openOrNull, requireVault, type Vault } from '../../lib/vault/vault.ts';
import { faultsOf, type PasswordFaults } from './accept-invitation.ts';
import { checkOwnPassword, finishChange, lockOwnUser, type OwnSession } from './own-password.ts';
import { hashPassword, passwordFault } from './password.ts';
import { newRecoveryCodes, newTotpSecret, recoveryHashes, totpContext, totpStepOf } from './second-factor.ts';
import type { SignedIn } from './sessions.ts';
import { hashUserToken, isUserToken, newUserToken } from './tokens.ts';

export interface NewAuthenticatorDeps {
  database: Database;
  vault: Vault | null;
  now: () => Date;
}

interface StartedAuthenticator extends OwnSession {
  /** Sealed. */
  totpSecret: string;
  /** The user had no password when this started. */
  isFirst: boolean;
}

/** The data for the app. */
export interface OfferedAuthenticator {
  /** For the form: valid for ten minutes, in this session. */
  token: string;
  /** In base 32. */
  secret: string;
  /** A new password is set as well. */
  isFirst: boolean;
}

/** @param password the current one, ignored if there is none. @returns null if it is wrong. @throws TooBusy */
export async function startNewAuthenticator(
  { database, vault }: NewAuthenticatorDeps,
  by: Actor,
  { userId, sessionId }: OwnSession,
  user: Pick<User, 'id' | 'hasPassword'>,
  password: string,
): Promise<OfferedAuthenticator | null> {
  const isFirst = !user.hasPassword;
  if (!isFirst && (await checkOwnPassword(database, by, user, password, 'new_authenticator')) === null) return null;
  const secret = newTotpSecret();
  const token = newUserToken();
  const facts: StartedAuthenticator = {
    userId,
    sessionId,
    isFirst,
    totpSecret: requireVault(vault).seal(secret, totpContext(userId)),
  };
  await insertAttempt(database, { tokenHash: hashUserToken(token), kind: 'new_authenticator', facts });
  return { token, secret, isFirst };
}

/** `gone`: started in another session, expired, used, or the user's credentials have changed since. */
type AuthenticatorChange =
  | { kind: 'gone' }
  | { kind: 'faults'; faults: PasswordFaults; offered: OfferedAuthenticator }
  /** The first app comes with recovery codes. */
  | { kind: 'changed'; recoveryCodes: string[] | null; signedIn: SignedIn };

/**
 * Replaces the app after a valid code. The user's other sessions end, and this one gets a new token.
 * @param entered includes the password for the first app. @throws TooBusy
 */
export async function confirmNewAuthenticator(
  deps: NewAuthenticatorDeps,
  by: Actor,
  session: OwnSession,
  entered: { token: string; code: string; password: string },
): Promise<AuthenticatorChange> {
  const tokenHash = hashUserToken(entered.token);
  const started = isUserToken(entered.token) ? await findOwn(deps.database, tokenHash, session) : null;
  const secret = started === null ? null : openOrNull(deps.vault, started.totpSecret, totpContext(session.userId));
  const user = started === null ? null : await findUser(deps.database, session.userId);
  if (started === null || secret === null || user === null) return { kind: 'gone' };
  const totpStep = totpStepOf(secret, entered.code.replace(/\s/g, ''), deps.now().getTime());
  const fault = started.isFirst ? passwordFault(entered.password, user.email) : null;
  if (totpStep === null || fault !== null) {
    const offered = { token: entered.token, secret, isFirst: started.isFirst };
    return { kind: 'faults', faults: faultsOf(fault, totpStep), offered };
  }
  const passwordHash = started.isFirst ? await hashPassword(entered.password) : null;
  return deps.database.transaction(async (sql): Promise<AuthenticatorChange> => {
    const locked = await lockOwnUser(sql, session);
    const attempt = await takeAttempt<StartedAuthenticator>(sql, tokenHash, 'new_authenticator');
    if (locked === null || attempt === null || locked.hasPassword === attempt.isFirst) return { kind: 'gone' };
    // With the first key of now: it may have been sealed with one that is about to be taken away.
    const app = { totpSecret: requireVault(deps.vault).seal(secret, totpContext(locked.id)), totpStep };
    return passwordHash === null
      ? replaceApp(sql, by, session, locked, app)
      : addFirst(sql, by, session, locked, { ...app, passwordHash });
  });
}

/** @returns null if it was started in another session, possibly of another user */
async function findOwn(
  sql: Sql,
  tokenHash: Buffer,
  { userId, sessionId }: OwnSession,
): Promise<StartedAuthenticator | null> {
  const started = await findAttempt<StartedAuthenticator>(sql, tokenHash, 'new_authenticator');
  return started?.userId === userId && started.sessionId === sessionId ? started : null;
}

type Changed = Extract<AuthenticatorChange, { kind: 'changed' }>;

async function replaceApp(
  sql: Sql,
  by: Actor,
  { sessionId }: OwnSession,
  user: User,
  app: { totpSecret: string; totpStep: number },
): Promise<Changed> {
  await setTotpSecret(sql, user.id, app);
  const signedIn = await finishChange(sql, by, user, sessionId, { now: ['authenticator'] });
  return { kind: 'changed', recoveryCodes: null, signedIn };
}

async function addFirst(
  sql: Sql,
  by: Actor,
  { sessionId }: OwnSession,
  user: User,
  means: { totpSecret: string; totpStep: number; passwordHash: string },
): Promise<Changed> {
  const recoveryCodes = newRecoveryCodes();
  await setPassword(sql, user.id, means);
  await replaceRecoveryCodes(sql, user.id, recoveryHashes(user, recoveryCodes));
  const now = ['password', 'authenticator', 'recovery_codes'];
  const signedIn = await finishChange(sql, by, user, sessionId, { now });
  return { kind: 'changed', recoveryCodes, signedIn };
}

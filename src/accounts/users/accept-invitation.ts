/** Invitations: with a one-time link, a user sets up their sign-in and is signed in. */
import { findAccount } from '../../db/keys/accounts.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { replaceRecoveryCodes, setPassword } from '../../db/users/credentials.ts';
import { findInvitation, type Invitation, keepTotpSecret, takeInvitation } from '../../db/users/invitations.ts';
import { insertPasskey, type Passkey } from '../../db/users/passkeys.ts';
import { clearCredentials, findUser } from '../../db/users/users.ts';
import type { User } from '../../domain/user.ts';
import { openOrNull, requireVault, type Vault } from '../../lib/vault/vault.ts';
import { auditUser } from './manage.ts';
import { hashPassword, type PasswordFault, passwordFault } from './password.ts';
import { newRecoveryCodes, newTotpSecret, recoveryHashes, totpContext, totpStepOf } from './second-factor.ts';
import { actorOfUser, type RequestSource, type SignedIn, startUserSession } from './sessions.ts';
import { hashUserToken, isUserToken } from './tokens.ts';

export interface OpenInvitation extends Invitation {
  user: User;
  accountName: string;
}

/** @returns null if the invitation is unknown, used, replaced or expired */
export async function openInvitation(sql: Sql, token: string): Promise<OpenInvitation | null> {
  const invitation = isUserToken(token) ? await findInvitation(sql, hashUserToken(token)) : null;
  const user = invitation === null ? null : await findUser(sql, invitation.userId);
  const account = user === null ? null : await findAccount(sql, user.accountId);
  return invitation === null || user === null || account === null
    ? null
    : { ...invitation, user, accountName: account.name };
}

/** The secret for the authenticator app, the same until the invitation is used. @returns null if it cannot be stored */
export async function offeredTotpSecret(
  sql: Sql,
  vault: Vault | null,
  token: string,
  user: User,
): Promise<string | null> {
  if (vault === null) return null;
  const context = totpContext(user.id);
  const sealed = await keepTotpSecret(sql, hashUserToken(token), vault.seal(newTotpSecret(), context));
  return sealed === null ? null : openOrNull(vault, sealed, context);
}

/** The faults, by field. */
export interface PasswordFaults {
  password?: PasswordFault;
  code?: 'wrong';
}

/** @param totpStep null if the code is wrong */
export function faultsOf(fault: PasswordFault | null, totpStep: number | null): PasswordFaults {
  return { ...(fault !== null && { password: fault }), ...(totpStep === null && { code: 'wrong' }) };
}

type Accepted<T = object> = { kind: 'accepted'; signedIn: SignedIn } & T;
type NotAccepted = { kind: 'gone' } | { kind: 'faults'; faults: PasswordFaults };

/** Sets password and authenticator app. The recovery codes are shown only once. @throws TooBusy */
export async function acceptWithPassword(
  { database, vault, now }: { database: Database; vault: Vault | null; now: () => Date },
  invitation: OpenInvitation,
  entered: { token: string; password: string; code: string },
  from: RequestSource,
): Promise<Accepted<{ recoveryCodes: string[] }> | NotAccepted> {
  const { user } = invitation;
  const sealed = invitation.totpSecret ?? '';
  const secret = openOrNull(requireVault(vault), sealed, totpContext(user.id));
  const code = entered.code.replace(/\s/g, '');
  const totpStep = secret === null ? null : totpStepOf(secret, code, now().getTime());
  const fault = passwordFault(entered.password, user.email);
  if (totpStep === null || fault !== null) return { kind: 'faults', faults: faultsOf(fault, totpStep) };
  const passwordHash = await hashPassword(entered.password);
  const recoveryCodes = newRecoveryCodes();
  return accept(database, entered.token, from, ['password', 'authenticator', 'recovery_codes'], async (sql) => {
    await setPassword(sql, user.id, { passwordHash, totpSecret: sealed, totpStep });
    await replaceRecoveryCodes(sql, user.id, recoveryHashes(user, recoveryCodes));
    return { recoveryCodes };
  });
}

/** @param passkey with a verified answer */
export function acceptWithPasskey(
  database: Database,
  token: string,
  passkey: Omit<Passkey, 'createdAt' | 'usedAt'>,
  from: RequestSource,
): Promise<Accepted | NotAccepted> {
  return accept(database, token, from, ['passkey'], async (sql) => {
    if (!(await insertPasskey(sql, passkey))) throw new Error('a new passkey was known already');
    return {};
  });
}

/** In one transaction: uses up the link, replaces all earlier credentials, and starts a session. */
function accept<T extends object>(
  database: Database,
  token: string,
  from: RequestSource,
  now: readonly string[],
  setUp: (sql: Sql) => Promise<T>,
): Promise<Accepted<T> | NotAccepted> {
  return database.transaction(async (sql) => {
    const invitation = await takeInvitation(sql, hashUserToken(token));
    const user = invitation === null ? null : await findUser(sql, invitation.userId);
    if (user === null) return { kind: 'gone' };
    await clearCredentials(sql, user.id);
    const made = await setUp(sql);
    await auditUser(sql, actorOfUser(user.id, from), 'user.credentials_changed', user, { by: 'invitation', now });
    const signedIn = await startUserSession(sql, user, 'invitation', from);
    return { kind: 'accepted', signedIn, ...made };
  });
}

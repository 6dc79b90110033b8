/** Sign-in with password and code, checked together, so that the answer does not reveal which of them was wrong. */
import type { Database, Sql } from '../../db/pool.ts';
import {
  type Candidate,
  clearFailures,
  countTry,
  lockPassword,
  takeTryBack,
  useRecoveryCode,
  useTotpStep,
} from '../../db/users/credentials.ts';
import { type Actor, SYSTEM } from '../../domain/audit.ts';
import { parseEmail } from '../../domain/user.ts';
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';
import { noteWrongPassword } from './own-password.ts';
import { isPassword } from './password.ts';
import { hashRecoveryCode, parseRecoveryCode, totpContext, totpStepOf } from './second-factor.ts';
import { type RequestSource, type SignedIn, type SignInMethod, startUserSession } from './sessions.ts';

interface PasswordSignIn {
  /** As typed. */
  email: string;
  password: string;
  /** The authenticator app's code, or a recovery code. */
  code: string;
}

interface SignInDeps {
  database: Database;
  vault: Vault | null;
  now: () => Date;
}

/**
 * Null for an unknown user, a wrong password or code, a used code, or a locked user.
 * @throws TooBusy
 */
export async function signInWithPassword(
  { database, vault, now }: SignInDeps,
  entered: PasswordSignIn,
  from: RequestSource,
): Promise<SignedIn | null> {
  const email = parseEmail(entered.email) ?? '';
  const candidates = await countTry(database, email);
  const right = await rightOf(candidates, entered.password).catch(async (error: unknown) => {
    // Nothing was looked at, or nothing is said of it: whoever fills the queue locks nobody.
    for (const candidate of candidates) if (!candidate.isLocked) await takeTryBack(database, candidate);
    throw error;
  });
  if (candidates.length === 0) await isPassword(null, entered.password);
  for (const candidate of right) {
    const signedIn = await database.transaction(async (sql) => {
      const stored = await lockPassword(sql, candidate.id);
      // A new password has ended the user's sessions: the one from before begins none behind it.
      if (stored?.passwordHash !== candidate.passwordHash) return null;
      const way = await wayOf(sql, { ...candidate, ...stored }, entered.code, { vault, now });
      if (way === null) return null;
      await clearFailures(sql, candidate.id);
      return startUserSession(sql, candidate, way, from);
    });
    if (signedIn === null) continue;
    for (const other of candidates) if (other !== candidate && !other.isLocked) await takeTryBack(database, other);
    return signedIn;
  }
  for (const candidate of candidates) await noteFailure(database, candidate, from);
  return null;
}

/**
 * The candidates with this password. A locked user's is checked, too, so that the answer takes as long, but does not
 * count.
 */
async function rightOf(candidates: readonly Candidate[], password: string): Promise<Candidate[]> {
  const right: Candidate[] = [];
  for (const candidate of candidates) {
    const isRight = await isPassword(candidate.passwordHash, password);
    if (isRight && !candidate.isLocked) right.push(candidate);
  }
  return right;
}

/** @returns null if the code is wrong, or was used */
async function wayOf(
  sql: Sql,
  { id, totpSecret }: Candidate,
  code: string,
  { vault, now }: Pick<SignInDeps, 'vault' | 'now'>,
): Promise<SignInMethod | null> {
  const digits = code.replace(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const secret = openOrNull(vault, totpSecret, totpContext(id));
    const step = secret === null ? null : totpStepOf(secret, digits, now().getTime());
    return step !== null && (await useTotpStep(sql, id, step)) ? 'password' : null;
  }
  const recoveryCode = parseRecoveryCode(code);
  if (recoveryCode === null) return null;
  return (await useRecoveryCode(sql, id, hashRecoveryCode(id, recoveryCode))) ? 'recovery_code' : null;
}

/** The actor for an unknown person: the service, with the request's address. */
export const unknownPerson = (from: RequestSource): Actor => ({ ...SYSTEM, ...from });

function noteFailure(sql: Sql, candidate: Candidate, from: RequestSource): Promise<void> {
  return noteWrongPassword(sql, unknownPerson(from), candidate, { way: 'password' });
}

/** Passwords, authenticator apps and recovery codes of users, and the lock after too many failures. */
import type { AccountId, UserId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/** PCI DSS 8.3.4. */
const MAX_FAILURES = 10;
const WINDOW = "interval '30 minutes'";
/** The maximum number of accounts in which one address has a password. */
const MAX_USERS = 5;

/** A user who may be the one signing in, with the failure counted in advance. */
export interface Candidate {
  id: UserId;
  accountId: AccountId;
  passwordHash: string;
  /** Sealed. */
  totpSecret: string;
  isLocked: boolean;
  /** This failure is the last allowed one: the user is now locked. */
  isLastTry: boolean;
  /** The time of the failure. */
  triedAt: Date;
}

/**
 * Counts a failure for each user with the address before the password is checked, so that concurrent attempts cannot
 * exceed {@link MAX_FAILURES}. Locked users are not counted further.
 */
export function countTry(sql: Sql, email: string): Promise<Candidate[]> {
  return countTries(sql, 'email = $1', email);
}

/** The same for a signed-in user. @returns null if the user has no password, or was removed */
export async function countTryOf(sql: Sql, id: UserId): Promise<Candidate | null> {
  return (await countTries(sql, 'id = $1', id))[0] ?? null;
}

async function countTries(sql: Sql, condition: 'email = $1' | 'id = $1', value: string): Promise<Candidate[]> {
  const { rows } = await sql.query<Candidate>(
    `with found as (
       select id, coalesce(locked_until > now(), false) as is_locked, locked_until,
              array(select t from unnest(failed_at) t where t > now() - ${WINDOW}) as recent
         from users where ${condition} and removed_at is null and password_hash is not null
        order by signed_in_at desc nulls last, id limit ${MAX_USERS} for no key update
     )
     update users u
        set failed_at = case when is_locked then u.failed_at else recent || date_trunc('milliseconds', now()) end,
            locked_until = case when is_locked then found.locked_until
                                when cardinality(recent) + 1 >= ${MAX_FAILURES} then now() + ${WINDOW} end
       from found where u.id = found.id
     returning u.id, u.account_id as "accountId", u.password_hash as "passwordHash", u.totp_secret as "totpSecret",
               is_locked as "isLocked", not is_locked and u.locked_until is not null as "isLastTry",
               date_trunc('milliseconds', now()) as "triedAt"`,
    [value],
  );
  return rows;
}

/**
 * The user's current credentials, locked until the transaction ends: they may have changed since the password was
 * checked.
 * @returns null if the user no longer has a password
 */
export function lockPassword(sql: Sql, id: UserId): Promise<Pick<Candidate, 'passwordHash' | 'totpSecret'> | null> {
  return readFirst(
    sql,
    `select password_hash as "passwordHash", totp_secret as "totpSecret" from users
      where id = $1 and removed_at is null and password_hash is not null for no key update`,
    [id],
  );
}

/**
 * Undoes a counted failure: the password was right, meant for another user with the address, or not checked. Other
 * failures stay, even of the same moment.
 */
export async function takeTryBack(sql: Sql, { id, triedAt, isLastTry }: Candidate): Promise<void> {
  await sql.query(
    `update users set failed_at = failed_at[:at - 1] || failed_at[at + 1:],
                      locked_until = case when not $3 then locked_until end
       from (select coalesce(array_position(failed_at, $2), cardinality(failed_at) + 1) as at
               from users where id = $1 for no key update) found
      where id = $1`,
    [id, triedAt, isLastTry],
  );
}

export async function clearFailures(sql: Sql, id: UserId): Promise<void> {
  await sql.query(`update users set failed_at = '{}', locked_until = null where id = $1`, [id]);
}

/** @returns false if a code of that step or a later one was already used */
export async function useTotpStep(sql: Sql, id: UserId, step: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update users set totp_last_step = $2 where id = $1 and (totp_last_step is null or totp_last_step < $2)',
    [id, step],
  );
  return rowCount === 1;
}

/** @returns false if the code is unknown or was already used */
export async function useRecoveryCode(sql: Sql, id: UserId, codeHash: Buffer): Promise<boolean> {
  const text = 'delete from user_recovery_codes where user_id = $1 and code_hash = $2';
  return (await sql.query(text, [id, codeHash])).rowCount === 1;
}

export async function countRecoveryCodes(sql: Sql, id: UserId): Promise<number> {
  const text = 'select count(*)::integer as count from user_recovery_codes where user_id = $1';
  return (await readFirst<{ count: number }>(sql, text, [id]))?.count ?? 0;
}

export async function replaceRecoveryCodes(sql: Sql, id: UserId, hashes: readonly Buffer[]): Promise<void> {
  await sql.query('delete from user_recovery_codes where user_id = $1', [id]);
  await sql.query('insert into user_recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [id, hashes]);
}

/** @param totpSecret sealed. @param totpStep of the code that proved that the app has the secret */
export async function setPassword(
  sql: Sql,
  id: UserId,
  { passwordHash, totpSecret, totpStep }: { passwordHash: string; totpSecret: string; totpStep: number },
): Promise<void> {
  await sql.query(
    `update users set password_hash = $2, totp_secret = $3, totp_last_step = $4, failed_at = '{}', locked_until = null
      where id = $1`,
    [id, passwordHash, totpSecret, totpStep],
  );
}

/** Keeps the authenticator app. */
export async function setPasswordHash(sql: Sql, id: UserId, passwordHash: string): Promise<void> {
  await sql.query(`update users set password_hash = $2, failed_at = '{}', locked_until = null where id = $1`, [
    id,
    passwordHash,
  ]);
}

/**
 * Keeps the password.
 * @param totpSecret sealed. @param totpStep of the code that proved that the new app has the secret
 */
export async function setTotpSecret(
  sql: Sql,
  id: UserId,
  { totpSecret, totpStep }: { totpSecret: string; totpStep: number },
): Promise<void> {
  await sql.query('update users set totp_secret = $2, totp_last_step = $3 where id = $1', [id, totpSecret, totpStep]);
}

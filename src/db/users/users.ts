/** The table `users`: who can sign in to an account. The row of a removed user stays, but no query here returns it. */
import type { AccountId, MerchantId, UserId } from '../../domain/ids.ts';
import type { MerchantLimit, Role, User } from '../../domain/user.ts';
import { columnsOf } from '../columns.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

/** SQL: the merchants of a limited user of `table`; null for other users. */
export const MERCHANT_LIMIT = (table: string) =>
  `case when ${table}.is_limited then array(select merchant_id from user_merchants l where l.user_id = ${table}.id
                                           order by merchant_id) end`;

const USER = columnsOf<User>()('users', ['id accountId email name role createdAt signedInAt'], {
  merchants: MERCHANT_LIMIT('users'),
  hasPassword: 'users.password_hash is not null',
  passkeys: '(select count(*)::integer from user_passkeys p where p.user_id = users.id)',
  lockedUntil: 'case when users.locked_until > now() then users.locked_until end',
});

/** @returns null if the account already has a user with the address */
export function insertUser(
  sql: Sql,
  { id, accountId, email, name, role }: Pick<User, 'id' | 'accountId' | 'email' | 'name' | 'role'>,
): Promise<User | null> {
  return readFirst(
    sql,
    `insert into users (id, account_id, email, name, role) values ($1, $2, $3, $4, $5)
     on conflict (account_id, email) where removed_at is null do nothing returning ${USER}`,
    [id, accountId, email, name, role],
  );
}

export function findUser(sql: Sql, id: UserId): Promise<User | null> {
  return readFirst(sql, `select ${USER} from users where id = $1 and removed_at is null`, [id]);
}

/** Oldest first. */
export async function listAccountUsers(sql: Sql, accountId: AccountId): Promise<User[]> {
  const text = `select ${USER} from users where account_id = $1 and removed_at is null order by created_at, id`;
  return (await sql.query<User>(text, [accountId])).rows;
}

/** Users of any account, the last to sign in first. */
export async function findUsersByEmail(sql: Sql, email: string, limit: number): Promise<User[]> {
  const text = `select ${USER} from users where email = $1 and removed_at is null
                 order by signed_in_at desc nulls last, id limit $2`;
  return (await sql.query<User>(text, [email, limit])).rows;
}

/** Locks the user against other changes of credentials until the transaction ends. @returns null if removed */
export async function lockUser(sql: Sql, id: UserId): Promise<User | null> {
  await sql.query('select id from users where id = $1 for no key update', [id]);
  return findUser(sql, id);
}

export async function setRole(sql: Sql, id: UserId, role: Role): Promise<void> {
  await sql.query('update users set role = $2 where id = $1', [id, role]);
}

/** Of the dashboard. @param language null: the browser's */
export async function setLanguage(sql: Sql, id: UserId, language: string | null): Promise<void> {
  await sql.query('update users set language = $2 where id = $1', [id, language]);
}

/** How many of these are merchants of the account, in either mode. */
export async function countMerchantsOf(sql: Sql, accountId: AccountId, ids: readonly MerchantId[]): Promise<number> {
  const text = 'select count(*)::integer as count from merchants where account_id = $1 and id = any($2)';
  return (await readOne<{ count: number }>(sql, text, [accountId, ids])).count;
}

/** @param limit merchants of the user's account */
export async function setMerchantLimit(sql: Sql, id: UserId, limit: MerchantLimit): Promise<void> {
  await sql.query('update users set is_limited = $2 where id = $1', [id, limit !== null]);
  await sql.query('delete from user_merchants where user_id = $1', [id]);
  await sql.query(
    'insert into user_merchants (user_id, merchant_id) select $1, merchant_id from unnest($2::text[]) merchant_id on conflict do nothing',
    [id, limit ?? []],
  );
}

export async function setSignedIn(sql: Sql, id: UserId): Promise<void> {
  await sql.query(`update users set signed_in_at = now() where id = $1`, [id]);
}

/** Removes all credentials of the user, and ends the sessions. */
export async function clearCredentials(sql: Sql, id: UserId): Promise<void> {
  // Locks the user first, as changes of one credential do. Otherwise both could deadlock.
  await lockUser(sql, id);
  for (const table of ['user_passkeys', 'user_recovery_codes', 'user_invitations', 'user_sessions']) {
    await sql.query(`delete from ${table} where user_id = $1`, [id]);
  }
  await sql.query(
    `update users set password_hash = null, totp_secret = null, totp_last_step = null, failed_at = '{}', locked_until = null
      where id = $1`,
    [id],
  );
}

export async function markRemoved(sql: Sql, id: UserId): Promise<void> {
  await sql.query('update users set removed_at = now() where id = $1', [id]);
}

/** The table `user_passkeys`: WebAuthn credentials. */
import type { AccountId, UserId } from '../../domain/ids.ts';
import { columnsOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';

export interface Passkey {
  /** The credential ID, base64url. */
  id: string;
  userId: UserId;
  /** COSE. */
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  usedAt: Date | null;
}

const PASSKEY = columnsOf<Passkey>()('user_passkeys', ['id userId publicKey transports name createdAt usedAt'], {
  counter: 'user_passkeys.counter::float8',
});

/** @returns false if the credential already exists, for any user */
export async function insertPasskey(
  sql: Sql,
  { id, userId, publicKey, counter, transports, name }: Omit<Passkey, 'createdAt' | 'usedAt'>,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into user_passkeys (id, user_id, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do nothing`,
    [id, userId, publicKey, counter, transports, name],
  );
  return rowCount === 1;
}

/** Includes the account of its user; null if the user was removed. */
export function findPasskey(sql: Sql, id: string): Promise<(Passkey & { accountId: AccountId }) | null> {
  return readFirst(
    sql,
    `select ${PASSKEY}, users.account_id as "accountId" from user_passkeys join users on users.id = user_passkeys.user_id
      where user_passkeys.id = $1 and users.removed_at is null`,
    [id],
  );
}

/** Oldest first. */
export async function listPasskeys(sql: Sql, userId: UserId): Promise<Passkey[]> {
  const text = `select ${PASSKEY} from user_passkeys where user_id = $1 order by created_at, id`;
  return (await sql.query<Passkey>(text, [userId])).rows;
}

/**
 * The counter of an authenticator must increase, otherwise it may be a copy (WebAuthn, 6.1.1). @returns false if it did
 * not
 */
export async function notePasskeyUse(sql: Sql, id: string, counter: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update user_passkeys set counter = $2, used_at = now() where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [id, counter],
  );
  return rowCount === 1;
}

/** @returns false if the user has no passkey with this ID */
export async function deletePasskey(sql: Sql, userId: UserId, id: string): Promise<boolean> {
  return (await sql.query('delete from user_passkeys where user_id = $1 and id = $2', [userId, id])).rowCount === 1;
}

/** The table `keys`: API keys, stored as SHA-256 hashes only. */
import type { Scope } from '../../domain/account.ts';
import { type AccountId, type KeyId, newId } from '../../domain/ids.ts';
import { type ApiKey, hashKey, visiblePrefix } from '../../domain/key.ts';
import type { Mode } from '../../domain/session.ts';
import { queryFirst, type Sql } from '../pool.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';

/** A key that lets requests in: neither revoked nor expired. */
export interface ValidKey extends Scope {
  id: KeyId;
  expiresAt: Date | null;
}

const IS_VALID = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Null when no such key is valid (never issued, revoked, expired). */
export async function findKey(sql: Sql, keyHash: Buffer): Promise<ValidKey | null> {
  const { rows } = await sql.query<KeyRow>({
    name: 'find_key',
    text: `select id, account_id, mode, expires_at from keys where key_hash = $1 and ${IS_VALID}`,
    values: [keyHash],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return { id: row.id, accountId: row.account_id, mode: row.mode, expiresAt: row.expires_at };
}

interface KeyRow {
  id: KeyId;
  account_id: AccountId;
  mode: Mode;
  name: string | null;
  prefix: string;
  key_hash: Buffer;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const COLUMNS = 'id, account_id, mode, name, prefix, key_hash, created_at, expires_at, revoked_at';

/** A key with the hash that the key cache knows it by. */
export interface StoredKey extends ApiKey {
  hash: Buffer;
}

function storedKeyOf(row: KeyRow): StoredKey {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    name: row.name,
    prefix: row.prefix,
    hash: row.key_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** @returns null when the key is stored already; its row is left as it is */
export async function insertKey(sql: Sql, key: Scope & { key: string; name?: string | null }): Promise<ApiKey | null> {
  return queryFirst(
    sql,
    storedKeyOf,
    `insert into keys (id, account_id, mode, key_hash, prefix, name) values ($1, $2, $3, $4, $5, $6)
     on conflict (key_hash) do nothing returning ${COLUMNS}`,
    [newId('Key'), key.accountId, key.mode, hashKey(key.key), visiblePrefix(key.key), key.name ?? null],
  );
}

/**
 * How many keys of the scope are valid. To be called in a transaction: it locks the account, because two at once could both
 * see the last place free.
 */
export async function countValidKeys(sql: Sql, scope: Scope): Promise<number> {
  await sql.query('select 1 from accounts where id = $1 for no key update', [scope.accountId]);
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from keys where account_id = $1 and mode = $2 and ${IS_VALID}`,
    [scope.accountId, scope.mode],
  );
  return rows[0]?.count ?? 0;
}

/** A key of any account, also one that is revoked or expired. */
export async function findKeyById(sql: Sql, id: KeyId): Promise<StoredKey | null> {
  return queryFirst(sql, storedKeyOf, `select ${COLUMNS} from keys where id = $1`, [id]);
}

/** The scope's keys, newest first, also revoked and expired ones. @returns null when `startingAfter` is none of them */
export function listKeys(sql: Sql, scope: Scope, page: PageRequest): Promise<Page<ApiKey> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'keys', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<KeyRow>(
        `select ${COLUMNS} from keys k
          where k.account_id = $1 and k.mode = $2 and ${isBehind('k', 'keys', '$3')}
          order by k.created_at desc, k.id desc limit $4`,
        [scope.accountId, scope.mode, id, limit],
      ),
    itemOf: storedKeyOf,
  });
}

/** A key that was revoked before keeps its time. Null when there is none. */
export async function markRevoked(sql: Sql, id: KeyId): Promise<ApiKey | null> {
  return queryFirst(
    sql,
    storedKeyOf,
    `update keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${COLUMNS}`,
    [id],
  );
}

/** The key expires in `seconds`, or earlier where it was set to. Null when it is not valid any more. */
export async function setKeyExpiry(sql: Sql, id: KeyId, seconds: number): Promise<ApiKey | null> {
  return queryFirst(
    sql,
    storedKeyOf,
    `update keys set expires_at = least(expires_at, now() + make_interval(secs => $2))
      where id = $1 and ${IS_VALID} returning ${COLUMNS}`,
    [id, seconds],
  );
}

/** Keys in the record, by their SHA-256 only. */
import type { Scope } from '../../domain/account.ts';
import { type AccountId, type KeyId, newId } from '../../domain/ids.ts';
import { type ApiKey, hashKey, visiblePrefix } from '../../domain/key.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';

/** Whom a living key speaks for. */
export interface ValidKey extends Scope {
  id: KeyId;
  expiresAt: Date | null;
}

const IS_VALID = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Null when no such key lives (never issued, revoked, past its time). One look-up in a unique index. */
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

/** A key with what finds it in the cache. */
export interface KeptKey extends ApiKey {
  hash: Buffer;
}

function keptKeyOf(row: KeyRow): KeptKey {
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

/** Keeps `key` by its hash. @returns null when it is kept already: that one is left as it is. */
export async function insertKey(sql: Sql, key: Scope & { key: string; name?: string | null }): Promise<ApiKey | null> {
  const { rows } = await sql.query<KeyRow>(
    `insert into keys (id, account_id, mode, key_hash, prefix, name) values ($1, $2, $3, $4, $5, $6)
     on conflict (key_hash) do nothing returning ${COLUMNS}`,
    [newId('Key'), key.accountId, key.mode, hashKey(key.key), visiblePrefix(key.key), key.name ?? null],
  );
  return rows[0] === undefined ? null : keptKeyOf(rows[0]);
}

/**
 * How many keys of the scope live. In a transaction: from here to its end nobody else of the account counts, for two at
 * once could both see the last place free.
 */
export async function countValidKeys(sql: Sql, scope: Scope): Promise<number> {
  await sql.query('select 1 from accounts where id = $1 for no key update', [scope.accountId]);
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::integer as count from keys where account_id = $1 and mode = $2 and ${IS_VALID}`,
    [scope.accountId, scope.mode],
  );
  return rows[0]?.count ?? 0;
}

/** Any account's key, dead ones included. */
export async function findKeyById(sql: Sql, id: KeyId): Promise<KeptKey | null> {
  const { rows } = await sql.query<KeyRow>(`select ${COLUMNS} from keys where id = $1`, [id]);
  return rows[0] === undefined ? null : keptKeyOf(rows[0]);
}

/** The scope's keys, dead ones included, newest first. @returns null when `startingAfter` is none of them */
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
    itemOf: keptKeyOf,
  });
}

/** The key is dead from now on; one that was revoked before keeps its time. Null when there is none. */
export async function markRevoked(sql: Sql, id: KeyId): Promise<ApiKey | null> {
  const { rows } = await sql.query<KeyRow>(
    `update keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${COLUMNS}`,
    [id],
  );
  return rows[0] === undefined ? null : keptKeyOf(rows[0]);
}

/** The key dies in `seconds`, or earlier where that was said before. Null when it is dead already. */
export async function setKeyExpiry(sql: Sql, id: KeyId, seconds: number): Promise<ApiKey | null> {
  const { rows } = await sql.query<KeyRow>(
    `update keys set expires_at = least(expires_at, now() + make_interval(secs => $2))
      where id = $1 and ${IS_VALID} returning ${COLUMNS}`,
    [id, seconds],
  );
  return rows[0] === undefined ? null : keptKeyOf(rows[0]);
}

/** The table `keys`: API keys, stored as SHA-256 hashes only. */
import type { Scope } from '../../domain/account.ts';
import { type AccountId, type KeyId, newId, type UserId } from '../../domain/ids.ts';
import { type ApiKey, hashKey, type KeyGrant, type KeyScope, visiblePrefix } from '../../domain/key.ts';
import { columnsOf } from '../columns.ts';
import { idInScope, isBehind, type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

/** A valid key: neither revoked nor expired. */
export interface ValidKey extends Scope {
  id: KeyId;
  expiresAt: Date | null;
  scope: KeyScope;
  /** As in {@link KeyGrant}. */
  allowedSources: readonly string[];
}

const VALID_KEY = columnsOf<ValidKey>()('keys', ['id accountId mode expiresAt scope allowedSources'], {});

const IS_VALID = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Null if no such key is valid (never issued, revoked, or expired). */
export function findKey(sql: Sql, keyHash: Buffer): Promise<ValidKey | null> {
  return readFirst(sql, {
    name: 'find_key',
    text: `select ${VALID_KEY} from keys where key_hash = $1 and ${IS_VALID}`,
    values: [keyHash],
  });
}

/** A key with its hash in the key cache. */
export interface StoredKey extends ApiKey {
  hash: Buffer;
}

const KEY = columnsOf<StoredKey>()(
  'keys',
  ['id accountId mode name scope allowedSources issuedUntil prefix createdAt expiresAt revokedAt'],
  { hash: 'key_hash' },
);

/**
 * @param key by default a full key without an expiry, for any source
 * @returns null if the key exists; its row stays unchanged
 */
export function insertKey(sql: Sql, key: Scope & { key: string } & Partial<KeyGrant>): Promise<ApiKey | null> {
  const { accountId, mode, name = null, scope = 'full', allowedSources = [], issuedUntil = null } = key;
  const granted = [name, scope, allowedSources, issuedUntil];
  return readFirst(
    sql,
    `insert into keys (id, account_id, mode, key_hash, prefix, name, scope, allowed_sources, issued_until, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     on conflict (key_hash) do nothing returning ${KEY}`,
    [newId('Key'), accountId, mode, hashKey(key.key), visiblePrefix(key.key), ...granted],
  );
}

/**
 * Counts the scope's valid keys. Call it in a transaction: it locks the account, because two concurrent requests could
 * both see the last free place.
 */
export async function countValidKeys(sql: Sql, scope: Scope): Promise<number> {
  await sql.query('select 1 from accounts where id = $1 for no key update', [scope.accountId]);
  const { count } = await readOne<{ count: number }>(
    sql,
    `select count(*)::integer as count from keys where account_id = $1 and mode = $2 and ${IS_VALID}`,
    [scope.accountId, scope.mode],
  );
  return count;
}

/** A key of any account, even if revoked or expired. */
export function findKeyById(sql: Sql, id: KeyId): Promise<StoredKey | null> {
  return readFirst(sql, `select ${KEY} from keys where id = $1`, [id]);
}

/**
 * The scope's keys, newest first, including revoked and expired ones.
 * @returns null if `startingAfter` is none of them
 */
export function listKeys(sql: Sql, scope: Scope, page: PageRequest): Promise<Page<ApiKey> | null> {
  return readPage(page, {
    placeOf: (id) => idInScope(sql, 'keys', scope, id),
    rowsBehind: (id, limit) =>
      sql.query<StoredKey>(
        `select ${KEY} from keys
          where account_id = $1 and mode = $2 and ${isBehind('keys', '$3')}
          order by created_at desc, id desc limit $4`,
        [scope.accountId, scope.mode, id, limit],
      ),
  });
}

/**
 * The account's valid keys, of both modes, that a user created or rolled, newest first. The audit trail names the user
 * and is kept for a year, so older keys are missing.
 */
export async function listValidKeysCreatedBy(sql: Sql, accountId: AccountId, userId: UserId): Promise<ApiKey[]> {
  const { rows } = await sql.query<StoredKey>(
    `select ${KEY} from keys
      where account_id = $1 and ${IS_VALID} and exists (
        select from audit_events created
         where created.object_id = keys.id and created.action = 'key.created'
           and created.actor_kind = 'user' and created.actor_id = $2)
      order by created_at desc, id desc`,
    [accountId, userId],
  );
  return rows;
}

/** Revokes a key. A key that is already revoked keeps its time. Null if there is none. */
export function markRevoked(sql: Sql, id: KeyId): Promise<ApiKey | null> {
  return readFirst(sql, `update keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${KEY}`, [
    id,
  ]);
}

/** The key is near its limit of requests now. */
export async function writeKeyNearLimit(sql: Sql, id: KeyId): Promise<void> {
  await sql.query('update keys set near_limit_at = now() where id = $1', [id]);
}

/** Makes the key expire in `seconds`, or earlier if it already had to. Null if it is no longer valid. */
export function setKeyExpiry(sql: Sql, id: KeyId, seconds: number): Promise<ApiKey | null> {
  return readFirst(
    sql,
    `update keys set expires_at = least(expires_at, now() + make_interval(secs => $2))
      where id = $1 and ${IS_VALID} returning ${KEY}`,
    [id, seconds],
  );
}

/** Issues, rolls and revokes API keys, for REST and the command line. */
import { ApiError } from '../../contract/errors.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { countValidKeys, insertKey, markRevoked, type StoredKey, setKeyExpiry } from '../../db/keys/keys.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { MAX_KEYS } from '../../domain/account-limits.ts';
import type { Actor, AuditAction, AuditChanges } from '../../domain/audit.ts';
import { type ApiKey, type KeyGrant, newKey } from '../../domain/key.ts';

/** How long a rolled key can stay valid. */
export const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

/** A new key. Only this result contains its text. */
export interface IssuedKey {
  key: ApiKey;
  text: string;
}

/** @throws ApiError `invalid_value` if the account has {@link MAX_KEYS}, or the expiry is in the past */
export function issueKey(
  database: Database,
  by: Actor,
  scope: Scope,
  grant: Partial<KeyGrant> = {},
): Promise<IssuedKey> {
  return database.transaction(async (sql) => {
    if (grant.issuedUntil != null && grant.issuedUntil.getTime() <= Date.now()) {
      throw new ApiError('invalid_value', { param: 'expires_at', message: '`expires_at` must be in the future.' });
    }
    if ((await countValidKeys(sql, scope)) >= MAX_KEYS) {
      throw tooManyKeys(`The account has ${MAX_KEYS} keys in this mode, which is the maximum. Revoke one first.`);
    }
    const issued = await addKey(sql, scope, grant);
    await auditKey(sql, by, 'key.created', issued.key, granted(issued.key));
    return issued;
  });
}

function tooManyKeys(message: string): ApiError {
  return new ApiError('invalid_value', { message });
}

/** A key's permissions, for the audit trail. */
function granted({ name, prefix, scope, allowedSources, expiresAt }: ApiKey): AuditChanges {
  return { name, prefix, scope, allowed_sources: allowedSources, expires_at: expiresAt };
}

function auditKey(sql: Sql, by: Actor, action: AuditAction, key: ApiKey, changes: AuditChanges): Promise<void> {
  const { accountId, mode, id: objectId } = key;
  return insertAuditEvent(sql, by, { accountId, mode, action, objectId, changes });
}

async function addKey(sql: Sql, { accountId, mode }: Scope, grant: Partial<KeyGrant>): Promise<IssuedKey> {
  const text = newKey(mode);
  const key = await insertKey(sql, { ...grant, accountId, mode, key: text });
  if (key === null) throw new Error('a fresh random key was there already');
  return { key, text };
}

/**
 * Replaces a key. `old` stays valid for `overlapSeconds` (0 … {@link MAX_OVERLAP_SECONDS}). The new key has the same
 * permissions, sources and expiry.
 * @throws ApiError `key_not_found` if the old key is no longer valid; `invalid_value` if there are too many keys
 */
export function rollKey(
  database: Database,
  by: Actor,
  old: StoredKey,
  overlapSeconds: number,
): Promise<IssuedKey & { old: ApiKey }> {
  return database.transaction(async (sql) => {
    const ending = await setKeyExpiry(sql, old.id, overlapSeconds);
    if (ending === null) throw new ApiError('key_not_found', { message: 'The key is revoked or has expired.' });
    if ((await countValidKeys(sql, old)) >= 2 * MAX_KEYS) {
      throw tooManyKeys(
        'The account has too many rolled keys that are still valid. Set `expires_in_seconds` to 0, or revoke some keys.',
      );
    }
    const { name, scope, allowedSources, issuedUntil } = old;
    const next = await addKey(sql, old, { name, scope, allowedSources, issuedUntil });
    const changes = { expires_at: ending.expiresAt, successor: next.key.id };
    await auditKey(sql, by, 'key.rolled', ending, changes);
    await auditKey(sql, by, 'key.created', next.key, { ...granted(next.key), replaces: old.id });
    return { ...next, old: ending };
  });
}

/**
 * Revokes the key; every process knows within a second (see key-cache.ts). Revoking it again changes nothing.
 * @throws ApiError `key_not_found`
 */
export function revokeKey(database: Database, by: Actor, key: StoredKey): Promise<ApiKey> {
  return database.transaction(async (sql) => {
    const revoked = await markRevoked(sql, key.id);
    if (revoked === null) throw new ApiError('key_not_found');
    await auditKey(sql, by, 'key.revoked', revoked, { revoked_at: revoked.revokedAt });
    return revoked;
  });
}

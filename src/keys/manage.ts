/** Issues, rolls and revokes API keys, for REST and for the command line. */
import { ApiError } from '../contract/errors.ts';
import { countValidKeys, insertKey, type StoredKey, markRevoked, setKeyExpiry } from '../db/keys/keys.ts';
import type { Database, Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import { type ApiKey, newKey } from '../domain/key.ts';

/** How long a rolled key may stay valid. */
export const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

/** Valid keys of an account in a mode. Rolling may bring it to twice as many, because old keys stay valid for a while. */
export const MAX_KEYS = 100;

/** A new key, with its text: the only time that anybody sees it. */
export interface IssuedKey {
  key: ApiKey;
  text: string;
}

/** @throws ApiError `invalid_value` where the account has {@link MAX_KEYS} */
export function issueKey(database: Database, scope: Scope, name: string | null): Promise<IssuedKey> {
  return database.transaction(async (sql) => {
    if ((await countValidKeys(sql, scope)) >= MAX_KEYS) {
      throw tooManyKeys(`The account has ${MAX_KEYS} keys in this mode, and no more: revoke one first.`);
    }
    return addKey(sql, scope, name);
  });
}

function tooManyKeys(message: string): ApiError {
  return new ApiError('invalid_value', { message });
}

async function addKey(sql: Sql, scope: Scope, name: string | null): Promise<IssuedKey> {
  const text = newKey(scope.mode);
  const key = await insertKey(sql, { accountId: scope.accountId, mode: scope.mode, key: text, name });
  if (key === null) throw new Error('a fresh random key was there already');
  return { key, text };
}

/**
 * A new key in place of `old`, which stays valid `overlapSeconds` longer (0 … {@link MAX_OVERLAP_SECONDS}).
 * @throws ApiError `key_not_found` when the old one is not valid any more; `invalid_value` where too many are
 */
export function rollKey(
  database: Database,
  old: StoredKey,
  overlapSeconds: number,
): Promise<IssuedKey & { old: ApiKey }> {
  return database.transaction(async (sql) => {
    const ending = await setKeyExpiry(sql, old.id, overlapSeconds);
    if (ending === null) throw new ApiError('key_not_found', { message: 'The key is revoked, or past its time.' });
    if ((await countValidKeys(sql, old)) >= 2 * MAX_KEYS) {
      throw tooManyKeys('Too many rolled keys of this account still go on: say expires_in_seconds 0, or revoke some.');
    }
    return { ...(await addKey(sql, old, old.name)), old: ending };
  });
}

/**
 * The key is invalid from now on; every process knows it within a second (see key-cache.ts). Revoking it again changes
 * nothing. @throws ApiError `key_not_found`
 */
export async function revokeKey(sql: Sql, key: StoredKey): Promise<ApiKey> {
  const revoked = await markRevoked(sql, key.id);
  if (revoked === null) throw new ApiError('key_not_found');
  return revoked;
}

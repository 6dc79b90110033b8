/** Issues, rolls and revokes keys, for REST and for the command line. */
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { type ApiKey, newKey } from '../domain/key.ts';
import type { Database, Sql } from '../db/pool.ts';
import type { Forgetting, Gate } from '../api/gate.ts';
import { countLivingKeys, endKeyIn, insertKey, type KeptKey, markRevoked } from '../db/keys/keys.ts';

export interface KeysDeps {
  database: Database;
  gate: Pick<Gate, 'forget'>;
}

/** How long a rolled key may go on. */
export const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

/** Living keys of an account in a mode. Rolling may go to twice as many: the old ones live on for a while. */
export const MAX_KEYS = 100;

/** A new key, with its text: the only time that anybody sees it. */
export interface IssuedKey {
  key: ApiKey;
  text: string;
}

/** @throws ApiError `invalid_value` where the account has {@link MAX_KEYS} */
export function issueKey(database: Database, scope: Scope, name: string | null): Promise<IssuedKey> {
  return database.transaction(async (sql) => {
    if ((await countLivingKeys(sql, scope)) >= MAX_KEYS) {
      throw tooMany(`The account has ${MAX_KEYS} keys in this mode, and no more: revoke one first.`);
    }
    return addKey(sql, scope, name);
  });
}

function tooMany(message: string): ApiError {
  return new ApiError('invalid_value', { message });
}

async function addKey(sql: Sql, scope: Scope, name: string | null): Promise<IssuedKey> {
  const text = newKey(scope.mode);
  const key = await insertKey(sql, { accountId: scope.accountId, mode: scope.mode, key: text, name });
  if (key === null) throw new Error('a fresh random key was there already');
  return { key, text };
}

/**
 * A new key in place of `old`, which works `overlapSeconds` longer (0 … {@link MAX_OVERLAP_SECONDS}; 0: no longer).
 * @throws ApiError `key_not_found` when the old one is dead already; `invalid_value` where too many go on so
 */
export async function rollKey(
  deps: KeysDeps,
  old: KeptKey,
  overlapSeconds: number,
): Promise<IssuedKey & Forgetting & { old: ApiKey }> {
  const { everywhere } = await deps.gate.forget(old.hash);
  return deps.database.transaction(async (sql) => {
    const ending = await endKeyIn(sql, old.id, overlapSeconds);
    if (ending === null) throw new ApiError('key_not_found', { message: 'The key is revoked, or past its time.' });
    if ((await countLivingKeys(sql, old)) >= 2 * MAX_KEYS) {
      throw tooMany('Too many rolled keys of this account still go on: say expires_in_seconds 0, or revoke some.');
    }
    return { ...(await addKey(sql, old, old.name)), old: ending, everywhere };
  });
}

/** From now on nobody gets in with the key. Revoking it again changes nothing. */
export async function revokeKey(deps: KeysDeps, key: KeptKey): Promise<Forgetting & { key: ApiKey }> {
  // Told before it is done: should we die in between, the record is asked and knows.
  const { everywhere } = await deps.gate.forget(key.hash);
  const revoked = await markRevoked(deps.database, key.id);
  if (revoked === null) throw new ApiError('key_not_found');
  return { key: revoked, everywhere };
}

/**
 * Key cache: keeps an API key's row in this process for a second. A key revoked by another process or the command line
 * is refused within a second; a key revoked by this process, immediately.
 */
import { findKey, type ValidKey } from '../../db/keys/keys.ts';
import type { Sql } from '../../db/pool.ts';

export interface KeyCache {
  /** Null if no such key is valid (never issued, revoked, or expired). */
  find(keyHash: Buffer): Promise<ValidKey | null>;
  /** Whether the key was valid at this process's last lookup, so that it is no guess. */
  knows(keyHash: Buffer): boolean;
  /** Call it after a key has changed: the next request reads the key from the database. */
  forget(keyHash: Buffer): void;
}

const CACHED_MS = 1_000;
const MAX_CACHED = 10_000;

export function createKeyCache(sql: Sql): KeyCache {
  const cached = new Map<string, { until: number; found: Promise<ValidKey | null> }>();

  function lookUp(name: string, keyHash: Buffer): Promise<ValidKey | null> {
    if (cached.size >= MAX_CACHED) cached.clear();
    // The second starts before the query. The promise is kept, not its result: a key forgotten meanwhile is not put
    // back.
    const entry = { until: performance.now() + CACHED_MS, found: findKey(sql, keyHash) };
    cached.set(name, entry);
    const drop = () => {
      if (cached.get(name) === entry) cached.delete(name);
    };
    entry.found.then((key) => key ?? drop(), drop);
    return entry.found;
  }

  return {
    async find(keyHash) {
      const name = keyHash.toString('base64url');
      const entry = cached.get(name);
      const key = await (entry !== undefined && performance.now() < entry.until ? entry.found : lookUp(name, keyHash));
      return key === null || isExpired(key) ? null : key;
    },
    knows: (keyHash) => cached.has(keyHash.toString('base64url')),
    forget: (keyHash) => void cached.delete(keyHash.toString('base64url')),
  };
}

const isExpired = ({ expiresAt }: ValidKey) => expiresAt !== null && expiresAt.getTime() <= Date.now();

/**
 * Key cache: what the database said of an API key, kept in this process for a second. So a key that is revoked by another
 * process, or by the command line, lets nobody in a second later; one revoked here, at once.
 */
import { findKey, type ValidKey } from '../db/keys/keys.ts';
import type { Sql } from '../db/pool.ts';

export interface KeyCache {
  /** Null when no such key is valid (never issued, revoked, expired). */
  find(keyHash: Buffer): Promise<ValidKey | null>;
  /** Call it when a key was changed: the next request reads it anew. */
  forget(keyHash: Buffer): void;
}

const CACHED_MS = 1_000;
const MAX_CACHED = 10_000;

export function createKeyCache(sql: Sql): KeyCache {
  const cached = new Map<string, { until: number; found: Promise<ValidKey | null> }>();

  function lookUp(name: string, keyHash: Buffer): Promise<ValidKey | null> {
    if (cached.size >= MAX_CACHED) cached.clear();
    // The second counts from before the query. And it is the promise that is kept: one forgotten meanwhile stays so.
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
    forget: (keyHash) => void cached.delete(keyHash.toString('base64url')),
  };
}

const isExpired = ({ expiresAt }: ValidKey) => expiresAt !== null && expiresAt.getTime() <= Date.now();

/** API keys: `rk_test_` or `rk_live_` and 256 random bits. The prefix tells the mode; the rest is nobody's but the owner's. */
import { randomBytes } from 'node:crypto';
import type { AccountId, KeyId } from './ids.ts';
import type { Mode } from './session.ts';
import { sha256 } from './sha256.ts';

/** A key as lists show it: never the key itself. */
export interface ApiKey {
  id: KeyId;
  accountId: AccountId;
  mode: Mode;
  name: string | null;
  /** `rk_test_` and the first four characters. */
  prefix: string;
  createdAt: Date;
  /** Dead from then on. */
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const RANDOM_BYTES = 32;
/** Enough to tell keys apart in a list, useless to guess one. */
const VISIBLE_LENGTH = 'rk_test_'.length + 4;

/** A fresh key: 43 URL-safe random characters behind its mode. Show it once, keep its hash. */
export function newKey(mode: Mode): string {
  return `rk_${mode}_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** What is kept of a key: its SHA-256. Without a salt: nobody guesses 256 random bits, and one look-up must find it. */
export function hashKey(key: string): Buffer {
  return sha256(key);
}

/** How a key begins, for lists: `rk_test_Vb3x`. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}

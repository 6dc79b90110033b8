/** API keys: `rk_test_` or `rk_live_`, which tells the mode, and 256 random bits. */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId, KeyId } from './ids.ts';
import type { Mode } from './session.ts';

/** A key as lists show it: never the key itself. */
export interface ApiKey {
  id: KeyId;
  accountId: AccountId;
  mode: Mode;
  name: string | null;
  /** `rk_test_` and the first four characters. */
  prefix: string;
  createdAt: Date;
  /** Not accepted from then on. */
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const RANDOM_BYTES = 32;
/** Enough to tell keys apart in a list, too little to guess one. */
const VISIBLE_LENGTH = 'rk_test_'.length + 4;

/** A fresh key: 43 URL-safe random characters behind its mode. Show it once, keep its hash. */
export function newKey(mode: Mode): string {
  return `rk_${mode}_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** SHA-256 of a key, which is all that is stored. No salt: 256 random bits cannot be guessed, and one lookup must find it. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** How a key begins, for lists: `rk_test_Vb3x`. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}

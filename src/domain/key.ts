/** API keys: `rk_test_` or `rk_live_` for the mode, and 256 random bits. What a key can do, and from where. */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId, KeyId } from './ids.ts';
import type { Mode } from './session.ts';

/**
 * What a key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions, for a key on a
 * voice agent's platform. `full`: the whole REST API, which equals a developer of the account. Only owners manage
 * users, in the dashboard and without a key.
 */
export type KeyScope = (typeof KEY_SCOPES)[number];
export const KEY_SCOPES = ['full', 'agent'] as const;

/** Chosen when a key is created, and copied to its successor. */
export interface KeyGrant {
  name: string | null;
  scope: KeyScope;
  /** Addresses and CIDR blocks from which the key can be used. Empty: from anywhere. */
  allowedSources: readonly string[];
  /** When the key expires; null if it does not. */
  issuedUntil: Date | null;
}

/** A key in lists, which never show the key itself. */
export interface ApiKey extends KeyGrant {
  id: KeyId;
  accountId: AccountId;
  mode: Mode;
  /** `rk_test_` and the first four characters. */
  prefix: string;
  createdAt: Date;
  /** The key is rejected from then on: `issuedUntil`, or earlier if it was rolled. */
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const RANDOM_BYTES = 32;
/** Enough to recognize a key in a list, too little to guess it. */
const VISIBLE_LENGTH = 'rk_test_'.length + 4;

/** A new key: its mode and 43 URL-safe random characters. Show it once and store its hash. */
export function newKey(mode: Mode): string {
  return `rk_${mode}_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/**
 * SHA-256 of a key. Only this is stored. It has no salt: 256 random bits cannot be guessed, and one lookup must find
 * it.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The start of a key, for lists: `rk_test_Vb3x`. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}

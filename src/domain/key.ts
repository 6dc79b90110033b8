/** API keys: `rk_test_` or `rk_live_`, which tells the mode, and 256 random bits; what a key may do, and from where. */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId, KeyId } from './ids.ts';
import type { Mode } from './session.ts';

/**
 * What a key may do. `agent`: open checkouts, charge, text links, identify callers and read sessions, for a key that
 * lies with the platform of a voice agent. `full`: everything that REST has, which is what a developer of the account
 * may do; users are managed in the dashboard, by owners, with no key.
 */
export type KeyScope = (typeof KEY_SCOPES)[number];
export const KEY_SCOPES = ['full', 'agent'] as const;

/** What is chosen when a key is made, and what its successor has, too. */
export interface KeyGrant {
  name: string | null;
  scope: KeyScope;
  /** Addresses and CIDR blocks that requests with the key may come from; from anywhere where there are none. */
  allowedSources: readonly string[];
  /** When the key ends; null: it does not. */
  issuedUntil: Date | null;
}

/** A key as lists show it: never the key itself. */
export interface ApiKey extends KeyGrant {
  id: KeyId;
  accountId: AccountId;
  mode: Mode;
  /** `rk_test_` and the first four characters. */
  prefix: string;
  createdAt: Date;
  /** Not accepted from then on: `issuedUntil`, or earlier where it was rolled. */
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

/**
 * SHA-256 of a key, which is all that is stored. No salt: 256 random bits cannot be guessed, and one lookup must find
 * it.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** How a key begins, for lists: `rk_test_Vb3x`. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}

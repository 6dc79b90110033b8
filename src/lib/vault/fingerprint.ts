/**
 * Fingerprints of card numbers, callers' numbers and addresses, and of codes: an HMAC, so that nobody without the key
 * can try them all.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { AccountId } from '../../domain/ids.ts';
import type { Secret } from '../../domain/secret.ts';

/** 32 bytes; the same secret of another account, or of another kind, has another fingerprint. */
export type Fingerprint = (
  accountId: AccountId,
  kind: 'card' | 'instrument' | 'origin' | 'calling_number' | 'call_source' | 'page_code',
  secret: Secret,
) => Buffer;

const KEY_BYTES = 32;

/**
 * @param key RINGKEY_ENCRYPTION_KEYS' first. A new key means new fingerprints: attempts that were counted before, of a
 * day at most, count no longer.
 */
export function createFingerprint(key: Buffer): Fingerprint {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'ringkey fingerprint', KEY_BYTES));
  return (accountId, kind, secret) =>
    secret.reveal((text) => createHmac('sha256', derived).update(`${accountId} ${kind} ${text}`).digest());
}

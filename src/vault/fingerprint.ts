/** Tells whether two secrets are the same one without keeping either: keyed, so that nobody can try all card numbers. */
import { createHmac, hkdfSync } from 'node:crypto';
import type { AccountId } from '../domain/ids.ts';
import type { Secret } from '../domain/secret.ts';

/** 32 bytes; the same secret of another account, or of another kind, has another fingerprint. */
export type Fingerprint = (accountId: AccountId, kind: 'card' | 'instrument' | 'origin', secret: Secret) => Buffer;

const KEY_BYTES = 32;

/**
 * @param key RINGKEY_ENCRYPTION_KEYS' first. With a new one, fingerprints are new, too: what was counted before is
 * forgotten, which is a day's worth at most.
 */
export function createFingerprint(key: Buffer): Fingerprint {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'ringkey fingerprint', KEY_BYTES));
  return (accountId, kind, secret) =>
    secret.reveal((text) => createHmac('sha256', own).update(`${accountId} ${kind} ${text}`).digest());
}

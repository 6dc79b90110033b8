/**
 * Fingerprints of card numbers, callers' numbers and addresses, and codes: an HMAC, so that values cannot be enumerated
 * without the key.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { AccountId } from '../../domain/ids.ts';
import type { Secret } from '../../domain/secret.ts';

/** 32 bytes. The same secret has another fingerprint in another account or kind. */
export type Fingerprint = (
  accountId: AccountId,
  kind:
    | 'card'
    | 'bank_account'
    | 'instrument'
    | 'origin'
    | 'calling_number'
    | 'call_source'
    | 'page_code'
    | 'transfer_code',
  secret: Secret,
) => Buffer;

const KEY_BYTES = 32;

/**
 * @param key the first of RINGKEY_ENCRYPTION_KEYS. A new key changes all fingerprints, so that attempts of the last day
 * no longer count
 */
export function createFingerprint(key: Buffer): Fingerprint {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'ringkey fingerprint', KEY_BYTES));
  return (accountId, kind, secret) =>
    secret.reveal((text) => createHmac('sha256', derived).update(`${accountId} ${kind} ${text}`).digest());
}

/** The stored form of a transfer code: an HMAC, so that a copy of the database does not tell the eight digits. */
import type { AccountId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import type { Fingerprint } from '../lib/vault/fingerprint.ts';

/** @param code is wiped */
export function hashTransferCode(fingerprint: Fingerprint, accountId: AccountId, code: Secret): Buffer {
  const hash = fingerprint(accountId, 'transfer_code', code);
  code.wipe();
  return hash;
}

/** For a code that was just created. */
export const hashNewTransferCode = (fingerprint: Fingerprint, accountId: AccountId, code: string) =>
  hashTransferCode(fingerprint, accountId, Secret.of(code));

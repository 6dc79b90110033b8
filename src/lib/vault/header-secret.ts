/** Encrypts an account's secret for the outcome headers, for its row and no other. */
import { openOrNull, type Vault } from './vault.ts';

/** As stored. */
export interface HeaderSecret {
  headerSigningSecret: string;
  headerSecretSealed: boolean;
}

/** The encryption context of an account's secret. */
export const headerSecretContext = (accountId: string) => `account:${accountId}:header_signing`;

/** @param vault null: there are no encryption keys, and the secret is stored as it is */
export function sealHeaderSecret(vault: Vault | null, accountId: string, secret: string): HeaderSecret {
  if (vault === null) return { headerSigningSecret: secret, headerSecretSealed: false };
  return { headerSigningSecret: vault.seal(secret, headerSecretContext(accountId)), headerSecretSealed: true };
}

/** Base64 of 32 bytes. @returns null when it cannot be opened: its key is gone, or never was here */
export function openHeaderSecret(vault: Vault | null, account: HeaderSecret & { id: string }): string | null {
  const { id, headerSigningSecret, headerSecretSealed } = account;
  return headerSecretSealed ? openOrNull(vault, headerSigningSecret, headerSecretContext(id)) : headerSigningSecret;
}

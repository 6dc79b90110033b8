/** The encryption keys of this process, and the vault that they open. */
import type { Config } from '../config.ts';
import { ensureEncryptionKey } from '../standalone/encryption-key.ts';
import { createVault, type Vault } from '../vault/vault.ts';

/** As set, or the key that is kept beside a private PostgreSQL. Empty with an outside PostgreSQL and none set. */
export function encryptionKeysOf(config: Config): readonly Buffer[] {
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  return keys.length === 0 && config.DATABASE_URL === undefined ? [ensureEncryptionKey(config.RINGKEY_HOME)] : keys;
}

/** Null where there are no keys: then no secret that must be read again can be sealed. */
export function vaultOf(config: Config): Vault | null {
  const keys = encryptionKeysOf(config);
  return keys.length > 0 ? createVault(keys) : null;
}

/** The encryption keys of this process, and the vault that they open. */
import { requireEncryptionKeys } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import { createVault, type Vault } from '../lib/vault/vault.ts';
import { ensureEncryptionKey } from '../local/standalone/encryption-key.ts';

/**
 * As set, or the key that is kept beside a private PostgreSQL. @throws ConfigError with an outside PostgreSQL and none
 * set
 */
export function encryptionKeysOf(config: Config): readonly Buffer[] {
  requireEncryptionKeys(config);
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  return keys.length === 0 ? [ensureEncryptionKey(config.RINGKEY_HOME)] : keys;
}

/** @throws ConfigError as {@link encryptionKeysOf} does */
export function vaultOf(config: Config): Vault {
  return createVault(encryptionKeysOf(config));
}

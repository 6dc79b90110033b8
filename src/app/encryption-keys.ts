/** The encryption keys of this process, and their vault. */
import { requireEncryptionKeys } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import { createVault, type Vault } from '../lib/vault/vault.ts';
import { ensureEncryptionKey } from '../local/standalone/encryption-key.ts';

/**
 * The configured keys, or the key stored beside a private PostgreSQL.
 * @throws ConfigError for an external PostgreSQL without keys
 */
export function encryptionKeysOf(config: Config): readonly Buffer[] {
  requireEncryptionKeys(config);
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  return keys.length === 0 ? [ensureEncryptionKey(config.RINGKEY_HOME)] : keys;
}

/** @throws ConfigError like {@link encryptionKeysOf} */
export function vaultOf(config: Config): Vault {
  return createVault(encryptionKeysOf(config));
}

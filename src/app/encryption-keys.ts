/** The encryption keys of this process, and their vault. */
import { requireEncryptionKeys } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import type { Sql } from '../db/pool.ts';
import { readKeysInUse } from '../db/sealed.ts';
import type { Log } from '../lib/observability/log.ts';
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

/**
 * Logs an error if secrets in the database were encrypted with another key, as after a restore with the wrong keys. The
 * service starts anyway: if the key is lost, secrets have to be entered again.
 */
export async function reportMissingKeys(database: Sql, vault: Vault, log: Pick<Log, 'error'>): Promise<void> {
  const missing = (await readKeysInUse(database)).filter((start) => !vault.canOpen(start));
  if (missing.length === 0) return;
  log.error(
    { missing: missing.length },
    'RINGKEY_ENCRYPTION_KEYS lacks a key with which secrets in the database are encrypted',
  );
}

/** The keys that secrets and card handles are encrypted with, and the vault that they open. */
import { ensureEncryptionKey } from '../standalone/encryption-key.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createVault, type Vault } from '../vault/vault.ts';

/** As set, or the key that is kept beside a private PostgreSQL. Empty with an outside PostgreSQL and none set. */
export function encryptionKeys({ config, servers }: Infrastructure): readonly Buffer[] {
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  if (keys.length > 0) return keys;
  return servers?.postgres ? [ensureEncryptionKey(config.RINGKEY_HOME)] : [];
}

/** Null where there are no keys: then no secret that must be read again can be kept. */
export function vaultOf(infrastructure: Infrastructure): Vault | null {
  const keys = encryptionKeys(infrastructure);
  return keys.length > 0 ? createVault(keys) : null;
}

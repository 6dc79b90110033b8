/**
 * The encryption key of a one-machine installation: created once, and stored beside the private PostgreSQL that it
 * protects.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../../lib/start-error.ts';
import { KEY_BYTES } from '../../lib/vault/vault.ts';

const NAME = 'encryption.key';

/** @param home RINGKEY_HOME. @throws CannotStart if the file exists and contains no key */
export function ensureEncryptionKey(home: string): Buffer {
  const path = join(home, NAME);
  mkdirSync(home, { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new CannotStart(
    `${path} does not contain an encryption key: restore the old file, or set RINGKEY_ENCRYPTION_KEYS.`,
  );
}

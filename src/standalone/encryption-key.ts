/** The encryption key of a one-machine installation: made once, kept beside the private PostgreSQL it protects. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../start-error.ts';
import { KEY_BYTES } from '../vault/vault.ts';

const NAME = 'encryption.key';

/** @param home RINGKEY_HOME. @throws CannotStart when the file is there and is no key */
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
  throw new CannotStart(`${path} holds no encryption key: bring the old file back, or set RINGKEY_ENCRYPTION_KEYS.`);
}

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CannotStart } from '../../lib/start-error.ts';
import { ensureEncryptionKey } from './encryption-key.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ringkey-key-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('the encryption key is created once, and only its owner can read it', () => {
  const key = ensureEncryptionKey(home);
  expect(key).toHaveLength(32);
  expect(ensureEncryptionKey(home)).toEqual(key);
  expect(statSync(join(home, 'encryption.key')).mode & 0o777).toBe(0o600);
});

test('a malformed key file is not replaced', () => {
  writeFileSync(join(home, 'encryption.key'), 'short');
  expect(() => ensureEncryptionKey(home)).toThrow(CannotStart);
});

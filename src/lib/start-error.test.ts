import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskTrouble } from './start-error.ts';

test('a folder that cannot be made: the message says what to do', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringkey-trouble-'));
  try {
    writeFileSync(join(parent, 'file'), '');
    mkdirSync(join(parent, 'file', 'home'), { recursive: true });
    expect.unreachable();
  } catch (error) {
    expect(diskTrouble(error)).toMatch(/^ENOTDIR: .*file.*\n.*RINGKEY_HOME/);
  } finally {
    rmSync(parent, { recursive: true });
  }
});

test('a full disk counts, though the error names no file', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(diskTrouble(full)).toMatch(/^ENOSPC: no space left on device, write\nFree some space/);
});

test('a bug does not count, nor does a socket', async () => {
  expect(diskTrouble(new TypeError('no such thing'))).toBeNull();
  expect(
    diskTrouble(Object.assign(new Error('ENOENT: no such file, open'), { code: 'ENOENT', path: '/x' })),
  ).toBeNull();
  const server = createServer().listen(1, '203.0.113.1');
  const error = await new Promise((resolve) => server.once('error', resolve));
  expect(diskTrouble(error)).toBeNull();
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from './node/src/version.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const versionIn = (path: string) => (JSON.parse(read(path)) as { version: string }).version;

test('the client libraries have the version of the product', () => {
  const version = versionIn('../../package.json');
  expect([VERSION, versionIn('node/package.json')]).toEqual([version, version]);
  expect(read('python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(read('python/src/ringkey/_request.py')).toContain(`\nVERSION = "${version}"\n`);
});

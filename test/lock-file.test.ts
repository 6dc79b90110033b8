/** package-lock.json: npm checks what it installs by it, wherever it comes from. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/** Without the project itself. */
const LOCKED = Object.entries(packages).filter(([path]) => path !== '');

test('every package has the hash of its content, for every platform', () => {
  expect(LOCKED.length).toBeGreaterThan(100);
  expect(LOCKED.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual([]);
});

test('no package names the registry that it came from', () => {
  expect(LOCKED.filter(([, { resolved, link }]) => resolved !== undefined || link === true)).toEqual([]);
});

/** package-lock.json and the versions in package.json: what npm installs, wherever it comes from. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
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

// npm publishes no lock file, and from npm-shrinkwrap.json npm 11 installs the packages of all platforms.
test('package.json names the exact version of each package that users install', () => {
  const { dependencies, optionalDependencies } = packages[''] as Record<string, Record<string, string>>;
  const named = { ...dependencies, ...optionalDependencies };
  expect(Object.keys(named).length).toBeGreaterThan(30);
  for (const [name, version] of Object.entries(named)) {
    expect(version, name).toBe(packages[`node_modules/${name}`]?.version);
  }
});

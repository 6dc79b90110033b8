/** Builds dist/ from src/ when it is not up to date. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { inClone, mustRun, root, SetupError, step } from './run.mjs';

/** Compiles and copies; skipped when no source changed since the last time. */
export function build() {
  const stampFile = inClone('dist/.stamp');
  const stamp = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  step('building', () => {
    compile('tsconfig.build.json');
    // What the pay page's browser runs.
    compile('src/http/pay-page/browser/tsconfig.json');
    mustRun('The build failed', execPath, ['src/local/standalone/setup/copy-assets.mjs']);
  });
  writeFileSync(stampFile, stamp);
}

/**
 * The benches of test/bench, with all they import, into dist/bench.
 * @param name folder of the bench
 * @returns its compiled entry
 */
export function buildBench(name) {
  const source = `test/bench/${name}/main.ts`;
  if (!/^[a-z-]+$/.test(name) || !existsSync(inClone(source))) throw new SetupError(`There is no benchmark ${source}.`);
  compile('test/bench/tsconfig.json');
  return new URL(`dist/bench/test/bench/${name}/main.js`, root);
}

function compile(project) {
  mustRun('The build failed', execPath, ['node_modules/typescript/bin/tsc', '-p', project]);
}

/** Names, sizes and times of everything the build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = readdirSync(inClone('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    // Packages of their own.
    .filter((file) => !file.startsWith(inClone('src/clients/')));
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map(inClone);
  for (const file of [...settings, ...sources.sort()]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

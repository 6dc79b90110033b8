/**
 * Checks docker/compose.yaml with the client that runs it, `docker compose config`, with every setting of example.env filled in.
 * Where there is no client of version 2 nothing is checked, and that is said; test/compose.test.ts holds what can be seen without.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCKER = join(dirname(fileURLToPath(import.meta.url)), '../docker');
/** A value for a setting that example.env leaves empty. */
const FILLED = 'filled-in-for-the-check';

const compose = (...words) =>
  spawnSync('docker', ['compose', ...words], { cwd: DOCKER, encoding: 'utf8', env: { ...process.env, ...settings() } });

function settings() {
  const lines = readFileSync(join(DOCKER, 'example.env'), 'utf8').split('\n');
  const pairs = lines.map((line) => /^([A-Z_]+)=(.*)$/.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value === '' ? FILLED : value]));
}

if (compose('version', '--short').status !== 0) {
  console.log('docker compose is not installed: compose.yaml was not checked with it');
} else {
  const { status, stderr } = compose('-f', 'compose.yaml', 'config', '--quiet');
  if (status !== 0) console.error(stderr);
  else console.log('compose.yaml is valid');
  process.exitCode = status === 0 ? 0 : 1;
}

/**
 * Checks docker/compose.yaml, alone and with compose.tls.yaml, with the client that runs it, `docker compose config`,
 * with every setting of example.env filled in.
 * Where there is no client of version 2 nothing is checked, and that is said; test/compose.test.ts holds what can be
 * seen without.
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
  const filled = pairs.map(([, name, value]) => [name, value === '' ? FILLED : value]);
  return { TLS_FOLDER: '/etc/ringkey/tls', ...Object.fromEntries(filled) };
}

if (compose('version', '--short').status !== 0) {
  console.log('docker compose is not installed: compose.yaml was not checked with it');
} else {
  for (const files of [['compose.yaml'], ['compose.yaml', 'compose.tls.yaml']]) {
    const { status, stderr } = compose(...files.flatMap((file) => ['-f', file]), 'config', '--quiet');
    if (status !== 0) process.exitCode = 1;
    console.log(status === 0 ? `${files.join(' with ')} is valid` : stderr);
  }
}

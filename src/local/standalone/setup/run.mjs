/** Helpers of the setup: running commands, finding programs, messages. */
import { spawnSync } from 'node:child_process';
import { env, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';

/** The clone, as a URL that ends with a slash. */
export const root = new URL('../../../../', import.meta.url);

/** A file of the clone. */
export const inClone = (path) => fileURLToPath(new URL(path, root));

/** Setup cannot continue. The message says what to do, in whole sentences. */
export class SetupError extends Error {}

/** Runs a step that takes more than a moment: says what it does, then how long it took. */
export function step(label, work) {
  const startedAt = performance.now();
  stderr.write(`  ${label} … `);
  try {
    const result = work();
    stderr.write(`${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    return result;
  } catch (error) {
    stderr.write('failed\n');
    throw error;
  }
}

/**
 * Runs a command, and shows its output only if it fails. @returns whether it succeeded, and its output
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: inClone('.'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}` };
}

/** Like {@link run}, but throws if the command fails. @param failure the message for that */
export function mustRun(failure, command, args, options) {
  const { ok, output } = run(command, args, options);
  if (!ok) throw new SetupError(`${failure}:\n${tail(output)}`);
}

/** Whether a program is on the path or in /usr/bin or /usr/sbin. */
export function hasCommand(name) {
  const path = `${env.PATH ?? ''}:/usr/bin:/usr/sbin`;
  return run('/bin/sh', ['-c', 'command -v "$0"', name], { env: { ...env, PATH: path } }).ok;
}

/** The last lines of a failed command's output. */
export const tail = (text, lines = 30) => text.trimEnd().split('\n').slice(-lines).join('\n');

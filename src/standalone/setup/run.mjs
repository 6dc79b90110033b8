/** Helpers of the setup: running commands, finding programs, messages. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';

/** The clone, as a URL that ends with a slash. */
export const root = new URL('../../../', import.meta.url);

/** A file of the clone. */
export const inClone = (path) => fileURLToPath(new URL(path, root));

/** Setup cannot go on; the message says what to do, in whole sentences. */
export class SetupError extends Error {}

/** Announces a step that takes more than a moment. */
export function say(message) {
  console.error(`  ${message}`);
}

/** Runs a command of the machine with the output shown only when it fails. @returns whether it went well, and what it wrote */
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

/** Where on the path (or in the folders of administration) a program lies; undefined when it does not. */
export function findCommand(name) {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path) {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The last lines of a failed command's output. */
export const tail = (text, lines = 30) => text.trimEnd().split('\n').slice(-lines).join('\n');

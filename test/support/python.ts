/** Debian's Python, with the modules that the setup of the tests installs. Another one on the path lacks them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** As in src/local/standalone/setup/system.mjs. */
const PYTHON = '/usr/bin/python3';
const LIMIT_MS = 600_000;

const PYTHON_CLIENT = new URL('../../src/clients/python', import.meta.url).pathname;

interface PythonOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs Python with the client library of this checkout. Leaves no `__pycache__` in the sources. */
export function python(args: readonly string[], { cwd = PYTHON_CLIENT, env = {} }: PythonOptions = {}) {
  const own = { PYTHONPATH: join(PYTHON_CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  return run(PYTHON, args, { cwd, env: { ...process.env, ...own, ...env }, timeout: LIMIT_MS });
}

/**
 * Runs a file of the client's unit tests.
 * @returns its report, which ends with `OK` if all tests ran and passed
 */
export async function pythonTests(name: string, env: Record<string, string> = {}): Promise<string> {
  const args = ['-m', 'unittest', '--verbose', `tests.${name}`];
  const { stderr } = await python(args, { env }).catch((error: { stderr: string }) => error);
  return stderr;
}

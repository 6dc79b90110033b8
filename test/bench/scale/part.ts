/** A process of the bench that can be killed, frozen, ended and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { until } from '../../support/until.ts';

interface PartOptions {
  name: string;
  /** Node's arguments. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** File for its output. */
  logFile: string;
  isReady: () => Promise<boolean>;
}

const READY_LIMIT_MS = 120_000;
const END_LIMIT_MS = 120_000;

export class Part {
  readonly name: string;
  readonly #options: PartOptions;
  #process: ChildProcess | null = null;

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { name, args, env, logFile, isReady } = this.#options;
    const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    // Also ends it when the bench dies.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    const log = createWriteStream(logFile, { flags: 'a' });
    for (const output of [child.stdout, child.stderr]) output.pipe(log, { end: false });
    await until(READY_LIMIT_MS, () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${name} ended at its start: ${logFile}`);
      return isReady();
    });
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends it, by SIGTERM or another signal. @returns whether it ended in time */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
    const child = this.#process;
    if (child === null || !this.isRunning) return true;
    const ended = once(child, 'exit');
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, END_LIMIT_MS);
    child.kill(signal);
    // A frozen process does not get SIGTERM.
    child.kill('SIGCONT');
    await ended;
    clearTimeout(limit);
    return !isLate;
  }
}

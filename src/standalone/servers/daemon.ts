/** Private server processes: started in a session of their own, stopped by us alone, recognised again after a crash. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, PortTaken } from '../../start-error.ts';
import { stopProcess } from '../stop-process.ts';
import { identity, type Owner } from './place.ts';

export interface DaemonSpec {
  /** For messages, e.g. `PostgreSQL`. */
  name: string;
  command: string;
  owner: Owner | null;
  /** Holds its data, its log, and its process id in the file `pid`, which the server itself writes. */
  folder: string;
  stopSignal: NodeJS.Signals;
  /** 0 takes a free one. */
  port: number;
  /** The variable that names another port. */
  portSetting: string;
  readyLimitMs: number;
  /** Writes its configuration, if it has one. @returns its arguments */
  configure(port: number): readonly string[];
  isReady(port: number): Promise<boolean>;
}

export interface Daemon {
  readonly port: number;
  /** Resolves when the process is gone, whatever ended it. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Idempotent. Asks, waits ten seconds, then kills. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 10_000;
const POLL_MS = 25;
const LOG_LIMIT_BYTES = 10_000_000;

/** Ends what a killed run left behind, starts the server, and waits until it is ready. @throws CannotStart, PortTaken */
export async function startDaemon(spec: DaemonSpec): Promise<Daemon> {
  await stopStale(spec.folder, spec.stopSignal);
  const port = await reservePort(spec.port, spec.portSetting);
  const daemon = { port, ...spawnDaemon(spec, spec.configure(port)) };
  try {
    await waitUntilReady(spec, daemon);
    return daemon;
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

/** A session of its own keeps the terminal's Ctrl-C from ending it before the app has closed. */
function spawnDaemon(spec: DaemonSpec, args: readonly string[]): Omit<Daemon, 'port'> {
  const log = openLog(join(spec.folder, 'log'));
  const child = spawn(spec.command, args, {
    ...identity(spec.owner),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  closeSync(log);
  const exited: Daemon['exited'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // A failure to spawn is told to those who wait for it; waiting is optional.
  exited.catch(() => undefined);
  let stopping: Promise<void> | undefined;
  return {
    exited,
    stop() {
      stopping ??= stopProcess(child, spec.stopSignal, STOP_LIMIT_MS);
      return stopping;
    },
  };
}

/** Appends, but starts over where earlier runs wrote much: these logs are for the last trouble only. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

/**
 * Ends the server that an earlier run left behind. The pid in its file may be another process by now: ours has an
 * argument under its folder.
 */
export async function stopStale(folder: string, stopSignal: NodeJS.Signals): Promise<void> {
  const pid = Number(readIfThere(join(folder, 'pid')));
  const isOurs = () => commandLine(pid).some((argument) => argument.startsWith(`${folder}/`));
  if (!Number.isInteger(pid) || pid < 2 || !isOurs()) return;
  process.kill(pid, stopSignal);
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (isOurs()) {
    if (Date.now() > deadline + STOP_LIMIT_MS)
      throw new CannotStart(`Process ${pid}, left behind by an earlier run, does not end.`);
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** @throws CannotStart when the server ends, or is not ready in time */
async function waitUntilReady({ name, folder, readyLimitMs, isReady }: DaemonSpec, daemon: Daemon): Promise<void> {
  const logFile = join(folder, 'log');
  const ended = daemon.exited.then(
    ({ code, signal }) => `ended with ${signal ?? `code ${code}`}`,
    (error: Error) => error.message,
  );
  const deadline = Date.now() + readyLimitMs;
  for (;;) {
    if (await isReady(daemon.port)) return;
    const end = await Promise.race([ended, delay(POLL_MS, null)]);
    if (end !== null) throw new CannotStart(`${name} ${end} at its start; its log: ${logFile}${lastLines(logFile)}`);
    if (Date.now() > deadline)
      throw new CannotStart(`${name} was not ready in ${readyLimitMs / 1000} s; log: ${logFile}`);
  }
}

/** `wanted` if it can be listened on (0: any free one). @throws PortTaken naming `setting` */
async function reservePort(wanted: number, setting: string): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new PortTaken(setting, wanted) : error),
      );
      server.listen({ host: '127.0.0.1', port: wanted }, () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : wanted);
      });
    });
  } finally {
    server.close();
  }
}

/** The arguments of a running process; none when it is gone. Linux. */
function commandLine(pid: number): string[] {
  return readIfThere(`/proc/${pid}/cmdline`).split('\0');
}

export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

function lastLines(file: string): string {
  const lines = readIfThere(file).trimEnd().split('\n').slice(-5);
  return `\n  ${lines.join('\n  ')}`;
}

/** A server process of our own: started in its own session, stopped by us alone, recognised again after a crash. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, PortTaken } from '../../start-error.ts';
import { identity, type Owner } from './place.ts';

export interface DaemonSpec {
  /** For messages, e.g. `PostgreSQL`. */
  name: string;
  command: string;
  args: readonly string[];
  owner: Owner | null;
  logFile: string;
  /** Written by the server itself: its process id. */
  pidFile: string;
  /** Its own folder: an argument under it tells this very server from a stranger with a recycled pid. */
  folder: string;
  stopSignal: NodeJS.Signals;
}

export interface Daemon {
  /** Resolves when the process is gone, whoever ended it. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Idempotent. Asks, waits ten seconds, then kills. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 10_000;
const POLL_MS = 25;
const LOG_LIMIT_BYTES = 10_000_000;

/** Spawns it. Its own session keeps the terminal's Ctrl-C from ending it before the app has closed. */
export function startDaemon(spec: DaemonSpec): Daemon {
  const log = openLog(spec.logFile);
  const child = spawn(spec.command, spec.args, {
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
  // Whoever waits for it sees the failure; nobody has to.
  exited.catch(() => undefined);
  let stopping: Promise<void> | undefined;
  return {
    exited,
    stop() {
      stopping ??= stopChild();
      return stopping;
    },
  };

  async function stopChild(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    child.kill(spec.stopSignal);
    await exited;
    clearTimeout(killer);
  }
}

/** Appends, but starts over where earlier runs wrote much: these logs are for the last trouble only. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

/** Ends the server that an earlier run left behind, if the pid in its file is still that very server. */
export async function stopStale(spec: Pick<DaemonSpec, 'pidFile' | 'folder' | 'stopSignal'>): Promise<void> {
  const pid = Number(readIfThere(spec.pidFile));
  const isOurs = () => commandLine(pid).some((argument) => argument.startsWith(`${spec.folder}/`));
  if (!Number.isInteger(pid) || pid < 2 || !isOurs()) return;
  process.kill(pid, spec.stopSignal);
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (isOurs()) {
    if (Date.now() > deadline + STOP_LIMIT_MS)
      throw new CannotStart(`Process ${pid}, left behind by an earlier run, does not end.`);
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Polls `ready` until it resolves to true. If that fails the daemon is stopped. @throws when it ends or the limit passes. */
export async function untilReady(
  spec: DaemonSpec,
  daemon: Daemon,
  limitMs: number,
  ready: () => Promise<boolean>,
): Promise<void> {
  try {
    await poll(spec, daemon, limitMs, ready);
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

async function poll(spec: DaemonSpec, daemon: Daemon, limitMs: number, ready: () => Promise<boolean>): Promise<void> {
  const ended = daemon.exited.then(
    ({ code, signal }) => `ended with ${signal ?? `code ${code}`}`,
    (error: Error) => error.message,
  );
  const deadline = Date.now() + limitMs;
  for (;;) {
    if (await ready()) return;
    const end = await Promise.race([ended, delay(POLL_MS, null)]);
    if (end !== null)
      throw new CannotStart(`${spec.name} ${end} at its start; its log: ${spec.logFile}${lastLines(spec.logFile)}`);
    if (Date.now() > deadline)
      throw new CannotStart(`${spec.name} was not ready in ${limitMs / 1000} s; log: ${spec.logFile}`);
  }
}

/** `wanted` if it can be listened on (0: any free one). @throws PortTaken naming `setting` */
export async function reservePort(wanted: number, setting: string): Promise<number> {
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

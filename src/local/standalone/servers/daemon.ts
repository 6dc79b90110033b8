/** Private server processes: started in a separate session, stopped only by Ringkey, recognized after a crash. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, PortInUse } from '../../../lib/start-error.ts';
import { stopProcess } from '../stop-process.ts';
import { identity, type Owner } from './place.ts';
import { type PortOwner, portOwner, privateServerEnvironment } from './port-owner.ts';

export interface DaemonSpec {
  /** For messages, e.g. `PostgreSQL`. */
  name: string;
  command: string;
  owner: Owner | null;
  /** Contains its data, its log, and its process ID in the file `pid`, which the server itself writes. */
  folder: string;
  stopSignal: NodeJS.Signals;
  /** 0 picks a free port. */
  port: number;
  /** The environment variable for another port. */
  portSetting: string;
  readyLimitMs: number;
  /** Called after ending a server of another home that a killed Ringkey had left on the port. */
  onLeftBehind?: ((server: LeftBehind) => void) | undefined;
  /** Writes its configuration, if it has one. @returns its arguments */
  configure(port: number): readonly string[];
  isReady(port: number): Promise<boolean>;
}

export interface LeftBehind {
  pid: number;
  program: string;
  folder: string;
  port: number;
}

export interface Daemon {
  readonly port: number;
  /** Resolves when the process has ended for any reason. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends the stop signal, waits ten seconds, then kills. Idempotent. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 10_000;
const POLL_MS = 25;
const LOG_LIMIT_BYTES = 10_000_000;

/**
 * Ends a server that a killed run left behind, starts the server, and waits until it is ready. @throws CannotStart,
 * PortInUse
 */
export async function startDaemon(spec: DaemonSpec): Promise<Daemon> {
  await stopStale(spec.folder, spec.stopSignal);
  const port = await reservePort(spec);
  const daemon = { port, ...spawnDaemon(spec, spec.configure(port)) };
  try {
    await waitUntilReady(spec, daemon);
    return daemon;
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

/** A separate session prevents the terminal's Ctrl-C from ending it before the app has closed. */
function spawnDaemon(spec: DaemonSpec, args: readonly string[]): Omit<Daemon, 'port'> {
  const log = openLog(join(spec.folder, 'log'));
  const child = spawn(spec.command, args, {
    ...identity(spec.owner),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...privateServerEnvironment(spec.folder) },
  });
  closeSync(log);
  const exited: Daemon['exited'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // If the spawn fails, callers that wait get a rejection; waiting is optional.
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

/** Appends, but truncates a large log of earlier runs: these logs are only for the latest failure. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

/**
 * Ends the server that an earlier run left behind. The PID in its file may now belong to another process: our server
 * has an argument under its folder.
 */
export async function stopStale(folder: string, stopSignal: NodeJS.Signals): Promise<void> {
  const pid = Number(readIfThere(join(folder, 'pid')));
  const isOurs = () => commandLine(pid).some((argument) => argument.startsWith(`${folder}/`));
  if (!Number.isInteger(pid) || pid < 2 || !isOurs()) return;
  await endLeftBehind(pid, stopSignal, isOurs);
}

/** @param isThere whether the process is still the same server. @throws CannotStart if it does not end */
async function endLeftBehind(pid: number, signal: NodeJS.Signals, isThere: () => boolean): Promise<void> {
  process.kill(pid, signal);
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (isThere()) {
    if (Date.now() > deadline + STOP_LIMIT_MS)
      throw new CannotStart(`Process ${pid}, left over from an earlier run, does not end: stop it yourself.`);
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** @throws CannotStart if the server ends or is not ready in time */
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
    if (end !== null)
      throw new CannotStart(`${name} ${end} during startup. Its log is ${logFile}:${lastLines(logFile)}`);
    if (Date.now() > deadline)
      throw new CannotStart(`${name} was not ready within ${readyLimitMs / 1000} s. Its log is ${logFile}.`);
  }
}

/**
 * Returns the port, after ending a server that a killed Ringkey left on it. @throws PortInUse with the process that
 * uses it
 */
async function reservePort({ port, portSetting, onLeftBehind }: DaemonSpec): Promise<number> {
  const free = await findPort(port);
  if (free !== null) return free;
  const owner = portOwner(port);
  if (owner?.privateServer?.isLeftBehind !== true) throw new PortInUse(portSetting, port, nameOf(owner));
  const { pid, program, privateServer } = owner;
  // Both servers save their data and exit on this signal.
  await endLeftBehind(pid, 'SIGINT', () => portOwner(port)?.pid === pid);
  onLeftBehind?.({ pid, program, folder: privateServer.folder, port });
  const freed = await findPort(port);
  if (freed === null) throw new PortInUse(portSetting, port, nameOf(portOwner(port)));
  return freed;
}

/** Undefined if the process cannot be seen. */
function nameOf(owner: PortOwner | null): string | undefined {
  if (owner === null) return undefined;
  const { pid, program, privateServer } = owner;
  if (privateServer === null) return `${program} (process ${pid})`;
  return `${program} (process ${pid}) of another Ringkey, with its data in ${privateServer.folder}`;
}

/** Returns `wanted` if it is free (0: any free port), or null if it is used. */
async function findPort(wanted: number): Promise<number | null> {
  const server = createServer();
  try {
    return await new Promise<number | null>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
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

/** The arguments of a running process; none if it is gone. Linux only. */
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

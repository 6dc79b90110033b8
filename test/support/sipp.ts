/**
 * Runs SIPp (Debian's sip-tester): one scenario for one call, with a time limit and its own ports. Returns every SIP
 * message sent and received. Its `play_dtmf` and `play_pcap_audio` use a raw socket and need root.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, udpPortBound } from './ports.ts';
import { DIAL_AGAIN_MS, MOST_DIALS } from './test-caller.ts';

export interface SippOptions {
  /** XML, created by `test/sipp/`. */
  scenario: string;
  /** Files that the scenario plays, by name. */
  files?: Record<string, Buffer>;
  /** `host:port` of the other side; undefined for a scenario that waits for a call. */
  remote?: string;
  transport?: 'udp' | 'tcp';
  /** 127.0.0.1 by default. */
  localAddress?: string;
  limitSeconds?: number;
}

interface SippMessage {
  direction: 'sent' | 'received';
  text: string;
}

/** A scenario that ran to its end. */
export interface SippRun {
  messages: SippMessage[];
}

export interface Sipp {
  /** Its own `host:port`. */
  readonly address: string;
  readonly pid: number;
  /** @throws SippFailure */
  readonly done: Promise<SippRun>;
  /** Ends it early. */
  kill(): void;
}

/** The call did not follow the scenario. The message has SIPp's errors and all SIP messages. */
class SippFailure extends Error {}

const READY_LIMIT_MS = 180_000;
/** SIPp ends itself at its time limit; after this much more it is killed. */
const GRACE_MS = 5_000;
/** Only a scenario that hangs reaches it. */
const DEFAULT_LIMIT_SECONDS = 200;

export const canSendRtp = process.getuid?.() === 0;

/** Starts a caller; resolves at once. */
async function startCaller(options: SippOptions & { remote: string }): Promise<Sipp> {
  return launch(options);
}

/** Starts a scenario that waits for a call; resolves when its port is open. */
export async function startCallee(options: SippOptions): Promise<Sipp> {
  const sipp = await launch(options);
  await Promise.race([udpPortBound(Number(sipp.address.split(':')[1]), READY_LIMIT_MS), sipp.done]);
  return sipp;
}

/** On a busy machine the line takes no calls for a moment, and a platform dials again. */
const isRefused = (error: unknown) => error instanceof SippFailure && error.message.includes("received 'SIP/2.0 503 ");

/** Runs a caller to its end. @throws SippFailure */
export async function runCaller(options: SippOptions & { remote: string }): Promise<SippRun> {
  for (let dials = 1; ; dials += 1) {
    try {
      return await (await startCaller(options)).done;
    } catch (error) {
      if (!isRefused(error) || dials === MOST_DIALS) throw error;
    }
    await delay(DIAL_AGAIN_MS);
  }
}

async function launch(options: SippOptions): Promise<Sipp> {
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-sipp-'));
  const files = Object.entries({ 'scenario.xml': options.scenario, ...options.files });
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
  const localAddress = options.localAddress ?? '127.0.0.1';
  const limitSeconds = options.limitSeconds ?? DEFAULT_LIMIT_SECONDS;
  const port = await freePort();
  const child = spawn(
    'sipp',
    [
      ...(options.remote === undefined ? [] : [options.remote]),
      '-sf',
      'scenario.xml',
      '-m',
      '1',
      '-nostdin',
      '-skip_rlimit',
      '-t',
      options.transport === 'tcp' ? 't1' : 'u1',
      '-i',
      localAddress,
      '-p',
      String(port),
      '-bind_local',
      '-mi',
      localAddress,
      '-mp',
      String(await freePort()),
      '-timeout',
      `${limitSeconds}s`,
      '-timeout_error',
      '-trace_msg',
      '-message_file',
      'messages.log',
      '-trace_err',
      '-error_file',
      'errors.log',
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const done = finish(child, folder, limitSeconds);
  // The failure is reported when the test awaits `done`, which may be later.
  done.catch(() => undefined);
  return { address: `${localAddress}:${port}`, pid: child.pid ?? 0, done, kill: () => void child.kill('SIGKILL') };
}

async function finish(child: ChildProcess, folder: string, limitSeconds: number): Promise<SippRun> {
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1_000 + GRACE_MS);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const trace = await readOr(join(folder, 'messages.log'), '');
    if (code === 0) return { messages: parseTrace(trace) };
    const errors = await readOr(join(folder, 'errors.log'), '');
    throw new SippFailure(`SIPp ended with ${code ?? signal}\n${complaints}${errors}\n${trace}`);
  } finally {
    clearTimeout(limit);
    await rm(folder, { recursive: true, force: true });
  }
}

async function readOr(file: string, other: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => other);
}

const ENTRY = /^-{30,} \d{4}-.*\n(?:UDP|TCP) message (sent|received) [^\n]*:\n\n/gm;

function parseTrace(trace: string): SippMessage[] {
  const heads = [...trace.matchAll(ENTRY)];
  return heads.map((head, at) => ({
    direction: head[1] === 'sent' ? 'sent' : 'received',
    text: trace.slice(head.index + head[0].length, heads[at + 1]?.index),
  }));
}

/**
 * The first received message whose first line starts with `start`, e.g. `REFER` or `SIP/2.0 503`. @throws if there is
 * none
 */
export function received({ messages }: SippRun, start: string): SippMessage {
  const found = messages.find(({ direction, text }) => direction === 'received' && text.startsWith(start));
  if (found === undefined) throw new Error(`SIPp received no ${start}`);
  return found;
}

/** A header's value; null if there is none. */
export function header({ text }: SippMessage, name: string): string | null {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  return new RegExp(`^${name}[ \\t]*:[ \\t]*(.*?)\\r?$`, 'im').exec(head)?.[1] ?? null;
}

/** The headers of the outcome, by name. */
export function outcomeOf(message: SippMessage): Record<string, string> {
  const lines = message.text.matchAll(/^((?:X-Ringkey-[A-Za-z-]+)|User-to-User)[ \t]*:[ \t]*(.*?)\r?$/gim);
  // Header names are case-insensitive (RFC 3261, 7.3.1); a server on the way may have changed them.
  const nameOf = (name: string) => (/^user-to-user$/i.test(name) ? 'User-to-User' : name);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [nameOf(name), value]));
}

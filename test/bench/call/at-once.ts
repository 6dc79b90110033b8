/** Many SIPp calls at the same time: all are up before the first one presses keys. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallerScenario, keyingMs } from '../../sipp/caller-scenario.ts';

interface AtOnceOptions {
  /** One target per call. */
  targets: readonly string[];
  digits: string;
  sipPort: number;
  /** How long each call waits after its answer before it presses keys. */
  patienceMs: number;
  /** New calls per second. */
  rate: number;
}

export interface AtOnceResult {
  succeeded: number;
  failed: number;
  /** SIPp's error messages. */
  errors: string;
}

const CALL_LIMIT_MS = 60_000;

/** Runs all calls to their end. SIPp sends telephone events through a raw socket, so it needs root. */
export async function callAtOnce(options: AtOnceOptions): Promise<AtOnceResult> {
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-bench-sipp-'));
  try {
    const scenario = new CallerScenario('[field0]')
      .invites()
      .isAnswered()
      .pauses(options.patienceMs)
      .keys(options.digits);
    await writeFile(join(folder, 'scenario.xml'), scenario.isReferred().notifies('200 OK').isHungUpOn().xml);
    await writeFile(join(folder, 'targets.csv'), `SEQUENTIAL\n${options.targets.join('\n')}\n`);
    return await run(options, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  { targets, sipPort, digits, patienceMs, rate }: AtOnceOptions,
  folder: string,
): Promise<AtOnceResult> {
  const count = String(targets.length);
  const limitMs = CALL_LIMIT_MS + patienceMs + keyingMs(digits) + (targets.length * 1_000) / rate;
  const words = [
    `127.0.0.1:${sipPort}`,
    '-sf',
    'scenario.xml',
    '-inf',
    'targets.csv',
    '-m',
    count,
    '-l',
    count,

    '-r',
    String(rate),
    '-i',
    '127.0.0.1',
    '-bind_local',
    '-mi',
    '127.0.0.1',
    '-mp',
    String(await freeUdpPort()),
    '-nostdin',
    '-skip_rlimit',
    '-timeout',
    `${Math.ceil(limitMs / 1_000)}s`,
    '-trace_err',
    '-error_file',
    'errors.log',
    '-trace_stat',
    '-stf',
    'stat.csv',
    '-fd',
    '1',
  ];
  const sipp = spawn('sipp', words, { cwd: folder, stdio: 'ignore' });
  await once(sipp, 'exit');
  const statistics = await readFile(join(folder, 'stat.csv'), 'utf8');
  const log = await readFile(join(folder, 'errors.log'), 'utf8').catch(() => '');
  // SIPp warns as soon as it has to wait for a processor.
  const errors = log.split('\n').filter((line) => !/Overload warning|The following events/.test(line));
  return { ...counts(statistics), errors: errors.join('\n').slice(0, 2_000).trim() };
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** SIPp's statistics: names in the first line, the final values in the last one, separated by `;`. */
function counts(statistics: string): { succeeded: number; failed: number } {
  const lines = statistics.trim().split('\n');
  const names = (lines[0] ?? '').split(';');
  const last = (lines.at(-1) ?? '').split(';');
  const cumulative = (name: string) => Number(last[names.indexOf(`${name}(C)`)] ?? 0);
  return { succeeded: cumulative('SuccessfulCall'), failed: cumulative('FailedCall') };
}

/** Finds a running Ringkey for the call, or starts one and stops it afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface RunningProduct {
  /** Whether {@link findOrStartProduct} started it. */
  started: boolean;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 200;
const PROBE_LIMIT_MS = 2_000;

/** Whether the service at `baseUrl` is ready; false if it can't be reached. */
async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) }).catch(() => null);
  return answer?.ok ?? false;
}

/**
 * Finds the service at `baseUrl`, or starts `ringkey start` in a separate process.
 * @param command the running program's script, e.g. `dist/main.js`
 * @throws if it is not ready within a minute
 */
export async function findOrStartProduct(
  baseUrl: string,
  command: string,
  print: (line: string) => void,
): Promise<RunningProduct> {
  if (await isReady(baseUrl)) return { started: false, stop: async () => undefined };
  print(`No service is ready at ${baseUrl}: starting Ringkey for this call …`);
  const child = spawn(process.execPath, [command, 'start'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stopProcess(child);
      throw new Error(`Ringkey did not start:\n${Buffer.concat(output).toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { started: true, stop: () => stopProcess(child) };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(limit);
}

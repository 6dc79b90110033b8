/** Stops a child process: sends a signal, and kills the process if it does not exit in time. */
import type { ChildProcess } from 'node:child_process';

/** Resolves when the process has exited. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const killer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.kill(signal);
  await gone;
  clearTimeout(killer);
}

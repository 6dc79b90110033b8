/** Runs a command of `ringkey` in this process, and returns its exit code and what it printed. */
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config/config.ts';

export interface CommandResult {
  /** The exit code. */
  code: number;
  /** Lines on standard output and error. */
  out: string;
  err: string;
  /** The log on standard error. */
  log: string;
}

/** @param line the command line after `ringkey`, with single spaces. @param settings the environment */
export async function runCommand(line: string, settings: Record<string, string>): Promise<CommandResult> {
  const [out, err, log]: [string[], string[], string[]] = [[], [], []];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text)),
    vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => log.push(String(text)) > 0),
  ];
  try {
    const words = line === '' ? [] : line.split(' ');
    const code = await runCommandLine(words, () => readConfig(settings));
    return { code, out: out.join('\n'), err: err.join('\n'), log: log.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

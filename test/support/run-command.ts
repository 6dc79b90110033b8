/** A command of `ringkey` run in this process, and what it says to whoever typed it. */
import { vi } from 'vitest';

export interface CommandResult {
  /** The exit code. */
  code: number;
  /** Standard output and error, without the ends of the lines. */
  out: string;
  err: string;
  /** What was logged on standard error. */
  log: string;
}

export async function runCommand(command: () => Promise<number>): Promise<CommandResult> {
  const said = { out: '', err: '', log: '' };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text: string) => {
      said.out += text;
    }),
    vi.spyOn(console, 'error').mockImplementation((text: string) => {
      said.err += text;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.log += text;
      return true;
    }),
  ];
  try {
    return { code: await command(), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

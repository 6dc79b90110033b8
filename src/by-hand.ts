/** What the commands share that settle by hand what a processor never clarified. */
import { userInfo } from 'node:os';
import type { Config } from './config.ts';
import { createLog, type Log } from './log.ts';

/** Printable and without spaces, as the ids of all processors are. */
const PROCESSORS_ID = /^[\x21-\x7e]{1,255}$/;

/** Long after the last request for something has ended, at the processor too. */
export const ON_ITS_WAY_MS = 10 * 60_000;

export function isProcessorsId(text: string): boolean {
  return PROCESSORS_ID.test(text);
}

/** Tells why nothing was settled. @returns the process's exit code */
export function refuse(why: string): number {
  console.error(`ringkey: ${why}`);
  return 1;
}

/** On standard error: standard output is the command's answer. @param fields what the person has found out */
export function operatorsLog(config: Config, fields: Record<string, string | null>): Log {
  const log = createLog({
    level: config.RINGKEY_LOG_LEVEL,
    instance: config.RINGKEY_INSTANCE,
    destination: process.stderr,
  });
  return log.child({ source: 'operator', operator: operator(), ...fields });
}

/** Whoever typed it, as the machine knows him: a container may run as a user that has no name. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

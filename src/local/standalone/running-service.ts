/**
 * A file in RINGKEY_HOME that says where the service of that home listens, so that a command in a second terminal finds
 * it although its ports are not the usual ones.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const RunningService = z.object({
  pid: z.int().positive(),
  instance: z.string(),
  /** Base of the HTTP surface. */
  httpUrl: z.url(),
});
export type RunningService = z.infer<typeof RunningService>;

const fileIn = (home: string) => join(home, 'running.json');

/** Writes the file. @returns removes it again */
export async function announceService(home: string, service: RunningService): Promise<() => Promise<void>> {
  await writeFile(fileIn(home), `${JSON.stringify(service)}\n`, { mode: 0o600 });
  return async () => {
    if ((await readFile(fileIn(home), 'utf8').then(parsed, () => null))?.pid === service.pid) await rm(fileIn(home));
  };
}

/** @returns null where none runs: there is no file, or its process has died */
export async function findRunningService(home: string): Promise<RunningService | null> {
  const service = await readFile(fileIn(home), 'utf8').then(parsed, () => null);
  return service !== null && isAlive(service.pid) ? service : null;
}

function parsed(text: string): RunningService | null {
  try {
    return RunningService.parse(JSON.parse(text));
  } catch {
    // Written by another version, or half written.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

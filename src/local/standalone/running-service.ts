/**
 * A file in RINGKEY_HOME with the address of the home's service, so that a command in a second terminal finds it even
 * on unusual ports.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const RunningService = z.object({
  pid: z.int().positive(),
  instance: z.string(),
  /** Base URL of the HTTP server. */
  httpUrl: z.url(),
});
type RunningService = z.infer<typeof RunningService>;

const fileIn = (home: string) => join(home, 'running.json');

/** Writes the file. @returns a function that removes it */
export async function announceService(home: string, service: RunningService): Promise<() => Promise<void>> {
  await writeFile(fileIn(home), `${JSON.stringify(service)}\n`, { mode: 0o600 });
  return async () => {
    if ((await readFile(fileIn(home), 'utf8').then(parsed, () => null))?.pid === service.pid) await rm(fileIn(home));
  };
}

/** @returns null if no service is running: there is no file, or its process has died */
export async function findRunningService(home: string): Promise<RunningService | null> {
  const service = await readFile(fileIn(home), 'utf8').then(parsed, () => null);
  return service !== null && isAlive(service.pid) ? service : null;
}

function parsed(text: string): RunningService | null {
  try {
    return RunningService.parse(JSON.parse(text));
  } catch {
    // Written by another version, or incomplete.
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

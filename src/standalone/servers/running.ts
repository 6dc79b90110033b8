/** Addresses and passwords of the private servers of a Ringkey that runs in another process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../../start-error.ts';
import { choosePlace } from './place.ts';
import { POSTGRES_LOGIN } from './postgres.ts';

export interface ServerUrls {
  databaseUrl: string;
  redisUrl: string;
}

/** @param ports of the running process. @throws CannotStart when there is no such installation */
export function runningServers(home: string, ports: { postgres: number; redis: number }): ServerUrls {
  const { directory } = choosePlace(home);
  const { user, database } = POSTGRES_LOGIN;
  const password = encodeURIComponent(readPassword(join(directory, 'postgres'), /^password-\d+$/));
  return {
    databaseUrl: `postgres://${user}:${password}@127.0.0.1:${ports.postgres}/${database}`,
    redisUrl: `redis://:${readPassword(join(directory, 'redis'), /^password$/)}@127.0.0.1:${ports.redis}/0`,
  };
}

function readPassword(folder: string, name: RegExp): string {
  const file = namesIn(folder).find((candidate) => name.test(candidate));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  throw new CannotStart('The private servers cannot be found: set DATABASE_URL and REDIS_URL.');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

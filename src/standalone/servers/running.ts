/** How to reach the private PostgreSQL of a Ringkey that runs in another process. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../../start-error.ts';
import { POSTGRES_LOGIN } from './postgres.ts';

/** @param directory of the home's place. @param port of the running server. @throws CannotStart where there is none */
export function runningPostgresUrl(directory: string, port: number): string {
  const folder = join(directory, 'postgres');
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const passwordFile = files.find((name) => /^password-\d+$/.test(name));
  if (passwordFile === undefined) {
    throw new CannotStart('The private PostgreSQL cannot be found: set DATABASE_URL.');
  }
  const password = encodeURIComponent(readFileSync(join(folder, passwordFile), 'utf8'));
  return `postgres://${POSTGRES_LOGIN.user}:${password}@127.0.0.1:${port}/${POSTGRES_LOGIN.database}`;
}

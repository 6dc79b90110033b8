/** A migrated, empty PostgreSQL database for one test file. */
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/db/pool.ts';

export interface TestDatabase {
  /** Through PgBouncer, if the run has one. */
  url: string;
  /** PostgreSQL itself. */
  directUrl: string;
  isPooled: boolean;
  /** Of a product on this database. */
  settings: Record<string, string>;
  database: Database;
  /** Call it in `afterAll`. The database is removed at the end of the run. */
  close(): Promise<void>;
}

/** On a busy machine, a slow server is still available. */
export const PATIENT_LIMITS = { connectMs: 120_000, statementMs: 120_000, idleInTransactionMs: 120_000 };

/** Cloned from a migrated template in about 50 ms. Call it once per file, in `beforeAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const directUrl = await requestServerUrl('/database');
  const poolerPort = await requestServerUrl('/pooler');
  const isPooled = poolerPort !== '0';
  const url = isPooled ? Object.assign(new URL(directUrl), { port: poolerPort }).href : directUrl;
  const database = openDatabase({
    url,
    isPooled,
    maxConnections: 8,
    limits: PATIENT_LIMITS,
    onIdleError: (error) => console.error('test database connection', error),
  });
  const settings = { DATABASE_URL: url, ...(isPooled && { RINGKEY_DATABASE_DIRECT_URL: directUrl }) };
  return { url, directUrl, isPooled, settings, database, close: () => database.close() };
}

/** A server's address, or the shared folder of prompts, from this run's globalSetup (servers.ts). */
export async function requestServerUrl(path: '/database' | '/redis' | '/speech' | '/pooler'): Promise<string> {
  const response = await fetch(new URL(path, inject('testServers')));
  const answer = await response.text();
  if (!response.ok) throw new Error(`no test server: ${answer}`);
  return answer;
}

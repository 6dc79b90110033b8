/** The PostgreSQL of a command: the one in DATABASE_URL, or the private one of this machine. */
import { migrateDatabase } from '../app/migrate.ts';
import { directDatabaseUrl } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { type Database, openDatabase } from '../db/pool.ts';
import { startServers } from '../local/standalone/servers/index.ts';
import { choosePlace, HomeInUse } from '../local/standalone/servers/place.ts';
import { runningPostgresUrl } from '../local/standalone/servers/postgres.ts';

/** A person at a terminal can wait longer for a busy server than a caller on the line. */
export const COMMAND_LIMITS = { connectMs: 20_000 };

/**
 * Runs `work` on an up-to-date database, then closes and stops everything it opened. @throws CannotStart
 */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const server = await findPostgres(config);
  try {
    await migrateDatabase(server.url, server.dataFolder, () => undefined);
    // The pool replaces a connection that broke while idle; if it cannot, the next statement fails.
    const database = openDatabase({
      url: server.url,
      maxConnections: 2,
      limits: COMMAND_LIMITS,
      onIdleError: () => undefined,
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

interface Postgres {
  url: string;
  /** Null for an external server. */
  dataFolder: string | null;
  stop(): Promise<void>;
}

/** Uses the private server of the Ringkey that runs on this home, or starts it for this command. */
async function findPostgres(config: Config): Promise<Postgres> {
  const { RINGKEY_HOME: home, RINGKEY_POSTGRES_PORT: postgresPort } = config;
  const url = directDatabaseUrl(config);
  if (url !== undefined) return { url, dataFolder: null, stop: async () => undefined };
  try {
    const servers = await startServers({ home, postgresPort, redisPort: null, durable: true, redisDatabases: 1 });
    return { url: servers.postgres?.url ?? '', dataFolder: servers.place.directory, stop: () => servers.stop() };
  } catch (error) {
    if (!(error instanceof HomeInUse)) throw error;
    const place = choosePlace(home);
    return {
      url: runningPostgresUrl(place, postgresPort),
      dataFolder: place.directory,
      stop: async () => undefined,
    };
  }
}

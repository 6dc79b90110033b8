/** The PostgreSQL that a command works on: the one of DATABASE_URL, or the private one of this machine. */
import { migrateDatabase } from '../app/migrate.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/pool.ts';
import { HomeTaken } from '../standalone/servers/claim.ts';
import { startServers } from '../standalone/servers/index.ts';
import { choosePlace } from '../standalone/servers/place.ts';
import { runningPostgresUrl } from '../standalone/servers/postgres.ts';

/** A person at a terminal waits longer for a busy server than a caller on the line does. */
export const COMMAND_LIMITS = { connectMs: 20_000 };

/** Runs `work` on an up-to-date database, and closes and stops everything that was opened for it. @throws CannotStart */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const server = await findPostgres(config);
  try {
    await migrateDatabase(server.url, server.dataFolder, () => undefined);
    // A connection that breaks while it is idle is replaced, or the next statement fails.
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
  /** Null for an outside one. */
  dataFolder: string | null;
  stop(): Promise<void>;
}

/** A private one is that of the Ringkey which runs on this home; where none runs, it is started for this command. */
async function findPostgres(config: Config): Promise<Postgres> {
  const { DATABASE_URL, RINGKEY_HOME: home, RINGKEY_POSTGRES_PORT: postgresPort } = config;
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL, dataFolder: null, stop: async () => undefined };
  try {
    const servers = await startServers({ home, postgresPort, redisPort: null, durable: true, redisDatabases: 1 });
    return { url: servers.postgres?.url ?? '', dataFolder: servers.place.directory, stop: () => servers.stop() };
  } catch (error) {
    if (!(error instanceof HomeTaken)) throw error;
    const place = choosePlace(home);
    return {
      url: runningPostgresUrl(place, postgresPort),
      dataFolder: place.directory,
      stop: async () => undefined,
    };
  }
}

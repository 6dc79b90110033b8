/** The PostgreSQL and Redis that a command works on: outside ones, or the private ones of this machine. */
import type { Config } from '../config.ts';
import { HomeTaken } from '../standalone/servers/claim.ts';
import { startServers } from '../standalone/servers/index.ts';
import { runningServers, type ServerUrls } from '../standalone/servers/running.ts';
import { createLog } from '../observability/log.ts';
import { type Database, migrate, openDatabase } from '../db/pool.ts';

export interface Connections {
  database: Database;
}

/** Runs `work` on an up-to-date database, and closes and stops everything that was opened for it. */
export async function withDatabase<T>(config: Config, work: (deps: Connections) => Promise<T>): Promise<T> {
  const servers = await findServers(config);
  try {
    await migrate(servers.databaseUrl, () => undefined);
    const log = createLog({ level: 'silent', instance: config.RINGKEY_INSTANCE });
    const onIdleError = (error: Error) => log.warn({ error }, 'database connection lost');
    const database = openDatabase({ url: servers.databaseUrl, maxConnections: 2, onIdleError });
    try {
      return await work({ database });
    } finally {
      await database.close();
    }
  } finally {
    await servers.stop();
  }
}

interface FoundServers extends ServerUrls {
  /** Stops those that were started for this command. */
  stop(): Promise<void>;
}

async function findServers(config: Config): Promise<FoundServers> {
  const { DATABASE_URL, REDIS_URL } = config;
  if (DATABASE_URL !== undefined && REDIS_URL !== undefined) {
    return { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL, stop: async () => undefined };
  }
  const found = await privateServers(config);
  return { ...found, databaseUrl: DATABASE_URL ?? found.databaseUrl, redisUrl: REDIS_URL ?? found.redisUrl };
}

/** Those of the Ringkey that runs on this home; where none runs they are started, and stopped after the command. */
async function privateServers(config: Config): Promise<FoundServers> {
  const ports = { postgres: config.RINGKEY_POSTGRES_PORT, redis: config.RINGKEY_REDIS_PORT };
  try {
    const servers = await startServers({
      home: config.RINGKEY_HOME,
      postgresPort: config.DATABASE_URL === undefined ? ports.postgres : null,
      redisPort: config.REDIS_URL === undefined ? ports.redis : null,
      durable: true,
      redisDatabases: 1,
    });
    const { postgres, redis } = servers;
    return { databaseUrl: postgres?.url ?? '', redisUrl: redis?.url ?? '', stop: () => servers.stop() };
  } catch (error) {
    if (!(error instanceof HomeTaken)) throw error;
    return { ...runningServers(config.RINGKEY_HOME, ports), stop: async () => undefined };
  }
}

/** The infrastructure of all roles: PostgreSQL and Redis (private ones unless configured), vault, engine, metrics. */
import type { TransferTarget } from '../checkout/create.ts';
import { directDatabaseUrl, transferNumbersIn } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { type Database, openDatabase } from '../db/pool.ts';
import { withTimings } from '../db/timed.ts';
import type { Log } from '../lib/observability/log.ts';
import { createMetrics, type Metrics } from '../lib/observability/metrics.ts';
import { checkRedis } from '../lib/redis/check.ts';
import { connectRedis, type RedisConnection } from '../lib/redis/connect.ts';
import { createVault, type Vault } from '../lib/vault/vault.ts';
import { type Engine, startEngine } from '../local/standalone/engine.ts';
import { reachableAddress } from '../local/standalone/reachable-address.ts';
import { type PrivateServers, startServers } from '../local/standalone/servers/index.ts';
import type { CallProgress, Progress } from '../notifications/progress/ports.ts';
import { openProgress } from '../notifications/progress/progress.ts';
import { requireUsablePooler } from './connection-pooler.ts';
import { encryptionKeysOf, reportMissingKeys } from './encryption-keys.ts';
import { CLOSE_LIMIT_MS, type Lifecycle } from './lifecycle.ts';
import { migrateDatabase } from './migrate.ts';
import { NoAnswer, type Server, waitForServer } from './wait-for-server.ts';

export interface Infrastructure {
  config: Config;
  log: Log;
  lifecycle: Lifecycle;
  /** Null if both servers are external. */
  servers: PrivateServers | null;
  /** PostgreSQL itself, for connections that stay the same; {@link database} can be behind a pooler. */
  databaseUrl: string;
  database: Database;
  redisUrl: string;
  redis: RedisConnection;
  /** Publishes a session's progress to the other processes. */
  progress: Progress & CallProgress;
  /** The configured keys, or the key stored beside a private PostgreSQL: at least one. */
  encryptionKeys: readonly Buffer[];
  vault: Vault;
  /** Null for external engines, and without the role `phone`. */
  engine: Engine | null;
  transfer: TransferTarget;
  metrics: Metrics;
}

const SERVERS_STOP_LIMIT_MS = 25_000;
const REDIS_WAIT_MS = 10_000;
const REDIS_COMMAND_LIMIT_MS = 2_000;

/** Starts everything, and registers each part with the lifecycle. @throws CannotStart */
export async function startInfrastructure(config: Config, log: Log, lifecycle: Lifecycle): Promise<Infrastructure> {
  const servers = await startPrivateServers(config, log, lifecycle);
  const url = config.DATABASE_URL ?? servers?.postgres?.url ?? '';
  const databaseUrl = directDatabaseUrl(config) ?? url;
  const metrics = createMetrics({ process: true });
  await prepareDatabase(config, url, servers, log);
  const database = withTimings(connectDatabase(config, url, log, lifecycle), metrics.statement);
  const redisUrl = config.REDIS_URL ?? servers?.redis?.url ?? '';
  const redis = await openRedis(redisUrl, log, lifecycle);
  const progress = openProgress({ redisUrl, log });
  lifecycle.add('progress', CLOSE_LIMIT_MS, async () => progress.close());
  const encryptionKeys = encryptionKeysOf(config);
  const vault = createVault(encryptionKeys);
  await reportMissingKeys(database, vault, log);
  const engine = await startBuiltinEngine(config, log, lifecycle);
  const transfer = transferTargetOf(config, engine);
  return {
    config,
    log,
    lifecycle,
    servers,
    databaseUrl,
    database,
    redisUrl,
    redis,
    progress,
    encryptionKeys,
    vault,
    engine,
    transfer,
    metrics,
  };
}

async function startPrivateServers(config: Config, log: Log, lifecycle: Lifecycle): Promise<PrivateServers | null> {
  if (config.DATABASE_URL !== undefined && config.REDIS_URL !== undefined) return null;
  const servers = await startServers({
    home: config.RINGKEY_HOME,
    postgresPort: config.DATABASE_URL === undefined ? config.RINGKEY_POSTGRES_PORT : null,
    redisPort: config.REDIS_URL === undefined ? config.RINGKEY_REDIS_PORT : null,
    durable: true,
    redisDatabases: 1,
    onLeftBehind: (server) => log.warn(server, 'stopped a private server that a killed Ringkey had left on its port'),
  });
  let stopping = false;
  lifecycle.add('private servers', SERVERS_STOP_LIMIT_MS, () => {
    stopping = true;
    return servers.stop();
  });
  for (const [server, running] of Object.entries({ PostgreSQL: servers.postgres, Redis: servers.redis })) {
    void running?.exited.then((exit) => {
      if (!stopping) log.error({ server, ...exit }, 'private server died: restart Ringkey to start it again');
    });
  }
  return servers;
}

/** Waits for PostgreSQL and, if there is one, its pooler, and updates the schema. */
async function prepareDatabase(config: Config, url: string, servers: PrivateServers | null, log: Log): Promise<void> {
  const server = { name: 'PostgreSQL', setting: 'DATABASE_URL', url };
  const direct = directServerOf(config);
  const dataFolder = servers?.postgres ? servers.place.directory : null;
  await waitForServer(direct ?? server, log, () =>
    migrateDatabase((direct ?? server).url, dataFolder, (message) => log.debug({ message }, 'migration')),
  );
  if (direct) await waitForServer(server, log, () => requireUsablePooler(url, direct.url, log));
}

function directServerOf({ RINGKEY_DATABASE_DIRECT_URL: url }: Config): Server | null {
  return url === undefined ? null : { name: 'PostgreSQL', setting: 'RINGKEY_DATABASE_DIRECT_URL', url };
}

function connectDatabase(config: Config, url: string, log: Log, lifecycle: Lifecycle): Database {
  let closing = false;
  const database = openDatabase({
    url,
    isPooled: config.RINGKEY_DATABASE_DIRECT_URL !== undefined,
    maxConnections: config.RINGKEY_DATABASE_CONNECTIONS,
    onIdleError: (error) => {
      // A private server may be gone before the last connections are closed.
      if (!closing) log.warn({ err: error }, 'database connection lost');
    },
  });
  lifecycle.add('database', CLOSE_LIMIT_MS, () => {
    closing = true;
    return database.close();
  });
  return database;
}

/** Waits a while for Redis, then starts without it: slower, but nothing is lost. */
async function openRedis(url: string, log: Log, lifecycle: Lifecycle): Promise<RedisConnection> {
  const server = { name: 'Redis', setting: 'REDIS_URL', url };
  await waitForServer(server, log, () => checkRedis(url), REDIS_WAIT_MS).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    log.error({ err: error }, 'started without redis: rate limits do not count, and webhooks may be late');
  });
  const redis = connectRedis(url, { maxRetriesPerRequest: 1, commandTimeout: REDIS_COMMAND_LIMIT_MS });
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway) log.warn({ err: error }, 'redis connection lost');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('redis connection is back');
    isAway = false;
  });
  lifecycle.add('redis', CLOSE_LIMIT_MS, async () => redis.disconnect());
  return redis;
}

async function startBuiltinEngine(config: Config, log: Log, lifecycle: Lifecycle): Promise<Engine | null> {
  if (config.RINGKEY_ENGINE !== 'builtin' || !config.RINGKEY_ROLES.includes('phone')) return null;
  const engine = await startEngine(config, log);
  lifecycle.add('softswitch', CLOSE_LIMIT_MS, () => engine.stop());
  return engine;
}

function transferTargetOf(config: Config, engine: Engine | null): TransferTarget {
  const port = engine?.ports.sipPort ?? config.RINGKEY_SIP_PORT;
  const listening = `${reachableAddress(config.RINGKEY_SIP_HOST)}${port === 5060 ? '' : `:${port}`}`;
  const scheme = config.RINGKEY_SIP_SCHEME;
  return { scheme, domain: config.RINGKEY_SIP_DOMAIN ?? listening, numbers: transferNumbersIn(config) };
}

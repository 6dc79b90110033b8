/** The whole service on one machine: engines, PostgreSQL with PgBouncer, Redis Sentinel, and eight Ringkey processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/config/config.ts';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { startServers } from '../../../src/local/standalone/servers/index.ts';
import { ENCRYPTION_KEY } from '../../chaos/webhook-receiver.ts';
import { type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { type RedisGroup, startSentinels } from '../../support/redis-groups.ts';
import { freePort } from '../call/stage.ts';
import { type Engines, enginesOf } from './engines.ts';
import { Part } from './part.ts';

const LOOPBACK = '127.0.0.1';
/** The repository, seen from dist/bench/test/bench/scale. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The name and role of each Ringkey process. */
const PROCESSES = [
  ['api-1', 'api'],
  ['api-2', 'api'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
  ['phone-1', 'phone'],
  ['phone-2', 'phone'],
  ['phone-3', 'phone'],
  ['phone-4', 'phone'],
] as const;

interface Pooler {
  /** The port of the one that runs now. */
  readonly port: number;
  restart(): Promise<void>;
}

export interface ScaleStage {
  folder: string;
  speechFolder: string;
  engines: Engines;
  phones: readonly Part[];
  apis: readonly Part[];
  workers: readonly Part[];
  /** Base URLs of the api processes. */
  baseUrls: readonly string[];
  redis: RedisGroup;
  /** Null if RINGKEY_TEST_PGBOUNCER names no PgBouncer. */
  pooler: Pooler | null;
  /** PostgreSQL itself. */
  database: Database;
  postgresPort: number;
  /** Runs a command of `ringkey`. @throws if it fails */
  ringkey(...words: string[]): Promise<void>;
  close(keepsFolder: boolean): Promise<void>;
}

/** Everything below Ringkey. */
interface Servers {
  engines: Engines;
  redis: RedisGroup;
  pooler: Pooler | null;
  postgresPort: number;
  directUrl: string;
  /** Through PgBouncer, if there is one. */
  databaseUrl: string;
  close(): Promise<void>;
}

/** @throws if a part does not start; all others are then ended */
export async function setStage(): Promise<ScaleStage> {
  // Each process of the bench has one, which ends it with the bench.
  process.setMaxListeners(PROCESSES.length + 20);
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-scale-'));
  // PostgreSQL does not run as root, and its user must be able to enter the folder.
  await chmod(folder, 0o711);
  const speechFolder = join(folder, 'speech');
  await mkdir(speechFolder);
  const servers = await startAllServers(folder);
  const { directUrl, close: closeServers, ...below } = servers;
  const settings = settingsOf(servers, speechFolder);
  const processes = await Promise.all(PROCESSES.map(([name, role]) => ringkeyProcess(name, role, folder, settings)));
  const partsNamed = (name: string) => processes.map(({ part }) => part).filter((part) => part.name.startsWith(name));
  const database = openDatabase({ url: directUrl, maxConnections: 4, onIdleError: () => undefined });
  const stage: ScaleStage = {
    ...below,
    folder,
    speechFolder,
    phones: partsNamed('phone'),
    apis: partsNamed('api'),
    workers: partsNamed('worker'),
    baseUrls: processes.filter(({ part }) => part.name.startsWith('api')).map(({ url }) => url),
    database,
    ringkey: (...words) => runRingkey(words, { ...settings, RINGKEY_HOME: join(folder, 'command') }),
    async close(keepsFolder) {
      await Promise.all(processes.map(({ part }) => part.end('SIGKILL')));
      await database.close();
      await closeServers();
      if (!keepsFolder) await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    // One after the other: a start takes a second of CPU time, and the first creates the schema.
    for (const { part } of processes) await part.start();
    return stage;
  } catch (error) {
    await stage.close(true);
    throw error;
  }
}

async function startAllServers(folder: string): Promise<Servers> {
  const engines = await enginesOf(readConfig(), folder);
  const postgres = { postgresPort: 0, redisPort: null, durable: true, redisDatabases: 1 };
  const servers = await startServers({ home: folder, ...postgres });
  const redis = await startSentinels();
  const directUrl = servers.postgres?.url ?? '';
  const bouncers: PgBouncer[] = [];
  const pooler = await openPooler(bouncers, servers.place, directUrl);
  return {
    engines,
    redis,
    pooler,
    postgresPort: servers.postgres?.port ?? 0,
    directUrl,
    databaseUrl: bouncers[0]?.through(directUrl) ?? directUrl,
    async close() {
      await Promise.all([...engines.sip, ...engines.media].map(({ part }) => part?.end('SIGKILL')));
      await Promise.all([...bouncers.map((bouncer) => bouncer.stop()), redis.close()]);
      await servers.stop();
    },
  };
}

function settingsOf({ engines, pooler, redis, databaseUrl, directUrl }: Servers, speechFolder: string) {
  return {
    ...engines.settings,
    RINGKEY_ENGINE: 'external',
    RINGKEY_DEMO: 'on',
    RINGKEY_LOG_LEVEL: 'info',
    RINGKEY_ENCRYPTION_KEYS: ENCRYPTION_KEY,
    RINGKEY_MEDIA_DIR: speechFolder,
    RINGKEY_SIP_DOMAIN: `${LOOPBACK}:${engines.sipPorts[0]}`,
    RINGKEY_DATABASE_CONNECTIONS: '8',
    RINGKEY_SHUTDOWN_DELAY_SECONDS: '1',
    RINGKEY_MAX_LOAD: '100',
    DATABASE_URL: databaseUrl,
    ...(pooler !== null && { RINGKEY_DATABASE_DIRECT_URL: directUrl }),
    REDIS_URL: redis.url,
  };
}

async function openPooler(
  bouncers: PgBouncer[],
  place: Parameters<typeof startPgBouncer>[0]['place'],
  postgresUrl: string,
): Promise<Pooler | null> {
  const program = process.env.RINGKEY_TEST_PGBOUNCER;
  if (program === undefined) {
    console.error('without PgBouncer: RINGKEY_TEST_PGBOUNCER does not name it');
    return null;
  }
  const settings = { default_pool_size: 20, query_wait_timeout: 10 };
  const { port } = await add(0);
  async function add(wanted: number): Promise<PgBouncer> {
    const bouncer = await startPgBouncer({ program: program ?? '', place, postgresUrl, port: wanted, settings });
    bouncers.push(bouncer);
    return bouncer;
  }
  return { port, restart: () => add(port).then(() => undefined) };
}

async function ringkeyProcess(
  name: string,
  role: string,
  folder: string,
  settings: Record<string, string>,
): Promise<{ part: Part; url: string }> {
  const port = await freePort();
  const url = `http://${LOOPBACK}:${port}`;
  const env = {
    PATH: process.env.PATH,
    ...settings,
    RINGKEY_ROLES: role,
    RINGKEY_INSTANCE: name,
    RINGKEY_HOME: join(folder, name),
    RINGKEY_HTTP_PORT: String(port),
  };
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  const args = [join(ROOT, 'dist/main.js'), 'start'];
  return { part: new Part({ name, args, env, logFile: join(folder, `${name}.log`), isReady }), url };
}

async function runRingkey(words: readonly string[], settings: Record<string, string>): Promise<void> {
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js'), ...words], { env, stdio: 'pipe' });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ringkey ${words.join(' ')} ended with ${code}: ${output.join('')}`);
}

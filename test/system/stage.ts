/**
 * The service as in production: two processes of each role, whose REST is behind a load balancer, with the built-in
 * engine as a process of its own, on PostgreSQL and Redis of the test run.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { type Engine, startEngine } from '../../src/local/standalone/engine.ts';
import { build } from '../../src/local/standalone/setup/build.mjs';
import { Part } from '../bench/scale/part.ts';
import { ENCRYPTION_KEY } from '../chaos/webhook-receiver.ts';
import { createTestDatabase, requestServerUrl, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/ports.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';
import { startBalancer } from './balancer.ts';

const LOOPBACK = '127.0.0.1';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROLES = ['api', 'worker', 'phone'] as const;

export interface SystemStage {
  /** Of the load balancer. */
  baseUrl: string;
  parts: readonly Part[];
  /** Everything that the processes write to disk, their logs included. */
  folder: string;
  /** Rendered prompts. */
  speechFolder: string;
  testDatabase: TestDatabase;
  testRedis: TestRedis;
  /** @param keepsFolder for a person to read the logs */
  close(keepsFolder: boolean): Promise<void>;
}

export async function startStage(): Promise<SystemStage> {
  build();
  const [testDatabase, testRedis] = [await createTestDatabase(), await createTestRedis()];
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-system-'));
  await chmod(folder, 0o711);
  const config = readConfig({ RINGKEY_SIP_PORT: String(await freePort()), RINGKEY_HOME: folder });
  const entry = join(ROOT, 'dist/local/softswitch/main.js');
  const engine = await startEngine(config, pino({ level: 'silent' }), entry);
  const speechFolder = await requestServerUrl('/speech');
  const settings = { ...settingsOf(engine, speechFolder), ...testDatabase.settings, REDIS_URL: testRedis.url };
  const processes = await Promise.all(
    ROLES.flatMap((role) => [1, 2].map((number) => partOf(role, `${role}-${number}`, folder, settings))),
  );
  const balancer = await startBalancer(processes.filter(({ role }) => role === 'api').map(({ port }) => port));
  const parts = processes.map(({ part }) => part);
  const stage: SystemStage = {
    baseUrl: balancer.url,
    parts,
    folder,
    speechFolder,
    testDatabase,
    testRedis,
    async close(keepsFolder) {
      await Promise.all(parts.map((part) => part.end('SIGKILL')));
      await Promise.all([balancer.close(), engine.stop()]);
      await Promise.all([testDatabase.close(), testRedis.close()]);
      if (!keepsFolder) await rm(folder, { recursive: true, force: true });
    },
  };
  await Promise.all(parts.map((part) => part.start())).catch((error: unknown) =>
    stage.close(true).then(() => Promise.reject(error)),
  );
  return stage;
}

/** More than the load of one account on a busy day: the limits have their own tests. */
const MANY_TEXTS = '100000';

function settingsOf({ ports, secret }: Engine, speechFolder: string): Record<string, string> {
  return {
    RINGKEY_ENGINE: 'external',
    DRACHTIO_HOSTS: `${LOOPBACK}:${ports.drachtioPort}`,
    DRACHTIO_SECRET: secret,
    FREESWITCH_HOSTS: `${LOOPBACK}:${ports.eslPort}`,
    FREESWITCH_SECRET: secret,
    RINGKEY_SIP_DOMAIN: `${LOOPBACK}:${ports.sipPort}`,
    RINGKEY_DEMO: 'on',
    RINGKEY_LOG_LEVEL: 'debug',
    RINGKEY_ENCRYPTION_KEYS: ENCRYPTION_KEY,
    RINGKEY_MEDIA_DIR: speechFolder,
    RINGKEY_DATABASE_CONNECTIONS: '5',
    RINGKEY_DRAIN_SECONDS: '3',
    RINGKEY_MAX_LOAD: '100',
    RINGKEY_TEXTS_PER_ACCOUNT_HOUR: MANY_TEXTS,
    RINGKEY_TEXTS_PER_ACCOUNT_DAY: MANY_TEXTS,
  };
}

type Role = (typeof ROLES)[number];

async function partOf(role: Role, name: string, folder: string, settings: Record<string, string>) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    ...settings,
    RINGKEY_ROLES: role,
    RINGKEY_INSTANCE: name,
    RINGKEY_HOME: join(folder, name),
    RINGKEY_HTTP_PORT: String(port),
  };
  const isReady = async () => (await fetch(`http://${LOOPBACK}:${port}/readyz`).catch(() => null))?.ok ?? false;
  const args = [join(ROOT, 'dist/main.js'), 'start'];
  return { role, port, part: new Part({ name, args, env, logFile: join(folder, `${name}.log`), isReady }) };
}

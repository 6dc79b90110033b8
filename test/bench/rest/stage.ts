/** Starts the bench's processes: PostgreSQL, Redis, the load generator, the floor and the product. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DATABASE_CONNECTIONS } from '../../../src/config/service-settings.ts';
import { type PrivateServers, startServers } from '../../../src/local/standalone/servers/index.ts';
import { Child } from '../call/child.ts';
import { freePort, until } from '../call/stage.ts';
import type { FloorOptions } from './floor.ts';

const READY_LIMIT_MS = 60_000;
/** The repository, seen from dist/bench/test/bench/rest. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface App {
  child: Child;
  port: number;
}

export interface Stage {
  servers: PrivateServers;
  databaseUrl: string;
  home: string;
  generator: Child;
  apps: Set<Child>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** @param kept a folder that is used and kept, with its database; otherwise a temporary one */
export async function setStage(kept: string | null = null): Promise<Stage> {
  const home = kept ?? (await mkdtemp(join(tmpdir(), 'ringkey-bench-')));
  await mkdir(home, { recursive: true });
  // PostgreSQL does not run as root, and its user must be able to enter the folder.
  await chmod(home, 0o711);
  const servers = await startServers({ home, postgresPort: 0, redisPort: 0, durable: true, redisDatabases: 1 });
  const generator = new Child(own('load.js'), [], {});
  await generator.hear(READY_LIMIT_MS);
  const apps = new Set<Child>();
  const end = async () => {
    await Promise.all([generator, ...apps].map((child) => child.stop()));
    await servers.stop();
    if (kept === null) await rm(home, { recursive: true, force: true });
  };
  let ended: Promise<void> | null = null;
  const close = () => {
    ended ??= end();
    return ended;
  };
  return { servers, home, generator, apps, databaseUrl: servers.postgres?.url ?? '', close };
}

interface ProductOptions {
  profileFolder?: string | null;
  /** Whether callers' numbers are looked up, in the sandbox. Default: false. */
  screens?: boolean;
  /** RINGKEY_ROLES. Default: `api`. */
  roles?: string;
}

/** Starts `ringkey start` with pay links. This process reads its log from a pipe. */
export async function startProduct(
  stage: Stage,
  { profileFolder = null, screens = false, roles = 'api' }: ProductOptions = {},
): Promise<App> {
  const port = await freePort();
  const settings = {
    RINGKEY_HOME: stage.home,
    RINGKEY_DEMO: 'on',
    RINGKEY_INSTANCE: 'bench',
    RINGKEY_ROLES: roles,
    DATABASE_URL: stage.databaseUrl,
    REDIS_URL: stage.servers.redis?.url ?? '',
    RINGKEY_HTTP_PORT: String(port),
    RINGKEY_ENGINE: 'external',
    RINGKEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    RINGKEY_NUMBER_LOOKUP: screens ? 'sandbox' : 'off',
  };
  const nodeOptions = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const env = { ...process.env, ...settings };
  const child = new Child(join(ROOT, 'dist/main.js'), ['start'], { env, nodeOptions });
  stage.apps.add(child);
  await until(READY_LIMIT_MS, async () => {
    if (!child.alive) throw new Error(`the product did not start:\n${child.output}`);
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok ?? false;
  });
  await renderingEnds(port);
  return { child, port };
}

const RENDERED = /^ringkey_speech_rendering_duration_seconds_count\{.*\} (\d+)$/gm;
/** Longer than the rendering of a sentence. */
const NOTHING_RENDERED_MS = 2_000;

/**
 * At its start the product renders the sentences of all calls, with one process per sentence, which would slow down the
 * measurements.
 */
async function renderingEnds(port: number): Promise<void> {
  let [before, now] = [-1, 0];
  while (now > before) {
    await delay(NOTHING_RENDERED_MS);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    before = now;
    now = [...metrics.matchAll(RENDERED)].reduce((sum, [, count]) => sum + Number(count), 0);
  }
}

export async function startFloor(stage: Stage): Promise<App> {
  const port = await freePort();
  const options: FloorOptions = { databaseUrl: stage.databaseUrl, port, poolSize: DATABASE_CONNECTIONS };
  const child = new Child(own('floor.js'), [JSON.stringify(options)], {});
  stage.apps.add(child);
  await child.hear(READY_LIMIT_MS);
  return { child, port };
}

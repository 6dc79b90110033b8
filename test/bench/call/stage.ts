/** The environment of both apps in one run: the engine, the product's servers and the processes of the bench. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/config/config.ts';
import type { SoftswitchOptions, SoftswitchReady } from '../../../src/local/softswitch/options.ts';
import { type PrivateServers, startServers } from '../../../src/local/standalone/servers/index.ts';
import { until } from '../../support/until.ts';
import type { BareAppOptions } from './bare-app.ts';
import { Child } from './child.ts';
import { familyOf, listenerOn } from './machine.ts';

export { until };

const LOOPBACK = '127.0.0.1';
const READY_LIMIT_MS = 60_000;
const SECRET = 'bench';
/** The repository, seen from dist/bench/test/bench/call. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Engine {
  name: string;
  /** Whether the bench started it (the built-in engine). */
  isOurs: boolean;
  sipPort: number;
  drachtio: BareAppOptions['drachtio'];
  freeswitch: BareAppOptions['freeswitch'];
  /** In the built-in engine, both are the same process. */
  pids: { signalling: number | null; media: number | null };
  close(): Promise<void>;
}

export interface Stage {
  engine: Engine;
  servers: PrivateServers;
  databaseUrl: string;
  home: string;
  generator: Child;
  /** Running apps, which end with the stage. */
  apps: Set<Child>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface App {
  name: 'Ringkey' | 'bare app';
  child: Child;
  /** Base URL of its REST service; null for the bare app. */
  baseUrl: string | null;
}

export async function setStage(): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), 'ringkey-bench-'));
  // PostgreSQL does not run as root, and its user must be able to enter the folder.
  await chmod(home, 0o711);
  const engine = await engineOf(readConfig());
  const servers = await startServers({ home, postgresPort: 0, redisPort: 0, durable: true, redisDatabases: 1 });
  const generator = new Child(own('load.js'), [], {});
  await generator.hear(READY_LIMIT_MS);
  const apps = new Set<Child>();
  const end = async () => {
    await Promise.all([generator, ...apps].map((child) => child.stop()));
    await Promise.all([engine.close(), servers.stop()]);
    await rm(home, { recursive: true, force: true });
  };
  let ended: Promise<void> | null = null;
  const close = () => {
    ended ??= end();
    return ended;
  };
  return { engine, servers, home, generator, apps, databaseUrl: servers.postgres?.url ?? '', close };
}

/** The daemons in the settings, or the built-in softswitch: the same for both apps. */
async function engineOf(config: ReturnType<typeof readConfig>): Promise<Engine> {
  if (config.RINGKEY_ENGINE === 'builtin') return builtinEngine();
  const { DRACHTIO_HOST: host, DRACHTIO_PORT: port, FREESWITCH_HOST: address, FREESWITCH_PORT } = config;
  const pids = { signalling: listenerOn(port), media: listenerOn(FREESWITCH_PORT) };
  return {
    name: 'drachtio-server and FreeSWITCH',
    isOurs: false,
    sipPort: config.RINGKEY_SIP_PORT,
    drachtio: { host, port, secret: config.DRACHTIO_SECRET },
    freeswitch: {
      address,
      port: FREESWITCH_PORT,
      secret: config.FREESWITCH_SECRET,
      listenAddress: config.FREESWITCH_LISTEN_ADDRESS,
    },
    pids,
    close: async () => undefined,
  };
}

async function builtinEngine(): Promise<Engine> {
  const child = new Child(join(ROOT, 'dist/local/softswitch/main.js'), [], { env: {} });
  const options: SoftswitchOptions = {
    signalling: {
      sipAddress: LOOPBACK,
      sipPort: 0,
      drachtioAddress: LOOPBACK,
      drachtioPort: 0,
      drachtioSecret: SECRET,
    },
    media: {
      eslAddress: LOOPBACK,
      eslPort: 0,
      eslSecret: SECRET,
      mediaSipPort: 0,
      rtpAddress: LOOPBACK,
      rtpPortMin: 20_000,
      rtpPortMax: 29_999,
    },
  };
  const ports = await child.ask<SoftswitchReady>(options, READY_LIMIT_MS);
  return {
    name: 'built-in',
    isOurs: true,
    sipPort: ports.sipPort,
    drachtio: { host: LOOPBACK, port: ports.drachtioPort, secret: SECRET },
    freeswitch: { address: LOOPBACK, port: ports.eslPort, secret: SECRET, listenAddress: LOOPBACK },
    pids: { signalling: child.pid, media: child.pid },
    close: async () => {
      await child.stop();
    },
  };
}

/** The product as `ringkey start` runs it, all roles in one process, on the stage's engine and servers. */
export async function startProduct(
  stage: Stage,
  profileFolder: string | null,
  changed: Record<string, string> = {},
): Promise<App> {
  const port = await freePort();
  const { drachtio, freeswitch, sipPort } = stage.engine;
  const settings = {
    RINGKEY_HOME: stage.home,
    RINGKEY_DEMO: 'on',
    RINGKEY_INSTANCE: 'bench',
    RINGKEY_DRAIN_SECONDS: '0',
    RINGKEY_MAX_CALLS_PER_ACCOUNT: '10000',
    // Needed to seal pay links.
    RINGKEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: stage.databaseUrl,
    REDIS_URL: stage.servers.redis?.url ?? '',
    RINGKEY_HTTP_PORT: String(port),
    RINGKEY_ENGINE: 'external',
    RINGKEY_SIP_PORT: String(sipPort),
    DRACHTIO_HOST: drachtio.host,
    DRACHTIO_PORT: String(drachtio.port),
    DRACHTIO_SECRET: drachtio.secret,
    FREESWITCH_HOST: freeswitch.address,
    FREESWITCH_PORT: String(freeswitch.port),
    FREESWITCH_SECRET: freeswitch.secret,
    FREESWITCH_LISTEN_ADDRESS: freeswitch.listenAddress,
    ...changed,
  };
  const nodeOptions = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const child = appProcess(stage, join(ROOT, 'dist/main.js'), ['start'], { ...process.env, ...settings }, nodeOptions);
  const baseUrl = `http://${LOOPBACK}:${port}`;
  await until(READY_LIMIT_MS, async () => {
    if (!child.alive) throw new Error(`the product did not start:\n${child.output}`);
    return (await fetch(`${baseUrl}/readyz`).catch(() => null))?.ok ?? false;
  });
  return { name: 'Ringkey', child, baseUrl };
}

export async function startBareApp(stage: Stage, digits: string): Promise<App> {
  const { drachtio, freeswitch } = stage.engine;
  const file = await greetingFile(stage.home);
  const options: BareAppOptions = { drachtio, freeswitch, file, digits, returnTo: 'sip:agent@127.0.0.1:9' };
  const child = appProcess(stage, own('bare-app.js'), [JSON.stringify(options)], process.env, []);
  await child.hear(READY_LIMIT_MS);
  return { name: 'bare app', child, baseUrl: null };
}

function appProcess(
  { apps }: Stage,
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  nodeOptions: string[],
): Child {
  const probe = ['--expose-gc', '--import', own('memory-probe.js')];
  const child = new Child(script, args, { env, nodeOptions: [...probe, ...nodeOptions] });
  apps.add(child);
  return child;
}

/** The product's rendered greeting, which the bare app plays, too. */
async function greetingFile(home: string): Promise<string> {
  const folder = join(home, 'speech');
  const texts = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.txt'));
  for (const name of texts) {
    if (/demo diner/i.test(await readFile(join(folder, name), 'utf8')))
      return join(folder, name.replace(/txt$/, 'wav'));
  }
  throw new Error('the product has rendered no greeting');
}

const withFamily = (pid: number | null) => (pid === null ? [] : familyOf(pid));

/** All processes of the engine. */
export function enginePids({ engine: { pids } }: Stage): number[] {
  return [...new Set([...withFamily(pids.signalling), ...withFamily(pids.media)])];
}

/** The private servers, with the processes that PostgreSQL has for its connections. */
export function serverPids({ servers }: Pick<Stage, 'servers'>): number[] {
  const ports = [servers.postgres?.port, servers.redis?.port];
  return ports.flatMap((port) => (port === undefined ? [] : withFamily(listenerOn(port))));
}

/** The processes of each part. The built-in engine is one process, and counts as media. */
export function pidsByPart(stage: Stage): Record<'signalling' | 'media' | 'postgres' | 'redis', number[]> {
  const { engine, servers } = stage;
  const on = (port: number | undefined) => (port === undefined ? [] : withFamily(listenerOn(port)));
  return {
    signalling: engine.isOurs ? [] : withFamily(engine.pids.signalling),
    media: withFamily(engine.pids.media),
    postgres: on(servers.postgres?.port),
    redis: on(servers.redis?.port),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

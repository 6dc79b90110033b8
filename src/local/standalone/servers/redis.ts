/** A private Redis: the machine's `redis-server` with its own configuration, on loopback only, behind a password. */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { askRedis } from '../../../lib/redis/check.ts';
import { CannotStart } from '../../../lib/start-error.ts';
import { type Daemon, type DaemonSpec, readIfThere, startDaemon } from './daemon.ts';
import { outputOf, type Place, privateFolder } from './place.ts';

interface RedisOptions {
  place: Place;
  /** 0 picks a free port. */
  port: number;
  /** As in {@link DaemonSpec}. */
  onLeftBehind?: DaemonSpec['onLeftBehind'];
  /** If false, stores nothing on disk (tests). */
  durable: boolean;
  /** Numbered databases; one is enough for the app. */
  databases: number;
}

export interface PrivateRedis extends Daemon {
  url: string;
  directory: string;
}

const READY_LIMIT_MS = 60_000;
const CONNECT_LIMIT_MS = 3_000;
const NO_PROGRAM = 'redis-server cannot run: install the Debian package redis-server, or set REDIS_URL.';
const PROGRAM = 'redis-server';

/** Starts the server. @throws CannotStart */
export async function startRedis(options: RedisOptions): Promise<PrivateRedis> {
  const folder = privateFolder(options.place, 'redis');
  if (outputOf(PROGRAM, ['--version'], folder.owner) === null) throw new CannotStart(NO_PROGRAM);
  const password = ensurePassword(join(folder.path, 'password'));
  const urlOf = (port: number) => redisUrl(password, port);
  const daemon = await startDaemon({
    name: 'Redis',
    command: PROGRAM,
    owner: folder.owner,
    folder: folder.path,
    stopSignal: 'SIGTERM',
    port: options.port,
    onLeftBehind: options.onLeftBehind,
    portSetting: 'RINGKEY_REDIS_PORT',
    readyLimitMs: READY_LIMIT_MS,
    configure(port) {
      const file = join(folder.path, 'redis.conf');
      writeFileSync(file, configuration(folder.path, port, password, options), { mode: 0o600 });
      if (folder.owner) chownSync(file, folder.owner.uid, folder.owner.gid);
      return [file];
    },
    isReady: (port) =>
      pingRedis(urlOf(port)).then(
        () => true,
        () => false,
      ),
  });
  return { ...daemon, url: urlOf(daemon.port), directory: folder.path };
}

/** The URL of the private Redis that another process runs at this place. */
export function runningRedisUrl(place: Place, port: number): string {
  return redisUrl(readIfThere(join(place.directory, 'redis', 'password')), port);
}

/** @param password base64url, which needs no escaping in a URL */
const redisUrl = (password: string, port: number) => `redis://:${password}@127.0.0.1:${port}/0`;

function ensurePassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readIfThere(file);
}

function configuration(directory: string, port: number, password: string, options: RedisOptions): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'unixsocket ""',
    'protected-mode yes',
    `requirepass ${password}`,
    `dir "${directory}"`,
    `pidfile "${join(directory, 'pid')}"`,
    `databases ${options.databases}`,
    // Queues must never lose a job to eviction (BullMQ requires this).
    'maxmemory-policy noeviction',
    ...(options.durable ? ['appendonly yes', 'appendfsync everysec', 'save 300 1'] : ['appendonly no', 'save ""']),
    // The process keeps its arguments, by which it is recognized after a crash.
    'set-proc-title no',
    'daemonize no',
    'loglevel warning',
    '',
  ].join('\n');
}

/** @throws the error that explains why it does not respond */
async function pingRedis(url: string): Promise<void> {
  const once = { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_LIMIT_MS };
  await askRedis(new Redis(url, once), (redis) => redis.ping());
}

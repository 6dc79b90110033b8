/**
 * Vitest globalSetup: one private PostgreSQL and one private Redis per run, started on first use. Tests get a database
 * each through `createTestDatabase` (database.ts) and `createTestRedis` (redis.ts), which request it from this process
 * over loopback HTTP.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/pool.ts';
import { startServers, stopLeftovers } from '../../src/local/standalone/servers/index.ts';
import type { Place } from '../../src/local/standalone/servers/place.ts';
import { startPgBouncer } from './pgbouncer.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * `GET <broker>/database` and `GET <broker>/redis` return the URL of a new database, `GET <broker>/pooler` the port
     * of PgBouncer (0: there is none), `GET <broker>/speech` the path of a shared folder, as text.
     */
    testServers: string;
  }
}

const REDIS_DATABASES = 1_000;
const TEMPLATE = 'template_migrated';
const HOME_PREFIX = 'ringkey-test-';

export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return serve((url) => project.provide('testServers', url));
}

async function serve(provide: (url: string) => void): Promise<() => Promise<void>> {
  let starting: Promise<Started> | undefined;
  const broker = createServer((request, response) => {
    starting ??= start();
    // A delayed test process would otherwise send a request on a connection that is already closed.
    response.setHeader('connection', 'close');
    starting
      .then((started) => {
        if (request.url === '/speech') return started.speechFolder;
        if (request.url === '/pooler') return String(started.poolerPort);
        return request.url === '/redis' ? started.nextRedis() : started.nextDatabase();
      })
      .then(
        (url) => response.end(url),
        (error: Error) => response.writeHead(500).end(error.stack),
      );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  provide(`http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    await (await starting?.catch(() => undefined))?.stop();
  };
}

interface Started {
  /**
   * The folder of rendered prompts for all products of this run. Otherwise each would render hundreds of them during
   * calls.
   */
  speechFolder: string;
  /** 0 without PgBouncer. */
  poolerPort: number;
  nextDatabase(): Promise<string>;
  nextRedis(): string;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  await sweepDeadRuns();
  const home = mkdtempSync(join(tmpdir(), `${HOME_PREFIX}${process.pid}-`));
  // The servers run as another user, which must be able to enter this folder.
  chmodSync(home, 0o711);
  const servers = await startServers({
    home,
    postgresPort: 0,
    redisPort: 0,
    durable: false,
    redisDatabases: REDIS_DATABASES,
  });
  const { postgres, redis } = servers;
  if (!postgres || !redis) throw new Error('both servers were asked for');
  // One connection, so that databases requested at the same time are created one after the other.
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 });
  // A pool ends before its sockets are closed, so the server, which stops next, may still end them with an error.
  admin.on('error', () => undefined);
  await admin.query(`create database ${TEMPLATE}`);
  await migrate(urlOf(postgres.url, TEMPLATE), () => undefined);
  const program = process.env.RINGKEY_TEST_PGBOUNCER;
  const pooler = program ? await startPgBouncer({ program, place: servers.place, postgresUrl: postgres.url }) : null;
  let redisNumber = 0;
  return {
    speechFolder: join(home, 'speech'),
    poolerPort: pooler?.port ?? 0,
    async nextDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      // The default, `wal_log`, takes two to three times as much CPU, and writes the whole database to the WAL.
      await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
      return urlOf(postgres.url, name);
    },
    nextRedis() {
      if (redisNumber === REDIS_DATABASES) throw new Error('a test run has more Redis users than databases');
      return urlOf(redis.url, String(redisNumber++));
    },
    async stop() {
      await admin.end();
      await pooler?.stop();
      await servers.stop();
      remove(home, servers.place);
    },
  };
}

function urlOf(url: string, database: string): string {
  return new URL(`/${database}`, url).href;
}

function remove(home: string, place: Place): void {
  for (const folder of [home, place.directory]) rmSync(folder, { recursive: true, force: true });
}

/** Stops the servers and removes the folders that killed runs of the same user left behind. */
async function sweepDeadRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${HOME_PREFIX}(\\d+)-`).exec(name)?.[1]);
    const home = join(tmpdir(), name);
    if (!Number.isInteger(pid) || isAlive(pid) || !isOurs(home)) continue;
    remove(home, await stopLeftovers(home));
  }
}

/** Whether the folder exists and belongs to this user. Another run may have removed it in the meantime. */
function isOurs(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The private servers: ports, passwords, leftovers of a killed run, and that no other process is touched. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { build } from '../setup/build.mjs';
import type { LeftBehind } from './daemon.ts';
import { type PrivateServers, type ServersOptions, startServers, stopLeftovers } from './index.ts';
import { choosePlace } from './place.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

let home: string;
let started: PrivateServers[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ringkey-servers-'));
  await chmod(home, 0o711);
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((servers) => servers.stop()));
  await rm(home, { recursive: true, force: true });
});

async function start(options: Partial<ServersOptions> = {}): Promise<PrivateServers> {
  const servers = await startServers({
    home,
    postgresPort: 0,
    redisPort: 0,
    durable: false,
    redisDatabases: 1,
    ...options,
  });
  started.push(servers);
  return servers;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('data survives a restart', async () => {
  const first = await start();
  await query(first.postgres?.url ?? '', 'create table kept ()');
  await first.stop();
  const second = await start();
  expect(await query(second.postgres?.url ?? '', `select to_regclass('kept') as kept`)).toEqual([{ kept: 'kept' }]);
});

test('both servers listen only on loopback and require the password', async () => {
  const { postgres, redis } = await start();
  const without = (url = '') => Object.assign(new URL(url), { password: 'wrong' }).href;
  await expect(query(without(postgres?.url), 'select 1')).rejects.toMatchObject({ code: '28P01' });
  const withoutPassword = new Redis(redis?.port ?? 0, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
  withoutPassword.on('error', () => undefined);
  await expect(withoutPassword.ping()).rejects.toThrow(/NOAUTH/);
  withoutPassword.disconnect();
  expect(await query(postgres?.url ?? '', 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  const files = await readdir(home, { recursive: true });
  const secrets = files.filter((file) => /(password[^/]*|redis\.conf)$/.test(file));
  expect(secrets).toHaveLength(3);
  for (const file of secrets) expect((await stat(join(home, file))).mode & 0o077, file).toBe(0);
});

test('a second app on the same home is refused, and the first one keeps its servers', async () => {
  const { postgres } = await start();
  await expect(start()).rejects.toThrow(/already runs on .*RINGKEY_HOME/);
  expect(await query(postgres?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the error about a port in use names its setting, and the other server is stopped again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(start({ postgresPort: port })).rejects.toThrow(`Port ${port} is used by`);
  await expect(start({ redisPort: port })).rejects.toThrow('RINGKEY_REDIS_PORT');
  other.close();
  // No server was left running and no claim was left.
  await start({ postgresPort: port });
});

test('the next start ends the servers that a killed run left behind, and uses the same ports', async () => {
  const dead = await leaveBehind();
  const { postgres, redis } = await start({ postgresPort: dead.postgresPort, redisPort: dead.redisPort });
  expect([postgres?.port, redis?.port]).toEqual([dead.postgresPort, dead.redisPort]);
});

test('the error about a port in use names its process, and the data folder if the process is another Ringkey’s server', async () => {
  const other = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(other.stdout, 'data')).map(Number);
  const gone = once(other, 'exit');
  await expect(start({ redisPort: port ?? 0 })).rejects.toThrow(
    new RegExp(`^Port ${port} is used by \\S+ \\(process ${other.pid}\\): stop it, or set RINGKEY_REDIS_PORT`),
  );
  other.kill();
  await gone;
  const { redis } = await start();
  const folder = redis?.directory ?? '';
  await expect(startAtAnotherHome({ redisPort: redis?.port ?? 0 })).rejects.toThrow(
    new RegExp(`is used by redis-server \\(process \\d+\\) of another Ringkey, with its data in ${folder}: stop`),
  );
});

test('servers that a killed Ringkey of another home left on the ports are ended and reported', async () => {
  build();
  const dead = await killedRingkey();
  const ended: LeftBehind[] = [];
  const ports = { postgresPort: dead.postgresPort, redisPort: dead.redisPort };
  const servers = await startAtAnotherHome({ ...ports, onLeftBehind: (server) => ended.push(server) });
  started.push(servers);
  expect([servers.postgres?.port, servers.redis?.port]).toEqual([dead.postgresPort, dead.redisPort]);
  expect(ended.map(({ program, port }) => [program, port]).sort()).toEqual([
    ['postgres', dead.postgresPort],
    ['redis-server', dead.redisPort],
  ]);
  expect(ended.every(({ folder }) => folder.startsWith(home))).toBe(true);
});

test('a PID file with another process’s ID ends no process', async () => {
  const unrelated = spawn('tail', ['-f', '/dev/null']);
  await once(unrelated, 'spawn');
  await mkdir(join(home, 'redis'), { recursive: true });
  await writeFile(join(home, 'redis', 'pid'), `${unrelated.pid}\n`);
  await stopLeftovers(home);
  expect(unrelated.signalCode).toBeNull();
  const gone = once(unrelated, 'exit');
  unrelated.kill();
  expect(await gone).toEqual([null, 'SIGTERM']);
});

const LISTENER = `const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

async function startAtAnotherHome(options: Partial<ServersOptions>): Promise<PrivateServers> {
  const another = join(home, 'another');
  await mkdir(another, { recursive: true });
  await chmod(another, 0o711);
  return start({ home: another, ...options });
}

/** The servers of a separate process that SIGKILL has ended, so that they have no parent. */
async function killedRingkey(): Promise<{ postgresPort: number; redisPort: number }> {
  const options = {
    home,
    postgresPort: await freePort(),
    redisPort: await freePort(),
    durable: false,
    redisDatabases: 1,
  };
  const index = new URL('../../../../dist/local/standalone/servers/index.js', import.meta.url).href;
  const program = `const { startServers } = await import(${JSON.stringify(index)});
    await startServers(${JSON.stringify(options)});
    console.log('started');
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  return options;
}

/** Servers without an app that claims the home, as after SIGKILL of the app. */
async function leaveBehind(): Promise<{ postgresPort: number; redisPort: number }> {
  const place = choosePlace(home);
  const postgres = await startPostgres({ place, port: await freePort(), durable: false });
  const redis = await startRedis({ place, port: await freePort(), durable: false, databases: 1 });
  return { postgresPort: postgres.port, redisPort: redis.port };
}

/** Tests of the test servers. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestRedis, type TestRedis } from './redis.ts';
import setup from './servers.ts';

let first: TestDatabase;
let second: TestDatabase;
let redis: TestRedis;
let otherRedis: TestRedis;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  [redis, otherRedis] = await Promise.all([createTestRedis(), createTestRedis()]);
});

afterAll(() => Promise.all([first, second, redis, otherRedis].map((server) => server.close())));

test('a test database is migrated and not shared', async () => {
  await first.database.query('create table mine ()');
  const tableOf = async (of: TestDatabase) =>
    (await of.database.query(`select to_regclass('mine') as mine, to_regclass('charges') as charges`)).rows[0];
  expect(await tableOf(first)).toEqual({ mine: 'mine', charges: 'charges' });
  expect(await tableOf(second)).toEqual({ mine: null, charges: 'charges' });
});

test('a test Redis has its own keys', async () => {
  await redis.redis.set('key', 'value');
  expect(await redis.redis.get('key')).toBe('value');
  expect(await otherRedis.redis.get('key')).toBeNull();
});

test('the run replaces its own connection if the server ends it', async () => {
  let broker = '';
  const project = { provide: (_name: 'testServers', url: string) => (broker = url) };
  const stop = await setup(project as unknown as TestProject);
  try {
    const url = await requestDatabase(broker);
    await endOtherConnections(url);
    expect(await requestDatabase(broker)).not.toBe(url);
  } finally {
    await stop();
  }
});

async function requestDatabase(broker: string): Promise<string> {
  const response = await fetch(`${broker}/database`);
  expect(response.status).toBe(200);
  return response.text();
}

/** Ends connections as the server does when it stops. Resolves when they are gone. */
async function endOtherConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select pg_terminate_backend(pid, 10000) as "isEnded" from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    expect(rows).toEqual([{ isEnded: true }]);
  } finally {
    await client.end();
  }
}

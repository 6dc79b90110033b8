/** Tests of the test servers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestRedis, type TestRedis } from './redis.ts';

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

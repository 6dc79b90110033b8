import { expect, test } from 'vitest';
import { isTransient } from '../../../src/db/error-kinds.ts';
import { migrate, openDatabase, requirePrimary, requireWritable } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const db = useTestDatabase();

test('a connection that breaks between two statements fails its transaction, and nothing else', async () => {
  const broken = db.database.transaction(async (sql) => {
    const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [mine] = rows;
    await db.database.query('select pg_terminate_backend($1)', [mine?.pid]);
    // Its end is heard here, while no statement is under way.
    await expect
      .poll(async () => (await db.database.query('select from pg_stat_activity where pid = $1', [mine?.pid])).rowCount)
      .toBe(0);
    await sql.query('select 1');
  });
  await expect(broken).rejects.toThrow();
  expect((await db.database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('who waits for a server that says nothing any more hears of it, and the next connection works', async () => {
  const proxy = await startTcpProxy();
  const idleErrors: Error[] = [];
  const database = openDatabase({
    url: proxy.forwardTo(db.url),
    maxConnections: 2,
    silenceLimitMs: 4_000,
    onIdleError: (error) => idleErrors.push(error),
  });
  try {
    // Time passes between its statements, but never all of it without one.
    await database.transaction(async (sql) => {
      for (let at = 0; at < 3; at += 1) await sql.query('select pg_sleep(1.5)');
    });
    await Promise.all([1, 2].map(() => database.query('select pg_sleep(0.01)')));
    const inTransaction = database.transaction(async (sql) => {
      await sql.query('select 1');
      proxy.stall();
      await sql.query('select 2');
    });
    const failed = await Promise.allSettled([inTransaction, database.query('select pg_sleep(0.1)')]);
    expect(failed.map((one) => one.status === 'rejected' && isTransient(one.reason))).toEqual([true, true]);
    proxy.restore();
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(idleErrors).toEqual([]);
  } finally {
    await database.close();
    await proxy.close();
  }
});

test.each([
  ['read', requirePrimary],
  ['write', requireWritable],
])('a database that only reads, or has no schema of ours, fails a check that asks for a %s', async (_, check) => {
  await check(db.database);
  await db.database.transaction(async (sql) => {
    await sql.query('set transaction read only');
    await expect(check(sql)).rejects.toThrow('read-only');
  });
  const empty = await createTestDatabase();
  await empty.database.query('drop schema public cascade');
  await expect(check(empty.database)).rejects.toThrow();
  await empty.close();
});

test('a check that asks for a write leaves no row, and takes a page each time', async () => {
  const pages = async () => {
    const { rows } = await db.database.query<{ pages: number }>(
      `select pg_relation_size('write_checks') / current_setting('block_size')::int as pages`,
    );
    return Number(rows[0]?.pages);
  };
  await db.database.query('vacuum write_checks');
  const before = await pages();
  for (let n = 0; n < 3; n += 1) await requireWritable(db.database);
  expect(await pages()).toBe(before + 3);
  expect((await db.database.query('select from write_checks')).rowCount).toBe(0);
});

test('processes that start at the same moment take turns with the migrations', async () => {
  const empty = await createTestDatabase();
  try {
    await empty.database.query('drop schema public cascade');
    await empty.database.query('create schema public');
    await Promise.all([1, 2, 3].map(() => migrate(empty.url, () => undefined)));
    const { rows } = await empty.database.query('select name from migrations order by id');
    expect(rows).toEqual((await db.database.query('select name from migrations order by id')).rows);
  } finally {
    await empty.close();
  }
});

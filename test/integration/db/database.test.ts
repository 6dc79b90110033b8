import { expect, test } from 'vitest';
import { isTransient } from '../../../src/db/error-kinds.ts';
import { migrate, openDatabase, requirePrimary, requireWritable } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const db = useTestDatabase();

test('fails only the transaction whose connection breaks between two statements', async () => {
  const broken = db.database.transaction(async (sql) => {
    const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [mine] = rows;
    await db.database.query('select pg_terminate_backend($1)', [mine?.pid]);
    // The pool notices the end here, while no statement is running.
    await expect
      .poll(async () => (await db.database.query('select from pg_stat_activity where pid = $1', [mine?.pid])).rowCount)
      .toBe(0);
    await sql.query('select 1');
  });
  await expect(broken).rejects.toThrow();
  expect((await db.database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('fails a query whose server falls silent, and uses a new connection afterwards', async () => {
  const proxy = await startTcpProxy();
  const idleErrors: Error[] = [];
  const database = openDatabase({
    url: proxy.forwardTo(db.url),
    maxConnections: 2,
    silenceLimitMs: 4_000,
    onIdleError: (error) => idleErrors.push(error),
  });
  try {
    // The whole transaction takes longer than the limit, but no single statement does.
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
])('fails the %s check on a read-only database and on one without our schema', async (_, check) => {
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

test('leaves no row behind after a write check, and needs a new page each time', async () => {
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

test('runs migrations once if several processes start at the same time', async () => {
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

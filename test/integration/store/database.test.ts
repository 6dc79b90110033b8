import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

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

test('a statement that is planned on an empty table does not read the full one', async () => {
  await db.database.query('analyze charges');
  const { rows } = await db.database.query(`explain (format json) select from charges where id = 'ch_none'`);
  expect(JSON.stringify(rows)).toContain('charges_pkey');
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

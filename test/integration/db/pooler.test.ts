/**
 * Connection poolers. Tests that need PgBouncer run with `RINGKEY_TEST_PGBOUNCER`, the path of the program, version
 * 1.21 or newer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { keepsStatements, leadToSameDatabase, readUnsetLimits, sharesConnections } from '../../../src/db/pooler.ts';
import { choosePlace } from '../../../src/local/standalone/servers/place.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { startProduct } from '../../support/product.ts';

const program = process.env.RINGKEY_TEST_PGBOUNCER ?? '';
const db = useTestDatabase();
const QUICK = { RINGKEY_ROLES: 'api', RINGKEY_SYNTHESIZER: 'none' };

/** Why the product does not start. */
function failureOf(settings: Record<string, string>): Promise<string> {
  return startProduct({ ...QUICK, ...settings }).then(
    (product) => product.close().then(() => 'it started'),
    (error: Error) => error.message,
  );
}

test('PostgreSQL itself does not look like a pooler, and keeps prepared statements', async () => {
  expect(await sharesConnections(db.directUrl)).toBe(false);
  expect(await keepsStatements(db.directUrl)).toBe(true);
  expect(await readUnsetLimits(db.directUrl)).toEqual(['lock_timeout', 'statement_timeout']);
});

test('a direct URL of another database ends the start with a sentence', async () => {
  const other = await createTestDatabase();
  try {
    expect(await leadToSameDatabase(db.directUrl, db.directUrl)).toBe(true);
    expect(await leadToSameDatabase(other.directUrl, db.directUrl)).toBe(false);
    const failure = await failureOf({ DATABASE_URL: db.url, RINGKEY_DATABASE_DIRECT_URL: other.directUrl });
    expect(failure).toContain('DATABASE_URL and RINGKEY_DATABASE_DIRECT_URL lead to different databases');
    expect(failure).not.toMatch(/\n {4}at /);
  } finally {
    await other.close();
  }
});

test('a pooled database limits its transactions, and leaves no limit on the connection', async () => {
  const options = { url: db.directUrl, isPooled: true, maxConnections: 1, onIdleError: () => undefined };
  const database = openDatabase(options);
  const read = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
                       current_setting('idle_in_transaction_session_timeout') as idle`;
  try {
    const within = await database.transaction(async (sql) => (await sql.query(read)).rows);
    expect(within).toEqual([{ lock: '2s', statement: '10s', idle: '5s' }]);
    expect((await database.query(read)).rows).toEqual([{ lock: '0', statement: '0', idle: '0' }]);
  } finally {
    await database.close();
  }
});

test('a service uses no more connections than RINGKEY_DATABASE_CONNECTIONS', async () => {
  const own = await createTestDatabase();
  const product = await startProduct({
    ...QUICK,
    DATABASE_URL: `${own.directUrl}?application_name=counted`,
    RINGKEY_DATABASE_DIRECT_URL: '',
    RINGKEY_DATABASE_CONNECTIONS: '4',
  });
  const countConnections = async () => {
    const statement = `select from pg_stat_activity where application_name = 'counted'`;
    return (await db.database.query(statement)).rowCount;
  };
  try {
    await own.database.transaction(async (sql) => {
      await sql.query('lock table merchants in access exclusive mode');
      const asking = Array.from({ length: 20 }, () => fetch(`${product.baseUrl}/v1/merchants`));
      await expect.poll(countConnections).toBe(4);
      await Promise.all(asking);
      expect(await countConnections()).toBe(4);
    });
  } finally {
    await product.close();
    await own.close();
  }
});

describe.skipIf(program === '')('PgBouncer', () => {
  let home: string;
  const running: PgBouncer[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'ringkey-pgbouncer-'));
  });
  afterAll(async () => {
    await Promise.all(running.map((pooler) => pooler.stop()));
    await rm(home, { recursive: true, force: true });
  });

  /** @returns the URL through it */
  async function start(settings: Record<string, string | number>): Promise<string> {
    const pooler = await startPgBouncer({ program, place: choosePlace(home), postgresUrl: db.directUrl, settings });
    running.push(pooler);
    return pooler.through(db.directUrl);
  }

  test('in transaction mode shares connections; in session mode it does not', async () => {
    for (const size of [1, 2, 20]) {
      expect(await sharesConnections(await start({ default_pool_size: size }))).toBe(true);
    }
    expect(await sharesConnections(await start({ server_round_robin: 1 }))).toBe(true);
    expect(await sharesConnections(await start({ pool_mode: 'session' }))).toBe(false);
  });

  test('keeps prepared statements only if max_prepared_statements is above 0', async () => {
    expect(await keepsStatements(await start({}))).toBe(true);
    expect(await keepsStatements(await start({ max_prepared_statements: 0 }))).toBe(false);
    expect(await keepsStatements(await start({ max_prepared_statements: 0, server_round_robin: 1 }))).toBe(false);
  });

  test('in transaction mode without a direct URL ends the start with a sentence', async () => {
    const failure = await failureOf({ DATABASE_URL: await start({}), RINGKEY_DATABASE_DIRECT_URL: '' });
    expect(failure).toContain('set RINGKEY_DATABASE_DIRECT_URL to PostgreSQL itself');
    expect(failure).not.toMatch(/\n {4}at /);
  });

  test('in session mode needs no direct URL', async () => {
    const url = await start({ pool_mode: 'session', default_pool_size: 50 });
    const product = await startProduct({ DATABASE_URL: url, RINGKEY_DATABASE_DIRECT_URL: '' });
    try {
      expect((await fetch(`${product.baseUrl}/readyz`)).status).toBe(200);
    } finally {
      await product.close();
    }
  });

  test('that loses prepared statements ends the start with a sentence', async () => {
    const failure = await failureOf({
      DATABASE_URL: await start({ max_prepared_statements: 0 }),
      RINGKEY_DATABASE_DIRECT_URL: db.directUrl,
    });
    expect(failure).toContain('use PgBouncer 1.21 or newer with max_prepared_statements above 0');
    expect(failure).not.toMatch(/\n {4}at /);
  });

  test('with one server connection serves forty clients and their locks', async () => {
    const url = await start({ default_pool_size: 1 });
    const open = () => openDatabase({ url, isPooled: true, maxConnections: 4, onIdleError: () => undefined });
    const databases = Array.from({ length: 10 }, open);
    const count = (database: Database) =>
      database.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock(1)');
        await sql.query({ name: 'count_accounts', text: 'select count(*) from accounts' });
      });
    try {
      await Promise.all(databases.flatMap((database) => [1, 2, 3, 4].map(() => count(database))));
    } finally {
      await Promise.all(databases.map((database) => database.close()));
    }
  });
});

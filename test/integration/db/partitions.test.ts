import { beforeEach, expect, test } from 'vitest';
import { maintainPartitions } from '../../../src/db/partitions.ts';
import { readOne } from '../../../src/db/pool.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();

beforeEach(async () => {
  await db.database.query('truncate charge_signals, request_log');
  for (const table of ['charge_signals', 'request_log']) {
    await db.database.query(`select drop_day_partitions($1, interval '-10 days')`, [table]);
  }
  await maintainPartitions(db.database);
});

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await db.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function tableOf(chargeId: string): Promise<string | undefined> {
  const text = 'select tableoid::regclass::text as name from charge_signals where charge_id = $1';
  return (await db.database.query<{ name: string }>(text, [chargeId])).rows[0]?.name;
}

async function insertSignal(chargeId: string, daysAgo: number): Promise<void> {
  await db.database.query(
    `insert into charge_signals (charge_id, account_id, mode, created_at, card_fingerprint)
     values ($1, 'acct_1', 'test', now() - $2 * interval '1 day', '\\x01')`,
    [chargeId, daysAgo],
  );
}

/** Creates the partition of a day in the past, as a worker did then. */
async function makePartition(table: string, daysAgo: number): Promise<void> {
  await db.database.query(
    `do $$ declare day date := (now() at time zone 'UTC')::date - ${daysAgo}; begin
       execute format('create table %I partition of ${table} for values from (%L) to (%L)',
                      '${table}_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC',
                      (day + 1)::timestamp at time zone 'UTC');
     end $$`,
  );
}

test('workers create the partitions of the next days once, however many run', async () => {
  const before = await partitionsOf('charge_signals');
  expect(before).toHaveLength(5);
  await db.database.query(`drop table ${before[2]}, ${before[3]}`);
  const made = await Promise.all([1, 2, 3].map(() => maintainPartitions(db.database)));
  expect(made.reduce((sum, each) => sum + each.made, 0)).toBe(2);
  expect(await partitionsOf('charge_signals')).toEqual(before);
});

test('a partition is dropped when its youngest row is too old, and others stay', async () => {
  await makePartition('charge_signals', 1);
  await makePartition('charge_signals', 2);
  await insertSignal('ch_young', 1);
  await insertSignal('ch_old', 2);
  expect(await maintainPartitions(db.database)).toEqual({ made: 0, dropped: 1 });
  expect([await tableOf('ch_young'), await tableOf('ch_old')]).toEqual([expect.stringMatching(/_\d{8}$/), undefined]);
});

test('rows are counted when their partition is dropped, or when they are deleted without one', async () => {
  await makePartition('charge_signals', 3);
  await insertSignal('ch_in_partition', 3);
  await insertSignal('ch_beside_it', 3);
  await insertSignal('ch_stray', 40);
  await insertSignal('ch_young', 0);
  await db.database.query('analyze charge_signals');
  const pruned: Record<string, number> = {};
  await maintainPartitions(db.database, 30, (kind, rows) => {
    pruned[kind] = (pruned[kind] ?? 0) + rows;
  });
  expect(pruned).toEqual({ velocitySignals: 3, attemptCounts: 0, webhookAttempts: 0, requests: 0 });
});

test('rows of a day without a partition are stored anyway, and deleted when they are old', async () => {
  await insertSignal('ch_stray', 40);
  await db.database.query(
    `update charge_signals set created_at = (now() at time zone 'UTC')::date::timestamp at time zone 'UTC' - interval '1 ms'`,
  );
  await insertSignal('ch_stray_old', 40);
  expect(await tableOf('ch_stray_old')).toBe('charge_signals_default');
  await maintainPartitions(db.database);
  expect([await tableOf('ch_stray'), await tableOf('ch_stray_old')]).toEqual(['charge_signals_default', undefined]);
});

test('a partition in use is dropped by a later run, and new statements wait for it only briefly', async () => {
  await makePartition('charge_signals', 5);
  await insertSignal('ch_old', 5);
  await db.database.transaction(async (sql) => {
    await sql.query('select from charge_signals limit 1');
    await expect(maintainPartitions(db.database)).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await maintainPartitions(db.database)).toEqual({ made: 0, dropped: 1 });
});

test('the request log is one table for readers, and each version writes its own part of it', async () => {
  const values = (id: string, days: number) =>
    `values ('${id}', 'acct_1', 'test', 'GET', '/v1/account', 200, 1, now() + interval '${days} days')`;
  const columns = '(id, account_id, mode, method, path, status, duration_ms, created_at)';
  await db.database.query(`insert into requests ${columns} ${values('req_before', -1)}`);
  await db.database.query(`insert into request_log ${columns} ${values('req_today', 0)}`);
  await db.database.query(`insert into request_log ${columns} ${values('req_later', 9)}`);
  const { rows } = await db.database.query(
    'select id, tableoid::regclass::text as part from request_log order by created_at',
  );
  expect(rows).toEqual([
    { id: 'req_before', part: 'requests' },
    { id: 'req_today', part: 'requests' },
    { id: 'req_later', part: 'request_log_default' },
  ]);
});

test('days of the request log get a partition once the first one is full, and are dropped with their rows', async () => {
  // Until then the first partition covers the days.
  expect((await maintainPartitions(db.database)).made).toBe(0);
  const { bound } = await readOne<{ bound: string }>(
    db.database,
    `select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'requests'`,
  );
  await db.database.query('alter table request_log detach partition requests');
  expect((await maintainPartitions(db.database)).made).toBe(4);
  await makePartition('request_log', 30);
  await makePartition('request_log', 31);
  expect((await maintainPartitions(db.database)).dropped).toBe(1);
  expect((await maintainPartitions(db.database, 0)).dropped).toBe(1);
  await db.database.query(`select drop_day_partitions('request_log', interval '-10 days')`);
  await db.database.query(`alter table request_log attach partition requests ${bound}`);
});

/** Fills accounts by SQL (seed-tables.ts), rolls up their statistics, and signs users in. */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { startUserSession } from '../../../src/accounts/users/sessions.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { rollUpDays } from '../../../src/db/statistics/roll-up.ts';
import { insertUser, setMerchantLimit } from '../../../src/db/users/users.ts';
import { type AccountId, type MerchantId, newId } from '../../../src/domain/ids.ts';
import { withoutIndexes } from '../seed-table.ts';
import { OTHERS, rowsOf, TABLES } from './seed-tables.ts';

/**
 * Foreign keys and triggers do not run row by row, which would take most of the time; and PostgreSQL makes a checkpoint
 * when it needs to, not for each gigabyte.
 */
const SETTINGS = [
  "alter system set max_wal_size = '8GB'",
  'select pg_reload_conf()',
  "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'",
];
const STATEMENT_LIMIT_MS = 120_000;

/** Seeds only once. @param charges how many; see `rowsOf` for the other tables */
export async function seedAccounts(databaseUrl: string, charges: number): Promise<void> {
  await seedTables(databaseUrl, charges);
  console.error('statistics …');
  await rollUp(databaseUrl);
}

async function seedTables(databaseUrl: string, charges: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if ((await client.query(`select from merchants where id like 'mer_bench%' limit 1`)).rowCount === 1) return;
    for (const statement of [...SETTINGS, OTHERS]) await client.query(statement);
    const rows = rowsOf(charges);
    for (const [table, { rows: kind, insert }] of Object.entries(TABLES)) {
      console.error(`${table}: ${rows[kind].toLocaleString('en')} rows …`);
      await withoutIndexes(client, table, () => client.query(`insert into ${table} ${insert}`, [rows[kind]]));
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function rollUp(url: string): Promise<void> {
  const limits = { statementMs: STATEMENT_LIMIT_MS, idleInTransactionMs: STATEMENT_LIMIT_MS };
  const database = openDatabase({ url, maxConnections: 2, onIdleError: console.error, limits });
  try {
    while ((await rollUpDays(database, new AbortController().signal)).more);
    await database.query('analyze charge_days, charge_quarters, call_days, payment_time_days, statistics_days');
  } finally {
    await database.close();
  }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The ID of row `n` of a table, counted from the newest. */
export const seededId = (prefix: string, n: number) => `${prefix}_${md5(`${prefix}${n}`)}`;

/** @param daysAgo the day it arrived */
export const seededPayout = (merchant: string, daysAgo: number) => `po_${md5(`${merchant}.${daysAgo}`)}`;

/** @param merchant limits the user to it @returns the Cookie header of a signed-in owner, or of a limited user */
export async function signIn(
  databaseUrl: string,
  accountId: AccountId,
  merchant: string | null = null,
): Promise<string> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 1, onIdleError: console.error });
  try {
    const user = {
      id: newId('User'),
      accountId,
      email: `${randomUUID()}@example.com`,
      name: 'Bench',
      role: merchant === null ? 'owner' : 'support',
    };
    await insertUser(database, user as Parameters<typeof insertUser>[1]);
    if (merchant !== null) await setMerchantLimit(database, user.id, [merchant as MerchantId]);
    const { token } = await startUserSession(database, user, 'password', { source: null, requestId: null });
    return `ringkey=${token}`;
  } finally {
    await database.close();
  }
}

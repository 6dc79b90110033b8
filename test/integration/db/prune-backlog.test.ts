/** A backlog of old rows: how many statements it takes, and in what order the kinds of rows take turns. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { createPruner } from '../../../src/db/prune.ts';
import { ALWAYS_PRUNED, REQUESTS, SESSIONS } from '../../../src/db/prune-kinds.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seedMany } from '../../support/seed-many.ts';

const NEVER = new AbortController().signal;
const ROWS = 2_200;
const PAGE = 500;
/** Full pages, and one with the rest. */
const PAGES = Math.ceil((ROWS + 1) / PAGE);
/** After each page, the next kind. */
const NO_TIME = 0;
const KINDS = { ...ALWAYS_PRUNED, ...REQUESTS, ...SESSIONS };
const log = { info: () => undefined, warn: () => undefined };

let db: TestDatabase;
/** The tables of the statements, in order. `checkout_sessions` has two kinds. */
let pages: string[];
beforeEach(async () => {
  db = await createTestDatabase();
  pages = [];
  await seedMany(db.database, ROWS);
  const { database } = db;
  await database.query(`update checkout_sessions set status = 'complete' where status = 'open'`);
  await database.query(`update charges set status = 'failed' where status = 'pending'`);
  await database.query(
    `insert into requests (id, account_id, mode, method, route, path, status, duration_ms, created_at)
     select 'req_' || n, 'acct_many', 'test', 'GET', '/', '/', 200, 1, now() from generate_series(1, $1::integer) n`,
    [ROWS],
  );
  for (const table of ['checkout_sessions', 'texts', 'requests'])
    await database.query(`update ${table} set created_at = created_at - interval '500 days'`);
  await database.query('analyze');
});
afterEach(() => db.close());

/** @param fails whether the statement of this table fails */
function prunerOf(turnMs?: number, fails: (table: string) => boolean = () => false) {
  const query = (text: string, values: unknown[]) => {
    const table = /from (\w+) r\n/.exec(text)?.[1] ?? '';
    pages.push(table);
    return fails(table) ? Promise.reject(new Error('too slow')) : db.database.query(text, values);
  };
  return createPruner({ query } as unknown as Sql, log, { sessionDays: 400 }, turnMs);
}

const pagesOf = (table: string) => pages.filter((one) => one === table).length;

test('a run takes a statement for each page of old rows, and one for each kind without any', async () => {
  const { pruned } = await prunerOf().run(NEVER);
  expect(pruned).toMatchObject({ texts: ROWS, requests: ROWS, clearedSessions: ROWS, sessions: 0 });
  expect([pagesOf('texts'), pagesOf('requests')]).toEqual([PAGES, PAGES]);
  // Sessions with a charge are looked at by two kinds.
  expect(pagesOf('checkout_sessions')).toBe(2 * PAGES);
  const withRows = 4;
  expect(pages).toHaveLength(withRows * PAGES + Object.keys(KINDS).length - withRows);
});

test('each kind gets a page before any kind gets its next one, however long that takes', async () => {
  const { pruned } = await prunerOf(NO_TIME).run(NEVER);
  expect(pruned).toMatchObject({ texts: ROWS, requests: ROWS, clearedSessions: ROWS });
  const tables = Object.values(KINDS).map(({ table }) => table);
  expect(pages.slice(0, tables.length)).toEqual(tables);
  const busy = tables.filter((table) => ['texts', 'requests', 'checkout_sessions'].includes(table));
  expect(pages.slice(tables.length)).toEqual(Array.from({ length: PAGES - 1 }, () => busy).flat());
});

test('a kind that fails delays no other, and is pruned in the next run', async () => {
  const isOfTexts = (table: string) => table === 'texts';
  let isBroken = true;
  const pruner = prunerOf(NO_TIME, (table) => isBroken && isOfTexts(table));
  const first = await pruner.run(NEVER);
  expect(first).toMatchObject({ failed: true, pruned: { texts: 0, requests: ROWS, clearedSessions: ROWS } });
  expect(pagesOf('texts')).toBe(1);
  isBroken = false;
  expect(await pruner.run(NEVER)).toMatchObject({ failed: false, pruned: { texts: ROWS, requests: 0 } });
});

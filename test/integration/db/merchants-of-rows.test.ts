/** Texts, emails and events name the merchant of their session, also those of earlier versions. */
import { beforeAll, expect, test } from 'vitest';
import { limitToMerchants } from '../../../src/db/merchant-limit/limit.ts';
import { migrate } from '../../../src/db/pool.ts';
import type { MerchantId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const MIGRATIONS = ['0118_merchants_of_texts_and_events', '0119_indexes_by_merchant'];
/** More than two batches. */
const OLD_ROWS = 11_000;

/** As an earlier version inserts rows: `$1` is an emails' kind, `$2` and `$3` are the first and the last row. */
const INSERTS = {
  texts: `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments)
    select 'txt_' || $1::text || n, 'acct_1', 'test', 'cs_' || n % 30, $1, '+15550101234', '', 1
      from generate_series($2::integer, $3::integer) n`,
  emails: `insert into emails (id, account_id, mode, session_id, charge_id, kind)
    select 'em_' || $1::text || n, 'acct_1', 'test', 'cs_' || n % 30, 'ch_' || n, $1 from generate_series($2::integer, $3::integer) n`,
  // One in seven is about no session.
  events: `insert into events (id, account_id, mode, type, session_id, facts)
    select 'evt_' || $1::text || n, 'acct_1', 'test', case when n % 7 = 0 then 'attention.opened' else 'dispute.created' end,
           case when n % 7 <> 0 then 'cs_' || n % 30 end, '{}'
      from generate_series($2::integer, $3::integer) n`,
};
const TABLES = Object.keys(INSERTS) as (keyof typeof INSERTS)[];

const db = useTestDatabase();

beforeAll(async () => {
  for (const statement of [
    `insert into accounts (id, name, header_signing_secret) values ('acct_1', 'One', 'x')`,
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     select id, 'acct_1', 'test', id, id, 'USD', 'always' from unnest('{mer_1,mer_2}'::text[]) id`,
    // Every third session has no merchant.
    `insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
                                    expires_at)
     select 'cs_' || n, 'acct_1', 'test', case n % 3 when 1 then 'mer_1' when 2 then 'mer_2' end, 'complete', 'required', 4250,
            'USD', 'request', now()
       from generate_series(0, 29) n`,
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
     select 'ch_' || n, 'cs_' || n % 30, 'acct_1', 'test', 'mer_1', 'failed', 4250, 'USD', 'phone', 'sandbox'
       from generate_series(1, ${OLD_ROWS}) n`,
  ])
    await db.database.query(statement);
});

test('an upgrade names the merchants of old rows, and of those that the earlier version inserts meanwhile', async () => {
  const { database } = db;
  await returnToEarlierSchema();
  for (const table of TABLES) await database.query(INSERTS[table], ['receipt', 1, OLD_ROWS]);
  let isDone = false;
  const upgrade = runMigrations().finally(() => {
    isDone = true;
  });
  let inserted = 0;
  while (!isDone) {
    inserted += 1;
    for (const table of TABLES) await database.query(INSERTS[table], ['not_charged', inserted, inserted]);
  }
  await upgrade;
  expect(inserted).toBeGreaterThan(10);
  await expectMerchantsOfSessions(OLD_ROWS + inserted);
  // As after an interruption.
  await runMigrations();
  await expectMerchantsOfSessions(OLD_ROWS + inserted);
  await migrate(db.url, () => undefined);
  const limited = limitToMerchants(database, ['mer_2'] as unknown as MerchantId[]);
  for (const table of TABLES) {
    const { rows } = await limited.query(`select distinct merchant_id from ${table}`);
    expect([table, rows]).toEqual([table, [{ merchant_id: 'mer_2' }]]);
  }
});

async function returnToEarlierSchema(): Promise<void> {
  await db.database.query('drop schema limited cascade');
  await db.database.query('drop function name_merchant_of_session() cascade');
  for (const table of TABLES) await db.database.query(`alter table ${table} drop column merchant_id`);
}

/** On one connection, in no transaction. */
async function runMigrations(): Promise<void> {
  for (const name of MIGRATIONS) {
    const file = new URL(`../../../src/db/migrations/${name}.js`, import.meta.url);
    const { up } = (await import(file.href)) as { up: (pgm: object) => void };
    const statements: string[] = [];
    up({ noTransaction: () => undefined, sql: (text: string) => statements.push(text) });
    for (const statement of statements) await db.database.query(statement);
  }
}

async function expectMerchantsOfSessions(rows: number): Promise<void> {
  for (const table of TABLES) {
    const { rows: counts } = await db.database.query(
      `select count(*)::integer as rows, count(t.merchant_id) > 0 as "areNamed",
              count(*) filter (where t.merchant_id is distinct from s.merchant_id)::integer as wrong
         from ${table} t left join checkout_sessions s on s.id = t.session_id`,
    );
    expect([table, counts]).toEqual([table, [{ rows, areNamed: true, wrong: 0 }]]);
  }
}

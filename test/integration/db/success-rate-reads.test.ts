/** How many charges the search for low success rates reads of a merchant with many. */
import { beforeAll, expect, test } from 'vitest';
import { sweepAttention } from '../../../src/attention/sweep.ts';
import { SUCCESS_RATE_FINDER } from '../../../src/db/attention/success-rate.ts';
import type { AttentionFacts } from '../../../src/domain/attention.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { readBy } from '../../support/list-reads.ts';

const DAY = 8_000;
/** One in six has failed, in even intervals of the last day. */
const SEED = `
  with sessions as (
    insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at, expires_at)
    select 'cs_' || n, $1, $2, $3, 'required', 1000, 'USD', 'request', now() - n * interval '1 day' / $4, now()
      from generate_series(1, $4::integer) n
    returning id, created_at)
  insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                       decline_code, created_at, settled_at)
  select 'ch_' || id, id, $1, $2, $3, case when is_failed then 'failed' else 'succeeded' end::charge_status, 1000, 'USD', 'phone',
         'sandbox', case when is_failed then 'do_not_honor' end, created_at, created_at
    from (select id, created_at, substring(id from 4)::integer % 6 = 0 as is_failed from sessions) made`;

const db = useTestDatabase();
const merchant = useTestMerchant(db);
beforeAll(async () => {
  const of = [merchant.accountId, merchant.mode, merchant.merchantId];
  await db.database.query(SEED, [...of, DAY]);
  await db.database.query(
    `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
     values ($1, $2, (now() at time zone 'UTC')::date - 2, $3, 'USD', 9200, 800, 0, 0)`,
    of,
  );
  await db.database.query('analyze charges');
});

const rowsRead = async (scope: typeof merchant | null) =>
  (await readBy(db.database, (sql) => SUCCESS_RATE_FINDER.find(sql, scope))).rows;

test('a busy day is not read as a whole, neither for a list that is opened nor by the worker', async () => {
  expect(await rowsRead(merchant)).toBeLessThan(DAY / 2);
  expect(await rowsRead(null)).toBeLessThan(DAY / 2);
});

test('an item of a busy day names a window that was read as a whole', async () => {
  await sweepAttention(db.database, merchant);
  await sweepAttention(db.database, null);
  const { rows } = await db.database.query<{ facts: AttentionFacts }>(
    `select facts from attention_items where kind = 'success_rate_low' and closed_at is null`,
  );
  const hours = rows[0]?.facts.hours ?? 0;
  expect(rows[0]?.facts.of).toBeGreaterThan((DAY / 24) * hours * 0.98);
  expect(rows[0]?.facts.of).toBeLessThan((DAY / 24) * hours * 1.02);
});

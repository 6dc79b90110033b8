/** How many rows the comparison of days reads: sums of days, never the charges of weeks, and nothing again within the hour. */
import { beforeAll, expect, test } from 'vitest';
import { PAYMENT_FINDERS } from '../../../src/db/attention/payments.ts';
import { SUCCESS_RATE_DAYS_FINDER } from '../../../src/db/attention/success-rate-days.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { readBy } from '../../support/list-reads.ts';

const DAYS = 35;
const PER_DAY = 200;
/** The last day of the roll-up. */
const LAST = `((now() - interval '1 hour') at time zone 'UTC')::date - 1`;

const db = useTestDatabase();
const merchant = useTestMerchant(db);
beforeAll(async () => {
  const of = [merchant.accountId, merchant.mode, merchant.merchantId];
  await db.database.query(
    `with days as (select ago, case when ago < 3 then 4 else 12 end as each from generate_series(0, ${DAYS - 1}) ago),
     sessions as (
       insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at, expires_at)
       select 'cs_' || ago || '_' || n, $1, $2, $3, 'required', 1000, 'USD', 'request',
              ((${LAST}) - ago)::timestamp at time zone 'UTC' + n * interval '7 minutes', now()
         from days cross join generate_series(1, ${PER_DAY}) n
       returning id, created_at)
     insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                          decline_code, created_at, settled_at)
     select 'ch_' || ago || '_' || n, sessions.id, $1, $2, $3, (case when n % each = 0 then 'failed' else 'succeeded' end)::charge_status,
            1000, 'USD', 'phone', 'sandbox', case when n % each = 0 then 'do_not_honor' end, created_at, created_at
       from days cross join generate_series(1, ${PER_DAY}) n join sessions on sessions.id = 'cs_' || ago || '_' || n`,
    of,
  );
  await db.database.query(
    `insert into charge_days (account_id, mode, day, merchant_id, currency, decline_code, succeeded, failed, pending, amount_cents)
     select account_id, mode, (created_at at time zone 'UTC')::date, merchant_id, currency, decline_code,
            count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed'), 0, 0
       from charges group by 1, 2, 3, 4, 5, 6`,
  );
  await db.database.query(
    `insert into statistics_days (account_id, mode, day) select distinct account_id, mode, day from charge_days`,
  );
  await db.database.query('analyze charges, charge_days, statistics_days');
});

test.each([null, 'the account'])('reads sums of days and a few failed charges (scope: %s)', async (of) => {
  const scope = of === null ? null : merchant;
  await db.database.query('delete from rate_comparisons');
  // An explained statement that takes what is due leaves nothing to the statement itself.
  const due = await readBy(db.database, async (sql) => {
    const explained: object = {
      ...sql,
      query: async (text: string, values: unknown[]) => {
        const result = await sql.query(text, values);
        if (!text.includes('insert into rate_comparisons')) return result;
        await db.database.query('delete from rate_comparisons');
        return db.database.query(text, values);
      },
    };
    expect(await SUCCESS_RATE_DAYS_FINDER.find(explained as typeof sql, scope)).toMatchObject([
      { kind: 'success_rate_low_for_days', facts: { count: 50, of: PER_DAY, hours: 24 } },
    ]);
  });
  expect(due.scans).toEqual([]);
  expect(due.rows).toBeLessThan(500);
  const again = await readBy(db.database, (sql) => SUCCESS_RATE_DAYS_FINDER.find(sql, scope));
  expect(again.rows).toBeLessThan(20);
});

test('is searched after the hours, whose item comes first', () => {
  const kinds = PAYMENT_FINDERS.map(({ kind }) => kind);
  expect(kinds.indexOf('success_rate_low_for_days')).toBe(kinds.indexOf('success_rate_low') + 1);
});

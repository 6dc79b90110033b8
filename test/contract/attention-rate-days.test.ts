/** Attention items about merchants with few charges, whose declines rise over days. */
import { expect, test } from 'vitest';
import { rollUpDays } from '../../src/db/statistics/roll-up.ts';
import { isUrgent } from '../../src/domain/alerts.ts';
import { useFixture } from '../support/fixtures.ts';
import { listOf } from './listed-declines.ts';
import { startTestApi } from './test-api.ts';
import { createTestAttention } from './test-attention.ts';

const api = useFixture(() => startTestApi());
const { items, newMerchant } = createTestAttention(api);

/** SQL: the end of the last day that the roll-up counts. */
const END = `date_trunc('day', now() - interval '1 hour', 'UTC')`;

/** SQL: so many charges on each day, from so many days ago on. */
const SEED = `
  with sessions as (
    insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at, expires_at)
    select 'cs_' || gen_random_uuid(), $1, 'test', $2, 'required', 1000, 'USD', 'request',
           ${END} - day * interval '1 day' + n * interval '1 day' / ($5::integer + 1), now()
      from generate_series($4::integer, $3::integer) day cross join generate_series(1, $5::integer) n
    returning id, created_at)
  insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                       decline_code, created_at, settled_at)
  select 'ch_' || id, id, $1, 'test', $2, status, 1000, 'USD', 'phone', 'sandbox',
         case when status = 'failed' then 'do_not_honor' end, created_at, created_at + interval '1 second'
    from (select id, created_at, (case when row_number() over (order by created_at desc) % $6::integer = 0 then 'failed'
                                       else 'succeeded' end)::charge_status as status
            from sessions) made`;

async function rollUp(): Promise<void> {
  while ((await rollUpDays(api.database, new AbortController().signal, 40)).more);
}

/** As after an hour. */
const forgetComparison = () => api.database.query('delete from rate_comparisons');

async function smallMerchant() {
  const made = await newMerchant();
  /** Every so many-th of 60 charges a day failed, on these days. */
  const seed = (first: number, last: number, failedEach: number) =>
    api.database.query(SEED, [made.account, made.merchant, first, last, 60, failedEach]);
  return { ...made, seed };
}

/** 5 of 60 charges a day failed, and 12 of 60 in the last three days. */
async function merchantInTrouble(firstDay = 35) {
  const made = await smallMerchant();
  await made.seed(firstDay, 4, 12);
  await made.seed(3, 1, 5);
  return made;
}

const kindsOf = async (headers: Record<string, string>, query = '') =>
  (await items(query, headers)).map(({ kind }) => kind);

test('60 charges a day are enough to notice within three days that declines have doubled', async () => {
  const { merchant, headers } = await merchantInTrouble();
  expect(await items('', headers)).toEqual([]);
  await rollUp();
  const [item, ...others] = await items('', headers);
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    kind: 'success_rate_low_for_days',
    object_id: merchant,
    title: '20% of charges at Bakery failed in 3 days, usually 8.3%',
    detail: expect.stringMatching(
      /\(UTC\): 36 of 180 charges failed\. Most frequent reasons: Do not honor \(36\)\. In the four weeks before \d+ \w+ \d{4} \(UTC\), 8\.3% failed\.$/,
    ),
  });
  expect(isUrgent('success_rate_low_for_days')).toBe(false);
  const { totals, declines, from, until } = await listOf(api, String(item?.dashboard_path), headers);
  expect([until.getTime() - from.getTime(), until.getTime() % 86_400_000]).toEqual([3 * 86_400_000, 0]);
  expect({ totals, declines }).toMatchObject({
    totals: [{ charges: 36 }],
    declines: [{ decline_code: 'do_not_honor', count: 36 }],
  });
  expect(await items('', headers)).toEqual([item]);
});

test('an item about days closes once few charges fail again, and does not open again', async () => {
  const { account, headers } = await merchantInTrouble();
  await rollUp();
  expect(await kindsOf(headers)).toEqual(['success_rate_low_for_days']);
  const recent = `account_id = $1 and created_at >= ${END} - interval '3 days'`;
  await api.database.query(`update charges set status = 'succeeded', decline_code = null where ${recent}`, [account]);
  await rollUp();
  await forgetComparison();
  expect(await kindsOf(headers)).toEqual([]);
  await api.database.query(`update charges set status = 'failed' where ${recent}`, [account]);
  await rollUp();
  await forgetComparison();
  expect(await kindsOf(headers)).toEqual([]);
  expect(await kindsOf(headers, 'status=closed')).toEqual(['success_rate_low_for_days']);
});

test('a merchant has no item about days while it has one about hours, nor afterwards about the same charges', async () => {
  const { merchant, headers } = await merchantInTrouble();
  await rollUp();
  expect(await kindsOf(headers)).toEqual(['success_rate_low_for_days']);
  /** Charges of the first days are made minutes ago instead. */
  const makeAgain = (status: 'failed' | 'succeeded', count: number, minutes: number) =>
    api.database.query(
      `update charges set created_at = now() - $3::integer * interval '1 minute'
        where id in (select id from charges where merchant_id = $1 and status = $2 and created_at < ${END} - interval '8 days'
                      order by created_at limit $4)`,
      [merchant, status, minutes, count],
    );
  await makeAgain('failed', 15, 5);
  expect(await kindsOf(headers)).toEqual(['success_rate_low']);
  await forgetComparison();
  expect(await kindsOf(headers)).toEqual(['success_rate_low']);
  await makeAgain('succeeded', 300, 1);
  await forgetComparison();
  expect(await kindsOf(headers)).toEqual([]);
  expect((await kindsOf(headers, 'status=closed')).sort()).toEqual(['success_rate_low', 'success_rate_low_for_days']);
});

test.each([5, 20])(
  'a merchant whose first charge was %i days ago has no usual rate of four weeks',
  async (firstDay) => {
    const { headers } = await merchantInTrouble(firstDay);
    await rollUp();
    expect(await items('', headers)).toEqual([]);
  },
);

test('failures of a few checkouts that try again and again open no item about days', async () => {
  const { account, headers } = await merchantInTrouble();
  await api.database.query(
    `update charges set session_id = (select min(session_id) from charges other
                                       where other.account_id = $1 and other.status = 'failed'
                                         and hashtext(other.id) % 5 = hashtext(charges.id) % 5)
      where account_id = $1 and status = 'failed' and created_at >= ${END} - interval '7 days'`,
    [account],
  );
  await rollUp();
  expect(await items('', headers)).toEqual([]);
});

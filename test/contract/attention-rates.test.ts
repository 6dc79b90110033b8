/** Attention items about success rates that are too small a change for the hour, or no change at all. */
import { expect, test } from 'vitest';
import { attentionWords } from '../../src/contract/attention-words.ts';
import { SUCCESS_RATE_FINDER } from '../../src/db/attention/success-rate.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { listOf } from './listed-declines.ts';
import { startTestApi } from './test-api.ts';
import { createTestAttention } from './test-attention.ts';

const api = useFixture(() => startTestApi());
const { items, mark, newMerchant } = createTestAttention(api);

/** SQL: charges of a session each. */
const SEED = `
  with sessions as (
    insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at, expires_at)
    select 'cs_' || gen_random_uuid(), $1, 'test', $2, 'required', 1000, 'USD', 'request',
           now() - n * $4::float8 / $3 * interval '1 minute', now()
      from generate_series(1, $3::integer) n
    returning id, created_at)
  insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                       decline_code, created_at, settled_at)
  select 'ch_' || id, id, $1, 'test', $2, status, 1000, 'USD', 'phone', 'sandbox',
         case when status = 'failed' then 'do_not_honor' end, created_at, created_at + interval '1 second'
    from (select id, created_at, (case when row_number() over (order by created_at desc) % $5::integer = 0 then 'failed'
                                       else 'succeeded' end)::charge_status as status
            from sessions) made`;

/** A merchant whose charges succeeded at this rate of 10,000 in the week before. */
async function merchantOfRate(rate: number) {
  const made = await newMerchant();
  await api.database.query(
    `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
     values ($1, 'test', (now() at time zone 'UTC')::date - 2, $2, 'USD', $3::integer, 10000 - $3, 0, 0)`,
    [made.account, made.merchant, rate * 10_000],
  );
  /** From so many minutes ago until now, every so many-th failed. */
  const seed = (count: number, minutes: number, failedEach: number) =>
    api.database.query(SEED, [made.account, made.merchant, count, minutes, failedEach]);
  return { ...made, seed };
}

test('declines that doubled from 8% to 16% are noticed by 360 charges in six hours, and the item closes after they ended', async () => {
  const { merchant, headers, seed } = await merchantOfRate(0.92);
  await seed(360, 359, 6);
  const [item, ...others] = await items('', headers);
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    kind: 'success_rate_low',
    title: '17% of charges at Bakery fail, usually 8%',
    detail: expect.stringContaining('(UTC): 60 of 360 charges failed. Most frequent reasons: Do not honor (60). '),
    dashboard_path: expect.stringMatching(
      new RegExp(`^/charges\\?since=\\S+&counted_as=failed&merchant_id=${merchant}$`),
    ),
  });
  const { totals, from, until } = await listOf(api, String(item?.dashboard_path), headers);
  expect(until.getTime() - from.getTime()).toBe(6 * 3_600_000 + 1_000);
  expect(totals).toMatchObject([{ charges: 60 }]);

  await mark(String(item?.attention_item_id), 'finish', undefined, headers);
  await seed(1, 2, 1);
  expect(await items('', headers)).toEqual([]);
  expect(await items('status=set_aside', headers)).toMatchObject([{ detail: expect.stringContaining('361 charges') }]);
  await seed(300, 9, 1_000);
  expect(await items('status=set_aside', headers)).toEqual([]);
});

test('the count of an item, its reasons and its list are of the same charges, also at the ends of the hour', async () => {
  const { account, merchant, headers } = await merchantOfRate(0.92);
  const scope = { accountId: account, mode: 'test' } as const;
  const item = await api.database.transaction(async (sql) => {
    const { rows } = await sql.query<{ second: Date }>(`select date_trunc('second', now()) as second`);
    const second = (rows[0]?.second ?? expect.unreachable()).getTime();
    const fail = (ms: number, code: 'do_not_honor' | 'insufficient_funds', cents = 1_000) =>
      seedPayment(sql, scope, { merchant, at: new Date(second + ms).toISOString(), status: 'failed', cents, code });
    for (let made = 0; made < 10; made += 1) await fail(-60_000 * made, 'do_not_honor');
    for (const ms of [-3_600_000, -3_599_999, 999]) await fail(ms, 'do_not_honor');
    for (const ms of [-3_601_000, -3_600_001, 1_000, 1_500]) await fail(ms, 'insufficient_funds');
    await fail(-60_000, 'insufficient_funds', 0);
    return (await SUCCESS_RATE_FINDER.find(sql, scope))[0] ?? expect.unreachable();
  });
  expect(item.facts).toMatchObject({ hours: 1, count: 13, of: 13, reasons: [{ code: 'do_not_honor', count: 13 }] });
  const { path } = attentionWords({ ...item, businessName: null });
  expect(await listOf(api, path, headers)).toMatchObject({
    totals: [{ charges: 13 }],
    declines: [{ decline_code: 'do_not_honor', count: 13 }],
  });
});

test('as many declines of a few callers who try again and again are not taken for many declined callers', async () => {
  const { account, headers, seed } = await merchantOfRate(0.92);
  await seed(360, 359, 6);
  await api.database.query(
    `update charges set session_id = (select min(session_id) from charges other where other.account_id = $1 and other.status = 'failed'
                                         and hashtext(other.id) % 10 = hashtext(charges.id) % 10)
      where account_id = $1 and status = 'failed'`,
    [account],
  );
  expect(await items('', headers)).toEqual([]);
});

test('the usual rate opens nothing, however many charges there are', async () => {
  const { headers, seed } = await merchantOfRate(0.92);
  await seed(360, 359, 12);
  expect(await items('', headers)).toEqual([]);
});

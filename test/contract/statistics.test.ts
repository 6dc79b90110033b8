/** `GET /v1/statistics` over known rows: two periods, merchants, modes and accounts. */
import { beforeAll, expect, test } from 'vitest';
import type { StatisticsResource } from '../../src/contract/statistics.ts';
import { rollUpDays } from '../../src/db/statistics/roll-up.ts';
import type { Scope } from '../../src/domain/account.ts';
import { ASKED_FIELDS, askStep, CHARGE_STEP, RETURN_STEP } from '../../src/domain/call.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { newAccount } from '../dashboard/users.ts';
import { useFixture } from '../support/fixtures.ts';
import { type SeededPayment, seedPayment } from '../support/seed-payments.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(startTestApi);

const OURS: Scope = { accountId: DEMO_ACCOUNT, mode: 'test' };
const OTHER = 'mer_statistics_other';
const QUESTIONS = ['answered', askStep('card_number'), askStep('expiry'), askStep('security_code')];
const PAID = { steps: [...QUESTIONS, CHARGE_STEP, 'paid', RETURN_STEP], returnMode: 'refer' } as const;

const PAYMENTS: SeededPayment[] = [
  // The period, 3 to 6 March.
  { merchant: DEMO_DINER, at: '2026-03-03T00:01:00Z', status: 'succeeded', cents: 1_000, ...PAID, seconds: 30 },
  { merchant: DEMO_DINER, at: '2026-03-04T03:00:00Z', status: 'succeeded', cents: 2_500, ...PAID, seconds: 50 },
  { merchant: OTHER, at: '2026-03-04T12:00:00Z', status: 'succeeded', cents: 700, currency: 'EUR' },
  {
    merchant: DEMO_DINER,
    at: '2026-03-04T13:00:00Z',
    status: 'failed',
    code: 'insufficient_funds',
    steps: [...QUESTIONS, askStep('confirmation'), CHARGE_STEP, 'declined insufficient_funds', RETURN_STEP],
  },
  { merchant: OTHER, at: '2026-03-05T23:59:59.999Z', status: 'failed' },
  { merchant: OTHER, at: '2026-03-05T10:00:00Z', status: 'pending' },
  // A card was saved without a payment.
  { merchant: DEMO_DINER, at: '2026-03-05T09:00:00Z', status: 'succeeded', cents: 0, ...PAID, seconds: 10 },
  // Hung up while the expiry date was asked for, and before anything was.
  { merchant: DEMO_DINER, at: '2026-03-05T11:00:00Z', status: null, steps: QUESTIONS.slice(0, 3) },
  { merchant: DEMO_DINER, at: '2026-03-05T12:00:00Z', status: null, steps: ['answered'] },
  // The period before, and outside of both.
  { merchant: DEMO_DINER, at: '2026-03-02T23:59:59.999Z', status: 'succeeded', cents: 300, ...PAID, seconds: 20 },
  { merchant: DEMO_DINER, at: '2026-02-28T00:00:00Z', status: 'failed', code: 'do_not_honor' },
  { merchant: DEMO_DINER, at: '2026-02-27T23:59:59.999Z', status: 'succeeded', cents: 99_000 },
  { merchant: DEMO_DINER, at: '2026-03-06T00:00:00Z', status: 'succeeded', cents: 99_000 },
];

beforeAll(async () => {
  const { database } = api;
  const merchant = `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
    values ($1, $2, $3, $1, 'Other', 'EUR', 'always')`;
  await database.query(merchant, [OTHER, DEMO_ACCOUNT, 'test']);
  for (const payment of PAYMENTS) await seedPayment(database, OURS, payment);
  await database.query(
    `update charges set refunded_cents = case amount_cents when 2500 then 1200 else 100 end
      where account_id = $1 and merchant_id = $2 and amount_cents in (2500, 300)`,
    [DEMO_ACCOUNT, DEMO_DINER],
  );
  const foreign = await newAccount(database);
  await database.query(merchant, ['mer_foreign', foreign, 'test']);
  await database.query(merchant, ['mer_live', DEMO_ACCOUNT, 'live']);
  const at = '2026-03-04T12:00:00Z';
  const paid = { at, status: 'succeeded', cents: 77_000, ...PAID } as const;
  await seedPayment(database, { accountId: foreign, mode: 'test' }, { ...paid, merchant: 'mer_foreign' });
  await seedPayment(database, { accountId: DEMO_ACCOUNT, mode: 'live' }, { ...paid, merchant: 'mer_live' });
});

const PERIOD = 'from=2026-03-03T00:00:00Z&to=2026-03-06T00:00:00Z';

async function statistics(query: string): Promise<StatisticsResource> {
  const { status, text, body } = await api.get(`/v1/statistics?${query}`);
  expect(status, text).toBe(200);
  return body as unknown as StatisticsResource;
}

/** Steps that were reached: how often, and how many went on. */
const funnelOf = ({ period }: StatisticsResource) =>
  Object.fromEntries(
    period.funnel.filter(({ reached }) => reached > 0).map((each) => [each.step, [each.reached, each.went_on]]),
  );

test('counts the period and the one before it, for one account and mode', async () => {
  const { period, period_before } = await statistics(PERIOD);
  expect(period).toMatchObject({
    from: '2026-03-03T00:00:00.000Z',
    to: '2026-03-06T00:00:00.000Z',
    charges_succeeded: 3,
    charges_failed: 2,
    charges_pending: 1,
    success_rate: 0.6,
    median_seconds_to_pay: 40,
    payments: [
      { currency: 'USD', count: 2, amount_cents: 3_500, refunded_cents: 1_200, net_cents: 2_300 },
      { currency: 'EUR', count: 1, amount_cents: 700, refunded_cents: 0, net_cents: 700 },
    ],
  });
  expect(period_before).toMatchObject({
    from: '2026-02-28T00:00:00.000Z',
    to: '2026-03-03T00:00:00.000Z',
    charges_succeeded: 1,
    charges_failed: 1,
    charges_pending: 0,
    success_rate: 0.5,
    median_seconds_to_pay: 20,
    payments: [{ currency: 'USD', count: 1, amount_cents: 300, refunded_cents: 100, net_cents: 200 }],
    declines: [{ decline_code: 'do_not_honor', count: 1 }],
  });
});

test('counts calls per step, and does not count skipped steps as lost calls', async () => {
  expect(funnelOf(await statistics(PERIOD))).toEqual({
    answered: [6, 5],
    card_number: [5, 5],
    expiry: [5, 4],
    security_code: [4, 4],
    confirmation: [1, 1],
    charge: [4, 2],
    returned: [4, 3],
  });
});

test.each([
  ['all merchants', PERIOD, ''],
  ['one merchant', PERIOD, `&merchant_id=${DEMO_DINER}`],
  ['part of a day', 'from=2026-03-04T02:59:00Z&to=2026-03-05T10:59:00.001Z', ''],
])('lists exactly the calls that each step counts, for %s', async (_, period, merchant) => {
  const { funnel } = (await statistics(period + merchant)).period;
  const range = period.replace('from=', 'created_after=').replace('to=', 'created_before=') + merchant;
  expect(funnel.filter(({ reached }) => reached > 0).length).toBeGreaterThan(4);
  for (const { step, reached } of funnel) {
    const { body: list } = await api.get(`/v1/calls?${range}&reached=${step}`);
    const { body: totals } = await api.get(`/v1/calls/totals?${range}&reached=${step}`);
    expect(list.calls, step).toHaveLength(reached);
    expect(totals.totals, step).toMatchObject({ calls: reached });
  }
});

test('counts calls that saved a card without a payment apart from paid calls', async () => {
  const { period } = await statistics(PERIOD);
  expect(period.funnel.filter(({ saved }) => saved > 0)).toEqual([
    { step: 'charge', reached: 4, went_on: 2, saved: 1 },
  ]);
});

test('sums by decline, merchant and day', async () => {
  const { period, merchants, days } = await statistics(PERIOD);
  expect(period.declines).toHaveLength(2);
  expect(period.declines).toContainEqual({ decline_code: 'insufficient_funds', count: 1 });
  expect(period.declines).toContainEqual({ decline_code: null, count: 1 });
  expect(merchants.map((each) => [each.merchant_id, each.charges_succeeded, each.charges_failed])).toEqual([
    [DEMO_DINER, 2, 1],
    [OTHER, 1, 1],
  ]);
  expect(days.map((each) => [each.date, each.charges_succeeded, each.charges_failed])).toEqual([
    ['2026-03-03', 1, 0],
    ['2026-03-04', 2, 1],
    ['2026-03-05', 0, 1],
  ]);
});

test('subtracts refunds by merchant and by day of the charge', async () => {
  const { merchants, days } = await statistics(PERIOD);
  const netOf = ({ payments }: { payments: { net_cents: number }[] }) => payments.map(({ net_cents }) => net_cents);
  expect(merchants.map(netOf)).toEqual([[2_300], [700]]);
  expect(days.map(netOf)).toEqual([[1_000], [700, 1_300], []]);
});

test('compares with the period that begins at compare_from', async () => {
  const { period_before } = await statistics(`${PERIOD}&compare_from=2026-02-27T00:00:00Z`);
  expect(period_before).toMatchObject({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    charges_succeeded: 1,
    charges_failed: 1,
    payments: [{ currency: 'USD', count: 1, amount_cents: 99_000 }],
  });
});

test('starts days in the requested time zone', async () => {
  const { time_zone, days } = await statistics(`${PERIOD}&time_zone=America/New_York`);
  expect(time_zone).toBe('America/New_York');
  expect(days.map((each) => [each.date, each.charges_succeeded, each.charges_failed])).toEqual([
    ['2026-03-02', 1, 0],
    ['2026-03-03', 1, 0],
    ['2026-03-04', 1, 1],
    ['2026-03-05', 0, 1],
  ]);
});

test('subtracts the refund of a bank debit that the bank has returned since, as the totals of charges do', async () => {
  const returned = [
    { at: '2026-04-10T10:00:00Z', cents: 4_000, currency: 'USD' },
    // Its currency has no other charge.
    { at: '2026-04-11T10:00:00Z', cents: 3_000, currency: 'EUR' },
  ] as const;
  const debit = { merchant: DEMO_DINER, status: 'succeeded' } as const;
  for (const each of [...returned, { at: '2026-04-10T11:00:00Z', cents: 5_000, currency: 'USD' }])
    await seedPayment(api.database, OURS, { ...debit, ...each });
  for (const { at } of returned)
    await api.database.query(
      `update charges set payment_method = 'us_bank_account', status = 'failed', decline_code = 'generic_decline',
                          returned_at = now(), refunded_cents = 1000 where created_at = $1`,
      [at],
    );
  const [from, to] = ['2026-04-10T00:00:00Z', '2026-04-12T00:00:00Z'];
  const read = () => statistics(`from=${from}&to=${to}`);
  const usd = { currency: 'USD', count: 1, amount_cents: 5_000, refunded_cents: 1_000, net_cents: 4_000 };
  const eur = { currency: 'EUR', count: 0, amount_cents: 0, refunded_cents: 1_000, net_cents: -1_000 };
  const { period, merchants, days } = await read();
  expect(period.payments).toEqual([usd, eur]);
  expect(merchants.map(({ payments }) => payments)).toEqual([[usd, eur]]);
  expect(days.map(({ payments }) => payments)).toEqual([[usd], [eur]]);
  const { body } = await api.get(`/v1/charges/totals?created_after=${from}&created_before=${to}`);
  expect(body.totals).toMatchObject(
    [usd, eur].map(({ currency, refunded_cents, net_cents }) => ({ currency, refunded_cents, net_cents })),
  );
  await rollUpAll();
  expect((await read()).period.payments).toEqual([usd, eur]);
});

const daysSince = (day: string) => Math.ceil((Date.now() - Date.parse(day)) / 86_400_000);

async function rollUpAll(): Promise<void> {
  const { signal } = new AbortController();
  while ((await rollUpDays(api.database, signal, daysSince('2026-01-01'))).more);
}

test('the daily roll-up changes no figure', async () => {
  const queries = [
    PERIOD,
    `${PERIOD}&merchant_id=${OTHER}`,
    // The first and the last day in part, and a day that is half of this period and half of the one before.
    'from=2026-03-03T06:00:00Z&to=2026-03-05T11:30:00Z',
    `${PERIOD}&time_zone=America/New_York`,
    // Ends within quarters of an hour, in a zone that is 45 minutes off the hour.
    'from=2026-03-03T00:00:30Z&to=2026-03-05T10:59:30Z&time_zone=Asia/Kathmandu',
    `${PERIOD}&compare_from=2026-02-27T12:00:00Z`,
  ];
  const before = await Promise.all(queries.map(statistics));
  await rollUpAll();
  const { rowCount } = await api.database.query(
    `select from statistics_days where account_id = $1 and mode = 'test' and day between '2026-02-27' and '2026-03-06'`,
    [DEMO_ACCOUNT],
  );
  expect(rowCount).toBe(7);
  expect(await Promise.all(queries.map(statistics))).toEqual(before);
});

test('a charge that changes after its day was rolled up counts at once', async () => {
  const at = '2026-03-20T10:00:00Z';
  await seedPayment(api.database, OURS, { merchant: DEMO_DINER, at, status: 'pending', ...PAID, seconds: 30 });
  const day = async () => {
    const { period } = await statistics('from=2026-03-20T00:00:00Z&to=2026-03-21T00:00:00Z');
    return [period.charges_pending, period.charges_succeeded];
  };
  await rollUpAll();
  expect(await day()).toEqual([1, 0]);
  await api.database.query(`update charges set status = 'succeeded', settled_at = now() where created_at = $1`, [at]);
  expect(await day()).toEqual([0, 1]);
  await rollUpAll();
  expect(await day()).toEqual([0, 1]);
  expect((await api.database.query('select from statistics_days where is_stale')).rowCount).toBe(0);
});

test('counts one merchant', async () => {
  const found = await statistics(`${PERIOD}&merchant_id=${OTHER}`);
  expect(found).toMatchObject({
    merchant_id: OTHER,
    period: { charges_succeeded: 1, charges_failed: 1, median_seconds_to_pay: null },
    merchants: [{ merchant_id: OTHER }],
  });
  expect(funnelOf(found)).toEqual({});
});

test('counts the last seven days by default', async () => {
  const { period, period_before, days } = await statistics('');
  const length = ({ from, to }: { from: string; to: string }) => Date.parse(to) - Date.parse(from);
  expect(length(period)).toBe(7 * 86_400_000);
  expect(length(period_before)).toBe(length(period));
  expect(period_before.to).toBe(period.from);
  expect(days).toHaveLength(8);
});

test('returns no success rate without charges', async () => {
  const { period } = await statistics('from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z');
  expect(period).toMatchObject({ success_rate: null, median_seconds_to_pay: null, payments: [], declines: [] });
  expect(period.funnel.map(({ step }) => step)).toEqual(['answered', ...ASKED_FIELDS, 'charge', 'returned']);
});

test.each([
  [
    'back',
    'from=2026-08-01T00:00:00%2B02:00&to=2026-11-01T00:00:00%2B01:00',
    92 * 24 + 1,
    ['2026-08-01', '2026-10-31'],
  ],
  [
    'forward',
    'from=2026-02-01T00:00:00%2B01:00&to=2026-05-04T00:00:00%2B02:00',
    92 * 24 - 1,
    ['2026-02-01', '2026-05-03'],
  ],
])('counts 92 days of a time zone whose clocks are set %s', async (_, times, hours, ends) => {
  const { period, days } = await statistics(`${times}&time_zone=Europe/Berlin`);
  expect(Date.parse(period.to) - Date.parse(period.from)).toBe(hours * 3_600_000);
  expect(days).toHaveLength(92);
  expect([days[0]?.date, days.at(-1)?.date]).toEqual(ends);
});

test.each([
  ['from', 'from=2026-03-06T00:00:00Z&to=2026-03-06T00:00:00Z'],
  ['from', 'from=2026-01-01T00:00:00Z&to=2026-04-04T00:00:00Z'],
  ['from', 'from=yesterday'],
  ['from', 'from=2026-07-31T22:00:00Z&to=2026-10-31T23:00:01Z&time_zone=Europe/Berlin'],
  ['to', 'to=2026-03-06'],
  ['compare_from', `${PERIOD}&compare_from=2026-02-28T00:00:01Z`],
  ['compare_from', `${PERIOD}&compare_from=2025-11-01T00:00:00Z`],
  ['time_zone', 'time_zone=Mars/Base'],
  ['time_zone', "time_zone=UTC'--"],
])('rejects a wrong %s: %s', async (param, query) => {
  const { status, body } = await api.get(`/v1/statistics?${query}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_value', param });
});

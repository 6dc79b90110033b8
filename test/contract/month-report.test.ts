/** `GET /v1/reports/month`: the sums of a merchant's month agree with SQL to the cent, per currency. */
import { beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { MonthReportResource } from '../../src/contract/month-report.ts';
import { readMonthReport } from '../../src/db/reports/month-report.ts';
import type { Scope } from '../../src/domain/account.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { MerchantId } from '../../src/domain/ids.ts';
import { daysOfMonth } from '../../src/domain/month-report.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedOfCharge, seedPayout } from '../support/seed-money.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { bearer, expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

const ZONE = 'America/New_York';
let scope: Scope;
let merchant: MerchantId;
let headers: Record<string, string> = {};

beforeAll(async () => {
  const { database } = api;
  const { accountId, mode, merchantId } = await createTestMerchant(database);
  scope = { accountId, mode };
  merchant = merchantId;
  headers = bearer((await issueKey(database, SYSTEM, { accountId, mode })).text);
  const pay = (at: string, cents: number, more: Partial<Parameters<typeof seedPayment>[2]> = {}) =>
    seedPayment(database, scope, { merchant, at, status: 'succeeded', cents, ...more });
  // The first and the last minute of October in New York, and one minute on each side.
  await pay('2026-10-01T03:59:00.000Z', 1);
  await pay('2026-10-01T04:00:00.000Z', 1_010);
  await pay('2026-11-01T03:59:00.000Z', 2_020);
  await pay('2026-11-01T04:00:00.000Z', 4);
  await pay('2026-10-10T12:00:00.000Z', 3_030, { status: 'failed', code: 'do_not_honor' });
  await pay('2026-10-10T12:00:00.000Z', 3_030, { status: 'pending' });
  await pay('2026-10-10T12:00:00.000Z', 0);
  await pay('2026-10-11T12:00:00.000Z', 5_050, { currency: 'EUR' });
  const ofMerchant = { merchant, at: '2026-10-31T23:00:00.000Z' };
  for (const [cents, status] of [
    [100, 'succeeded'],
    [200, 'pending'],
    [400, 'failed'],
  ] as const)
    await seedOfCharge(database, scope, 'refunds', { ...ofMerchant, cents, status });
  await seedOfCharge(database, scope, 'refunds', {
    merchant,
    at: '2026-11-02T00:00:00Z',
    cents: 8,
    status: 'succeeded',
  });
  await seedOfCharge(database, scope, 'disputes', { ...ofMerchant, cents: 700, status: 'lost' });
  await seedOfCharge(database, scope, 'disputes', { ...ofMerchant, cents: 300, status: 'under_review' });
  await seedPayout(database, scope, { ...ofMerchant, cents: 1_000, status: 'paid', arrival: '2026-10-31' });
  await seedPayout(database, scope, { ...ofMerchant, cents: 2_000, status: 'failed', arrival: '2026-10-31' });
  await seedPayout(database, scope, { ...ofMerchant, cents: 4_000, status: 'paid', arrival: '2026-11-01' });
});

async function report(query: string): Promise<MonthReportResource> {
  const { status, text, body } = await api.get(`/v1/reports/month?${query}`, headers);
  expect(status, text).toBe(200);
  return MonthReportResource.strict().parse(body);
}

test('sums a month in the time zone: payments, refunds made in it, disputes, payouts and fees', async () => {
  const { totals, ...of } = await report(`merchant_id=${merchant}&month=2026-10&time_zone=${ZONE}`);
  expect(of).toMatchObject({
    merchant_id: merchant,
    month: '2026-10',
    time_zone: ZONE,
    from: '2026-10-01T04:00:00.000Z',
    to: '2026-11-01T04:00:00.000Z',
  });
  expect(totals.map(({ days: _days, ...sums }) => sums)).toEqual([
    {
      currency: 'EUR',
      payments: 1,
      gross_cents: 5_050,
      refunds: 0,
      refunded_cents: 0,
      net_cents: 5_050,
      disputes: 0,
      disputed_cents: 0,
      lost_cents: 0,
      payouts: 0,
      shared_payouts: 0,
      paid_out_cents: 0,
      fee_cents: null,
      ways: [{ source: 'phone', payments: 1, gross_cents: 5_050 }],
    },
    {
      currency: 'USD',
      payments: 2,
      gross_cents: 3_030,
      refunds: 2,
      refunded_cents: 300,
      net_cents: 2_730,
      disputes: 2,
      disputed_cents: 1_000,
      lost_cents: 700,
      payouts: 1,
      shared_payouts: 0,
      paid_out_cents: 1_000,
      fee_cents: 100,
      ways: [{ source: 'phone', payments: 2, gross_cents: 3_030 }],
    },
  ]);
  const usd = totals[1]?.days ?? [];
  expect(usd).toHaveLength(31);
  expect(usd[0]).toMatchObject({ date: '2026-10-01', payments: 1, gross_cents: 1_010, net_cents: 1_010 });
  expect(usd[30]).toMatchObject({ date: '2026-10-31', payments: 1, gross_cents: 2_020, refunds: 2, net_cents: 1_720 });
  expect(usd.slice(1, 30).every(({ payments, refunds }) => payments + refunds === 0)).toBe(true);
});

test('says how many payouts other merchants with the same account at the processor have, too', async () => {
  const { body } = await api.post('/v1/merchants', { business_name: 'Corner Shop' }, headers);
  const second = body.merchant_id as MerchantId;
  const payout = { at: '2026-09-10T12:00:00.000Z', status: 'paid', arrival: '2026-09-10' };
  for (const shop of [merchant, second])
    await seedPayout(api.database, scope, { ...payout, merchant: shop, cents: 5_000, reference: 'shared_payout' });
  await seedPayout(api.database, scope, { ...payout, merchant, cents: 300 });
  const ofSeptember = async (shop: string) =>
    (await report(`merchant_id=${shop}&month=2026-09&time_zone=UTC`)).totals.map(
      ({ payouts, shared_payouts, paid_out_cents }) => [payouts, shared_payouts, paid_out_cents],
    );
  expect(await ofSeptember(merchant)).toEqual([[2, 1, 5_300]]);
  expect(await ofSeptember(second)).toEqual([[1, 1, 5_000]]);
});

test('agrees with SQL for each day of the month', async () => {
  const { totals } = await report(`merchant_id=${merchant}&month=2026-10&time_zone=${ZONE}`);
  const { rows } = await api.database.query(
    `select currency, day::text as date, sum(gross)::integer as gross_cents, sum(back)::integer as refunded_cents
       from (select currency, (created_at at time zone $2)::date as day, amount_cents as gross, 0 as back
               from charges where merchant_id = $1 and status = 'succeeded'
             union all
             select currency, (created_at at time zone $2)::date, 0, amount_cents
               from refunds where merchant_id = $1 and status <> 'failed') money
      where to_char(day, 'YYYY-MM') = '2026-10' group by 1, 2 having sum(gross) + sum(back) > 0 order by 1, 2`,
    [merchant, ZONE],
  );
  const shown = totals.flatMap(({ currency, days }) =>
    days
      .filter(({ gross_cents, refunded_cents }) => gross_cents + refunded_cents > 0)
      .map(({ date, gross_cents, refunded_cents }) => ({ currency, date, gross_cents, refunded_cents })),
  );
  expect(shown).toEqual(rows);
  expect(rows).toHaveLength(3);
});

test('uses the merchant’s time zone and the month before the present one by default', async () => {
  await api.database.query('update merchants set time_zone = $2 where id = $1', [merchant, 'Asia/Tokyo']);
  const { time_zone: zone, month, from } = await report(`merchant_id=${merchant}`);
  expect(zone).toBe('Asia/Tokyo');
  expect(from).toMatch(/T15:00:00\.000Z$/);
  expect(month < new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 7)).toBe(true);
  await api.database.query(`update merchants set time_zone = 'UTC' where id = $1`, [merchant]);
});

test.each([
  ['merchant_id=mer_none', 'merchant_not_found', 'merchant_id'],
  ['month=2026-13', 'invalid_value', 'month'],
  ['month=2099-01', 'invalid_value', 'month'],
  ['time_zone=Mars', 'invalid_value', 'time_zone'],
] as const)('rejects the query %s', async (query, code, param) => {
  const all = query.includes('merchant_id') ? query : `merchant_id=${merchant}&${query}`;
  expectError(await api.get(`/v1/reports/month?${all}`, headers), code, param);
});

test('says so if counting takes too long', async () => {
  const transaction = () => Promise.reject(Object.assign(new Error('canceled'), { code: '57014' }));
  const days = daysOfMonth('2026-10', 'UTC', new Date());
  if (days === null) throw new Error('the month should exist');
  expect(await readMonthReport({ transaction }, { scope, merchantId: merchant, days })).toBe('too_long');
});

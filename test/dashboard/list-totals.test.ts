/** The days and totals of all lists but charges, and a caller's totals. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../src/domain/account.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedOfCharge, seedPayout } from '../support/seed-money.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { until } from '../support/until.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

let scope: Scope;
let merchant = '';
beforeAll(async () => {
  const { database } = dashboard.api;
  const created = await createTestMerchant(database);
  scope = { accountId: created.accountId, mode: created.mode };
  merchant = created.merchantId;
  await seedPayment(database, scope, { merchant, at: '2026-10-01T12:00:00Z', status: 'succeeded', cents: 90_000 });
  // The first and the last minute of November in New York, and one minute on each side.
  for (const [at, cents] of [
    ['2026-11-01T03:59:00.000Z', 1],
    ['2026-11-01T04:00:00.000Z', 1_000],
    ['2026-12-01T04:59:00.000Z', 2_000],
    ['2026-12-01T05:00:00.000Z', 4],
  ] as const)
    await seedOfCharge(database, scope, 'refunds', { merchant, at, cents, status: 'succeeded' });
  await seedOfCharge(database, scope, 'disputes', { merchant, at: '2026-11-09T12:00:00Z', cents: 500, status: 'lost' });
  const payout = { merchant, at: '2026-11-20T12:00:00Z', cents: 10_000, status: 'paid', arrival: '2026-11-23' };
  await seedPayout(database, scope, payout);
});
beforeEach(() => dashboard.as('viewer', scope.accountId));

const DAYS = '?from=2026-11-01&to=2026-11-30&zone=America%2FNew_York';

/** On a busy machine, the database can take too long for totals at first. */
const showsTotals = (path: string, totals: RegExp) =>
  until(120_000, async () => readable((await dashboard.get(`/test${path}`)).html).search(totals) >= 0);

test('lists, sums and exports the refunds of the days in the URL, in its time zone', async () => {
  await showsTotals(`/refunds${DAYS}`, /2 refunds in USD, 2 succeeded Refunded \$30\.00/);
  const list = readable((await dashboard.get(`/test/refunds${DAYS}`)).html);
  expect(list).toContain('2026-11-01 to 2026-11-30, days in America/New York');
  const csv = (await dashboard.get(`/test/refunds.csv${DAYS}`)).html.trim().split('\r\n').slice(1);
  expect(csv.map((line) => line.split(',')[1])).toEqual(['2026-12-01T04:59:00.000Z', '2026-11-01T04:00:00.000Z']);
});

test('shows the totals of calls and of checkouts', async () => {
  await dashboard.as('viewer', scope.accountId);
  const { database } = dashboard.api;
  const payment = { merchant, at: '2026-11-15T12:00:00Z', cents: 1_500, steps: ['greeting'] };
  await seedPayment(database, scope, { ...payment, status: 'succeeded' });
  await seedPayment(database, scope, { ...payment, status: 'failed' });
  await seedPayment(database, scope, { ...payment, status: null, at: '2026-12-02T12:00:00Z' });
  const others = `select from checkout_sessions where account_id = $1 and created_at >= '2026-11-01T04:00:00Z'
                     and created_at < '2026-12-01T05:00:00Z' and amount_cents <> 1500`;
  const count = (await database.query(others, [scope.accountId])).rowCount ?? 0;
  await database.query(
    `update checkout_sessions set status = 'complete' where account_id = $1 and id in (
       select session_id from charges where account_id = $1 and amount_cents = 1500 and status = 'succeeded')`,
    [scope.accountId],
  );
  await showsTotals(`/calls${DAYS}`, /2 calls Succeeded 1 Failed 1 /);
  await showsTotals(`/calls${DAYS}&outcome=succeeded`, /1 call Succeeded 1 (?!Failed)/);
  await showsTotals(
    `/checkouts${DAYS}`,
    new RegExp(`${count + 2} checkouts in USD, 1 complete Requested \\$[0-9,.]+ Complete \\$15\\.00`),
  );
  await showsTotals(
    `/checkouts${DAYS}&status=complete`,
    /1 checkout in USD, 1 complete Requested \$15\.00 Complete \$15\.00/,
  );
});

test('counts the texts of the list by delivery status, and filters them by it', async () => {
  const { database } = dashboard.api;
  await seedPayment(database, scope, { merchant, at: '2026-11-16T12:00:00Z', status: 'succeeded', cents: 1_700 });
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, delivery, delivery_code,
                        created_at)
     select 'txt_counted_' || n, $1, $2, s.id, 'receipt', '+15550101234', 'Paid.', 1, t.status, t.delivery, t.code,
            '2026-11-16T12:00:00Z'
       from checkout_sessions s, (values (1, 'sent', 'delivered', null), (2, 'sent', 'undelivered', '30005'),
                                         (3, 'failed', null, null)) t (n, status, delivery, code)
      where s.account_id = $1 and s.amount_cents = 1700`,
    [scope.accountId, scope.mode],
  );
  await showsTotals(`/texts${DAYS}`, /3 texts Delivered 1 Undelivered 1 Failed 1 (?!Unknown)/);
  const filtered = `${DAYS}&delivery_status=undelivered`;
  await showsTotals(`/texts${filtered}`, /1 text Undelivered 1 (?!Failed)/);
  expect((await dashboard.get(`/test/texts${filtered}`)).html).toContain('<span class="badge bad">Undelivered</span>');
  const [heads = '', ...rows] = (await dashboard.get(`/test/texts.csv${filtered}`)).html.trim().split('\r\n');
  const column = heads.split(',').indexOf('delivery_code');
  expect(rows.map((line) => line.split(',')[column])).toEqual(['30005']);
});

test('shows the totals of disputes, payouts and their entries', async () => {
  await showsTotals(`/disputes${DAYS}`, /1 dispute in USD Disputed \$5\.00 Won \$0\.00 Lost \$5\.00 Open \$0\.00/);
  await showsTotals(`/payouts${DAYS}`, /1 payout in USD Pending \$0\.00 Paid \$100\.00/);
  await showsTotals(`/payout-entries${DAYS}`, /1 entry in USD Gross \$110\.00 Fees \$10\.00 Net \$100\.00/);
});

test('shows the totals of a caller’s payments on the caller’s page', async () => {
  await dashboard.as('viewer');
  await paidCharge(dashboard.api, 'A-1');
  const page = '/callers?number=%2B15550101234';
  await showsTotals(page, /\d charges? in USD, \d succeeded Gross \$\d+\.00 Refunded \$0\.00 Net \$\d+\.00/);
});

test.each(['events', 'audit'])('filters the list of %s by days', async (list) => {
  await dashboard.as('viewer');
  await paidCharge(dashboard.api, 'A-2');
  const shown = async (query: string) => (await dashboard.get(`/test/${list}${query}`)).html;
  expect(await shown('?from=2020-01-01')).not.toContain('data-count="0"');
  expect(await shown('?to=2020-01-01&zone=Asia%2FTokyo')).toContain('data-count="0"');
  expect(await shown('?to=2020-01-01&zone=Asia%2FTokyo')).toContain('Until 2020-01-01, days in Asia/Tokyo');
});

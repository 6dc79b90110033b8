/** The totals above the list of charges. */
import { expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { until } from '../support/until.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('shows the totals of all charges that match the filters, not only of those on the page', async () => {
  const { accountId, mode, merchantId: merchant } = await createTestMerchant(dashboard.api.database);
  await dashboard.as('viewer', accountId);
  for (let made = 0; made < 21; made += 1)
    await seedPayment(
      dashboard.api.database,
      { accountId, mode },
      {
        merchant,
        at: '2026-11-10T12:00:00.000Z',
        status: made === 0 ? 'failed' : 'succeeded',
        cents: 4_250,
      },
    );
  const list = async (query = '') => readable((await dashboard.get(`/test/charges${query}`)).html);
  // On a busy machine, the database can take too long at first.
  await until(120_000, async () => (await list()).includes('21 charges in USD, 20 succeeded Gross $850.00'));
  expect(await list()).toContain('Refunded $0.00 Net $850.00');
  await until(120_000, async () => (await list('?status=failed')).includes('1 charge in USD, 0 succeeded Gross $0.00'));
  expect(await list('?order_id=none')).not.toContain('Gross');
});

test('lists, sums and exports the charges of the days in the URL, in its time zone', async () => {
  const { accountId, mode, merchantId: merchant } = await createTestMerchant(dashboard.api.database);
  await dashboard.as('viewer', accountId);
  // The first and the last minute of November in New York, and one minute on each side.
  for (const at of ['2026-11-01T03:59', '2026-11-01T04:00', '2026-12-01T04:59', '2026-12-01T05:00'])
    await seedPayment(
      dashboard.api.database,
      { accountId, mode },
      { merchant, at: `${at}:00.000Z`, status: 'succeeded', cents: 1_000 },
    );
  const days = '?from=2026-11-01&to=2026-11-30&zone=America%2FNew_York';
  // On a busy machine, the database can take too long at first.
  const list = async () => (await dashboard.get(`/test/charges${days}`)).html;
  await until(120_000, async () => readable(await list()).includes('2 charges in USD, 2 succeeded Gross $20.00'));
  const html = await list();
  expect(readable(html)).toContain('2026-11-01 to 2026-11-30, days in America/New York');
  expect(html).toContain(`charges.csv${days.replaceAll('&', '&amp;')}`);
  const csv = (await dashboard.get(`/test/charges.csv${days}`)).html;
  const created = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[1]);
  expect(created).toEqual(['2026-12-01T04:59:00.000Z', '2026-11-01T04:00:00.000Z']);
  const wrong = (await dashboard.get('/test/charges?from=monday')).html;
  expect(wrong).toMatch(/role="alert"[^>]*><strong>“From”: This must be a day such as 2026-11-30\./);
  expect(wrong).not.toContain('Gross');
});

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

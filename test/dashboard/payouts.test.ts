/** Payouts in the dashboard: the list, the page with what it contains, the entries as CSV, and the fee on the charge's page. */
import { beforeEach, expect, test } from 'vitest';
import { createCharge } from '../contract/refunds-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { payOut } from '../support/payouts.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('viewer'));

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('shows a payout with what it contains, the fee on the page of the charge, and exports the entries of a day', async () => {
  const { id: charge } = await createCharge(dashboard.api, 'visa');
  await payOut(dashboard.api.database, charge);
  const { payout_id: id, arrival_date: day } = (await dashboard.api.get(`/v1/charges/${charge}`)).body.payout as {
    payout_id: string;
    arrival_date: string;
  };
  expect((await dashboard.get('/test/payouts')).html).toContain(`href="/dashboard/test/payouts/${id}"`);
  const page = await dashboard.get(`/test/payouts/${id}`);
  expect(page.html).toContain(`/dashboard/test/charges/${charge}`);
  expect(readable(page.html)).toMatch(/\$38\.54 .*Charge .*\$40\.00 .*\$1\.46 .*\$38\.54/);
  const ofCharge = readable((await dashboard.get(`/test/charges/${charge}`)).html);
  expect(ofCharge).toMatch(/Fee .*\$1\.46 .*Net .*\$38\.54/);
  const { html: csv } = await dashboard.get(`/test/payout-entries.csv?arrival_date=${day}&payout=${id}`);
  const [head, row, ...more] = csv.trim().split('\r\n');
  expect(head).toContain('arrival_date,payout_id,kind,gross_cents,fee_cents,net_cents,currency,charge');
  expect(row).toContain(`${day},${id},charge,4000,146,3854,USD,${charge}`);
  expect(more).toEqual([]);
});

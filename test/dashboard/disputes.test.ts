/** Disputes in the dashboard: the list, the page, the notice on the page of the charge, and the activity of the checkout. */
import { beforeEach, expect, test } from 'vitest';
import { createCharge } from '../contract/refunds-api.ts';
import { decideDispute, openDispute } from '../support/disputes.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('viewer'));

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('shows a dispute with its deadline in the list, on its page, at its charge and its checkout, until it is decided', async () => {
  const { id: charge, session } = await createCharge(dashboard.api, 'visa');
  await openDispute(dashboard.api.database, charge);
  const { body } = await dashboard.api.get(`/v1/disputes?charge=${charge}`);
  const id = (body.disputes as { dispute_id: string }[])[0]?.dispute_id ?? '';
  const list = await dashboard.get('/test/disputes?status=needs_response');
  expect(list.html).toContain(`href="/dashboard/test/disputes/${id}"`);
  const page = await dashboard.get(`/test/disputes/${id}`);
  expect(readable(page.html)).toMatch(/disputes this payment .* The processor accepts evidence until/);
  expect(page.html).toContain(`/dashboard/test/charges/${charge}`);
  const ofCharge = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(ofCharge.html)).toMatch(/disputes this payment .*Show the dispute/);
  expect(readable(ofCharge.html)).toContain('The bank disputed $40.00');
  expect((await dashboard.get(`/test/checkouts/${session}`)).html).toContain(`/dashboard/test/disputes/${id}`);
  await decideDispute(dashboard.api.database, charge);
  const decided = readable((await dashboard.get(`/test/charges/${charge}`)).html);
  expect(decided).not.toContain('disputes this payment');
  expect(decided).toContain('Dispute: lost');
});

test('exports disputes as CSV with the amount in the minor unit and its currency', async () => {
  const { id: charge } = await createCharge(dashboard.api, 'visa');
  await openDispute(dashboard.api.database, charge);
  const { html: csv } = await dashboard.get(`/test/disputes.csv?charge=${charge}`);
  const [head = '', row = ''] = csv.trim().split('\r\n');
  expect(head).toContain('status,reason,processor_reason,amount_cents,currency,evidence_due_at,charge');
  expect(row).toContain(`needs_response,fraudulent,fraudulent,4000,USD,`);
  expect(row).toContain(charge);
});

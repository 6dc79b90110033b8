/** The audit list of the dashboard: merchants by their names. */
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

test('shows the present name of a merchant, with a link and the ID as its title', async () => {
  const { api } = dashboard;
  const { body } = await api.post('/v1/merchants', { business_name: 'Bakery' });
  const id = String(body.merchant_id);
  await api.send('PATCH', `/v1/merchants/${id}`, { business_name: 'Corner <Bakery>' });
  const { html } = await dashboard.get(`/test/audit?object=${id}`);
  const link = `<a href="/dashboard/test/setup/merchants/${id}" title="${id}">Corner &lt;Bakery></a>`;
  expect(html.split(link)).toHaveLength(3);
  // Above the table, the filter is named.
  expect(html.slice(html.indexOf('<table'))).not.toContain(`>${id}<`);
});

test('shows the ID of an object without a name, and names in the CSV file', async () => {
  const { api } = dashboard;
  const { body: key } = await api.post('/v1/keys', { name: 'Till' });
  const { body: merchant } = await api.post('/v1/merchants', { business_name: 'Kiosk' });
  expect((await dashboard.get('/test/audit')).html).toContain(`<span class="id">${key.key_id}</span>`);
  const csv = (await dashboard.get('/test/audit.csv')).html;
  expect(csv).toContain('object_id,object_name');
  expect(csv).toContain(`${merchant.merchant_id},Kiosk`);
});

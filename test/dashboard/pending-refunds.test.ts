/** A refund that the processor has not confirmed: no page says that it was refunded. */
import { expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge, unsettledRefund } from './objects.ts';

const dashboard = useFixture(startDashboard);

const CALLER = '+15550101234';

test.each([
  ['en', 'Refund pending', ['Refunded', 'Partially refunded']],
  ['de', 'Erstattung unbestätigt', ['Erstattet', 'Teilweise erstattet']],
  ['es', 'Reembolso pendiente', ['Reembolsado', 'Reembolsado en parte']],
  ['fr', 'Remboursement en attente', ['Remboursé', 'Partiellement remboursé']],
])('is called pending in %s on each page of its charge', async (language, pending, refunded) => {
  const { charge, refund } = await unsettledRefund(dashboard.api);
  const { body } = await dashboard.api.get(`/v1/charges/${charge}`);
  expect(body).toMatchObject({ refunded_cents: 1_000, refund_pending_cents: 1_000 });
  const pages = [
    `/test/charges/${charge}`,
    `/test/refunds/${refund}`,
    `/test/callers?number=${encodeURIComponent(CALLER)}`,
  ];
  for (const path of pages) {
    const { html } = await dashboard.get(path, { 'accept-language': language });
    expect([path, html.includes(pending)]).toEqual([path, true]);
  }
  const { html } = await dashboard.get(pages[0] ?? '', { 'accept-language': language });
  for (const word of refunded) expect(html).not.toContain(`>${word}<`);
});

test('is shown beside what was refunded', async () => {
  const { charge } = await paidCharge(dashboard.api);
  await dashboard.api.post('/v1/refunds', { charge, amount_cents: 1_500 });
  expect((await dashboard.api.get(`/v1/charges/${charge}`)).body).not.toHaveProperty('refund_pending_cents');
  expect((await dashboard.get(`/test/charges/${charge}`)).html).toMatch(/Partially refunded/);
});

/** A refund that the processor has not confirmed: no page says that it was refunded. */
import { expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge, unsettledRefund } from './objects.ts';
import { secondUserOf } from './second-user.ts';

const dashboard = useFixture(startDashboard);

const CALLER = '+15550101234';

const badgesIn = (html: string): string[] =>
  [...html.matchAll(/<span class="badge[^>]*>([^<]+)</g)].map(([, name = '']) => name);

/** The row of a table that links to the charge. */
const rowOf = (html: string, charge: string): string =>
  html
    .split('<tr')
    .find((row) => row.includes(`/charges/${charge}"`))
    ?.split('</tr>')[0] ?? '';

test.each([
  ['en', 'Refund pending', ['Refunded', 'Partially refunded']],
  ['de', 'Erstattung unbestätigt', ['Erstattet', 'Teilweise erstattet']],
  ['es', 'Reembolso pendiente', ['Reembolsado', 'Reembolsado en parte']],
  ['fr', 'Remboursement en attente', ['Remboursé', 'Partiellement remboursé']],
])(
  'is called pending in %s on the pages of its charge, refund and caller, and not refunded',
  async (language, pending, refunded) => {
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
      // The page of the caller has other charges too, so it is only searched near this one.
      const near = path.includes('callers') ? rowOf(html, charge) : html;
      expect([path, near.includes(pending)]).toEqual([path, true]);
      for (const word of refunded) expect([path, badgesIn(near).includes(word)]).toEqual([path, false]);
    }
  },
);

test.each([
  ['en', 'Part refunded, part pending'],
  ['de', 'Teils erstattet, teils unbestätigt'],
  ['es', 'Parte reembolsada, parte pendiente'],
  ['fr', 'Partie remboursée, partie en attente'],
])('is shown beside what was refunded, in %s', async (language, badge) => {
  const { charge, refund } = await unsettledRefund(dashboard.api);
  const path = `/test/refunds/${refund}/settle`;
  const user = await secondUserOf(dashboard, 'developer');
  const settled = await (
    await (await user.open(path)).goOn({ outcome: 'succeeded', processor_id: `re_${language}` })
  ).send();
  expect(settled.headers.get('location')).toBe(`/dashboard/test/refunds/${refund}`);
  const ofCharge = async () =>
    badgesIn((await dashboard.get(`/test/charges/${charge}`, { 'accept-language': language })).html);
  expect(await ofCharge()).not.toContain(badge);
  await dashboard.api.post('/v1/refunds', { charge, amount_cents: 500 });
  const { body } = await dashboard.api.get(`/v1/charges/${charge}`);
  expect(body).toMatchObject({ refunded_cents: 1_500, refund_pending_cents: 500 });
  expect(await ofCharge()).toContain(badge);
  const { html } = await dashboard.get('/test/charges', { 'accept-language': language });
  expect(badgesIn(rowOf(html, charge))).toEqual([badge]);
});

test('is not mentioned once all refunds are confirmed', async () => {
  const { charge } = await paidCharge(dashboard.api);
  await dashboard.api.post('/v1/refunds', { charge, amount_cents: 1_500 });
  expect((await dashboard.api.get(`/v1/charges/${charge}`)).body).not.toHaveProperty('refund_pending_cents');
  const { html } = await dashboard.get(`/test/charges/${charge}`);
  expect(badgesIn(html)).toContain('Partially refunded');
  expect(html).not.toMatch(/refund pending|part pending/i);
});

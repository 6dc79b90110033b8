/**
 * Charges that were reported as failed and turned out to be paid: where they appear, how a user marks one as seen, and the
 * refund of a duplicate.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { chargeCalledFailed, lateCharge, lateDuplicate } from '../contract/late-charges.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { secondUserOf } from './second-user.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const ON_OVERVIEW = /was paid late|may have been charged twice/;
const readable = (html: string) => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

test('shows a late charge as needing attention until it is refunded: in the overview, the list and on its page', async () => {
  const { charge, find } = await chargeCalledFailed(dashboard.api);
  expect(readable((await dashboard.get('/test/overview')).html)).not.toMatch(ON_OVERVIEW);
  await find();
  const overview = await dashboard.get('/test/overview');
  expect(readable(overview.html)).toMatch(ON_OVERVIEW);
  expect(overview.html).toContain(`href="/dashboard/test/charges/${charge}"`);
  const list = await dashboard.get('/test/charges?needs_attention=true');
  expect(list.html).toContain(charge);
  expect(readable(list.html)).toContain('Paid late: needs attention');
  const page = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(page.html)).toContain('This charge was reported as failed, but the processor charged the card');
  const { status } = await dashboard.api.post('/v1/refunds', { charge });
  expect(status).toBe(200);
  expect(readable((await dashboard.get('/test/overview')).html)).not.toMatch(ON_OVERVIEW);
});

test('links a duplicate to the other charge, and refunds it after one confirmation', async () => {
  const { charge, other, session } = await lateDuplicate(dashboard.api);
  const listed = (await dashboard.api.get(`/v1/charges/${charge}`)).body;
  expect(listed).toMatchObject({ status: 'succeeded', was_late: true, duplicate_of: other });
  // The session keeps the charge that was not late.
  const { body } = await dashboard.api.get(`/v1/checkout_sessions/${session}`);
  expect(body).toMatchObject({ session_status: 'complete', charge: { charge_id: other } });
  const page = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(page.html)).toContain('This charge may be a duplicate');
  expect(page.html).toContain(`/dashboard/test/charges/${other}`);
  const link = `/test/charges/${charge}/refund?amount=40.00&reason=duplicate`;
  expect(page.html.replaceAll('&amp;', '&')).toContain(`href="/dashboard${link}"`);
  expect((await dashboard.api.get(`/v1/refunds?charge=${charge}`)).body.refunds).toEqual([]);
  const user = await secondUserOf(dashboard, 'owner');
  const done = await (await user.open(link)).send();
  expect(done.status).toBe(303);
  const { refunds } = (await dashboard.api.get(`/v1/refunds?charge=${charge}`)).body;
  expect(refunds).toMatchObject([{ status: 'succeeded', amount_cents: 4_000, reason: 'duplicate' }]);
  expect((await dashboard.api.get(`/v1/charges/${other}`)).body.refunded_cents).toBe(0);
});

test('fills in the refund of a duplicate, also in a currency without cents', async () => {
  const { charge, session } = await lateDuplicate(dashboard.api);
  const setCurrency = (currency: string) =>
    dashboard.api.database.query('update charges set currency = $2 where session_id = $1', [session, currency]);
  await setCurrency('JPY');
  const page = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(page.html)).toContain('Refund ¥4,000 as a duplicate');
  expect(page.html).toContain('refund?amount=4000&');
  // Leave no charge that needs attention to other tests.
  await setCurrency('USD');
  expect((await dashboard.api.post('/v1/refunds', { charge })).status).toBe(200);
});

describe('a late charge', () => {
  const attention = async () => ON_OVERVIEW.test(readable((await dashboard.get('/test/overview')).html));

  test('needs no attention once a user marks it as seen, and keeps its amount and status', async () => {
    const { charge } = await lateCharge(dashboard.api);
    const before = (await dashboard.api.get(`/v1/charges/${charge}`)).body;
    const user = await secondUserOf(dashboard, 'support');
    const form = await user.open(`/test/charges/${charge}`);
    expect(readable(form.html)).toContain('Mark as seen');
    expect(await attention()).toBe(true);
    const done = await form.send();
    expect([done.status, done.headers.get('location')]).toEqual([303, `/dashboard/test/charges/${charge}`]);
    expect(await attention()).toBe(false);
    expect((await dashboard.get('/test/charges?needs_attention=true')).html).not.toContain(charge);
    const page = readable((await user.get(`/test/charges/${charge}`)).html);
    expect(page).toContain('This charge was reported as failed, but the processor charged the card');
    expect(page).toContain('Marked as seen');
    expect(page).not.toMatch(/Mark as seen|needs attention/);
    const { needs_attention, ...rest } = before;
    expect(needs_attention).toBe(true);
    expect((await dashboard.api.get(`/v1/charges/${charge}`)).body).toEqual({
      ...rest,
      attention_acknowledged_at: expect.stringMatching(/Z$/),
    });
    const { audit_events } = (await dashboard.api.get(`/v1/audit_events?object=${charge}&action=charge.acknowledged`))
      .body;
    expect(audit_events).toMatchObject([{ actor: 'user', actor_id: user.user.user.id }]);
    // The same form again, as after the browser's Back button.
    expect((await form.send()).status).toBe(303);
    expect(
      (await dashboard.api.get(`/v1/audit_events?object=${charge}&action=charge.acknowledged`)).body.audit_events,
    ).toHaveLength(1);
  });

  test('cannot be marked as seen by a viewer', async () => {
    const { charge } = await lateCharge(dashboard.api);
    await dashboard.as('viewer');
    const { html } = await dashboard.get(`/test/charges/${charge}`);
    expect(html).toContain('This charge was reported as failed');
    expect(html).not.toContain('Mark as seen');
    const sent = await dashboard.submit('/test/calls', `/test/charges/${charge}/acknowledge`);
    expect(sent.status).toBe(403);
    await dashboard.as('owner');
    expect((await dashboard.api.post(`/v1/charges/${charge}/acknowledge`, undefined)).status).toBe(200);
  });
});

test('ends the attention of a duplicate once the other charge is refunded in full', async () => {
  const { charge, other } = await lateDuplicate(dashboard.api);
  expect((await dashboard.api.post('/v1/refunds', { charge: other })).status).toBe(200);
  expect(readable((await dashboard.get('/test/overview')).html)).not.toMatch(ON_OVERVIEW);
  const page = readable((await dashboard.get(`/test/charges/${charge}`)).html);
  expect(page).toContain('This charge was a duplicate, and the other charge is refunded');
  expect(page).not.toMatch(/needs attention|Mark as seen|Refund \$40\.00/);
});

/** Manual settlement in the dashboard: permissions, the form, the confirmation, and two concurrent users. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createCharge } from '../contract/refunds-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { unsettledCharge, unsettledRefund } from './objects.ts';
import { secondUserOf } from './second-user.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('developer'));

const chargeOf = async (id: string) => (await dashboard.api.get(`/v1/charges/${id}`)).body;
const refundOf = async (id: string) => (await dashboard.api.get(`/v1/refunds/${id}`)).body;
const auditOf = async (id: string) =>
  (await dashboard.api.get(`/v1/audit_events?object=${id}`)).body.audit_events as Record<string, unknown>[];
/** The text without tags. */
const readable = (html: string) => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

test('settles a charge that succeeded: the outcome, a confirmation, then the result', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  const [page, path] = [`/test/charges/${charge}`, `/test/charges/${charge}/settle`];
  expect((await dashboard.get(page)).html).toContain(`href="/dashboard${path}"`);
  expect((await dashboard.get('/test/charges?needs_settling=true')).html).toContain(charge);
  const confirmation = await dashboard.get(path);
  expect(confirmation.html).toContain('Check the sandbox dashboard first');
  expect(confirmation.html).toContain(`href="/dashboard${page}">$40.00`);
  const user = await secondUserOf(dashboard, 'developer');
  const form = await (await user.open(path)).goOn({ outcome: 'succeeded', processor_id: ' pi_42 ' });
  const said = readable(form.html);
  expect(said).toContain('$40.00 was charged to Visa ···· 0000');
  expect(said).toContain('Merchant: Demo Diner. sandbox reference: pi_42.');
  expect(said).toContain('Nothing is sent to the processor');
  expect(said).toContain('webhook endpoints receive checkout.succeeded and checkout.completed');
  expect(said).toContain('The receipt is texted to +15550101234 if texts can be sent there.');
  expect(said).toContain('Settle: $40.00 charged');
  const done = await form.send();
  expect([done.status, done.headers.get('location')]).toEqual([303, `/dashboard${page}`]);
  expect(await chargeOf(charge)).toMatchObject({ status: 'succeeded', processor_payment_id: 'pi_42' });
  expect(await auditOf(charge)).toMatchObject([
    { action: 'charge.settled', actor: 'user', actor_id: user.user.user.id },
  ]);
  expect((await dashboard.get(page)).html).not.toContain('Settle manually');
});

test('settles a charge that the processor never received', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  const user = await secondUserOf(dashboard, 'owner');
  const form = await (await user.open(`/test/charges/${charge}/settle`)).goOn({ outcome: 'not_received' });
  const said = readable(form.html);
  expect(said).toContain('$40.00 was never charged to Visa ···· 0000');
  expect(said).toContain('If the card was charged after all, the caller may pay twice.');
  expect((await form.send()).status).toBe(303);
  expect(await chargeOf(charge)).toMatchObject({ status: 'failed', processor_payment_id: null });
});

test('settles a charge that only saves a card as not saved, and shows no amount', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  await dashboard.api.database.query(
    `with session as (update checkout_sessions set purpose = 'save_card', amount_cents = 0
                       where id = (select session_id from charges where id = $1))
     update charges set amount_cents = 0 where id = $1`,
    [charge],
  );
  const user = await secondUserOf(dashboard, 'owner');
  const page = await user.open(`/test/charges/${charge}/settle`);
  expect(page.html).not.toContain('$0.00');
  expect(page.html).not.toContain('value="succeeded"');
  expect(readable(page.html)).toContain('Charge of no amount, to save a card, Visa');
  const form = await page.goOn({ outcome: 'not_received' });
  expect(readable(form.html)).toContain('Card was not saved: Visa ···· 0000');
  expect(form.html).not.toContain('$0.00');
  expect((await form.send()).status).toBe(303);
  expect(await chargeOf(charge)).toMatchObject({ status: 'failed' });
});

test('settles a refund on its page', async () => {
  const { charge, refund } = await unsettledRefund(dashboard.api);
  const path = `/test/refunds/${refund}/settle`;
  expect((await dashboard.get(`/test/refunds/${refund}`)).html).toContain(`href="/dashboard${path}"`);
  expect((await dashboard.get('/test/refunds?needs_settling=true')).html).toContain(refund);
  const user = await secondUserOf(dashboard, 'developer');
  const made = await (await user.open(path)).goOn({ outcome: 'succeeded', processor_id: 're_42' });
  expect(readable(made.html)).toContain('$10.00 was refunded to Visa ···· 7205Merchant: Demo Diner');
  const lost = await (await user.open(path)).goOn({ outcome: 'refused' });
  expect(readable(lost.html)).toContain('If the money was refunded after all, it may be refunded twice.');
  expect((await made.send()).headers.get('location')).toBe(`/dashboard/test/refunds/${refund}`);
  expect(await refundOf(refund)).toMatchObject({ status: 'succeeded', processor_refund_id: 're_42' });
  const late = await lost.send();
  expect(late.status).toBe(422);
  expect(readable(late.html)).toContain('Current state: $10.00, succeeded, sandbox reference re_42.');
  expect(await chargeOf(charge)).toMatchObject({ refunded_cents: 1_000 });
});

test('lets one of two users settle a charge at once, and shows the other its state', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  const [one, other] = [await secondUserOf(dashboard, 'owner'), await secondUserOf(dashboard, 'developer')];
  const path = `/test/charges/${charge}/settle`;
  const forms = [
    await (await one.open(path)).goOn({ outcome: 'succeeded', processor_id: 'pi_1' }),
    await (await other.open(path)).goOn({ outcome: 'not_received' }),
  ];
  const answers = await Promise.all(forms.map((form) => form.send()));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  const { status } = await chargeOf(charge);
  const shown = readable(answers.find((answer) => answer.status === 422)?.html ?? '');
  expect(shown).toContain('Nothing was changed');
  expect(shown).toContain(`already settled, and that is final: it ${status}.`);
  expect(shown).toContain(`Current state: $40.00, ${status}`);
  expect(await auditOf(charge)).toHaveLength(1);
  // The same form again, as after the browser's Back button.
  for (const form of forms) expect([303, 422]).toContain((await form.send()).status);
  expect(await auditOf(charge)).toHaveLength(1);
});

test.each([
  ['succeeded', '', 'Enter the processor’s ID. Every payment or refund that was made has one.'],
  ['succeeded', 'pi 42', 'Enter the ID exactly as the processor shows it, without spaces.'],
  ['succeeded', '4242424242424242', 'It looks like a card number, which Ringkey never stores.'],
])('asks again for %s with the ID “%s”', async (outcome, id, fault) => {
  const { charge } = await unsettledCharge(dashboard.api);
  const user = await secondUserOf(dashboard, 'developer');
  const form = await user.open(`/test/charges/${charge}/settle`);
  const { status, html } = await form.send({ outcome, processor_id: id });
  expect(status).toBe(422);
  expect(html).toContain(fault);
  expect(html).toContain('aria-invalid');
  expect(await chargeOf(charge)).toMatchObject({ status: 'pending' });
});

test('keeps the entries out of the URL and the log, and does not repeat a card number', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  const path = `/test/charges/${charge}/settle`;
  const user = await secondUserOf(dashboard, 'developer');
  const confirmation = await user.open(path);
  // Only the search of the page's head is sent by GET.
  expect(confirmation.html.match(/<form[^>]*method="get"[^>]*>/g) ?? []).toEqual(
    confirmation.html.match(/<form[^>]*action="\/dashboard\/test\/search"[^>]*>/g) ?? [],
  );
  const wrong = await confirmation.send({ outcome: 'succeeded', processor_id: '4000 0566 5566 5556' });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('It looks like a card number');
  expect(wrong.html).not.toMatch(/4000.?0566/);
  await confirmation.send({ outcome: 'succeeded', processor_id: 'pi_kept_out_of_logs' });
  expect(dashboard.api.log.join('')).not.toMatch(/4000.?0566|pi_kept_out_of_logs/);
  // A URL with the entries does not fill in the form either.
  for (const [id, expected] of [
    ['pi_in_the_url', 200],
    ['4000056655665556', 400],
  ]) {
    const { status, html } = await dashboard.get(`${path}?outcome=succeeded&processor_id=${id}`);
    expect([status, html.includes(`${id}`)]).toEqual([expected, false]);
  }
});

test('redirects from the URL of the confirmation to the form', async () => {
  const { charge } = await unsettledCharge(dashboard.api);
  const path = `/test/charges/${charge}/settle`;
  const { status, headers } = await dashboard.get(`${path}/confirm`);
  expect([status, headers.get('location')]).toEqual([303, `/dashboard${path}`]);
});

test('does not settle a charge that Ringkey still asks the processor about', async () => {
  const { id } = await createCharge(dashboard.api, 'hangs_taken');
  const { html } = await dashboard.get(`/test/charges/${id}`);
  expect(html).toContain('Ringkey keeps checking');
  expect(html).not.toContain('Settle manually');
  const path = `/test/charges/${id}/settle`;
  const confirmation = await dashboard.get(path);
  expect([confirmation.status, confirmation.headers.get('location')]).toEqual([303, `/dashboard/test/charges/${id}`]);
  const confirmed = await dashboard.submit('/test/setup/keys/new', `${path}/confirm`, { outcome: 'not_received' });
  expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, `/dashboard/test/charges/${id}`]);
  const sent = await dashboard.submit('/test/setup/keys/new', path, { outcome: 'not_received', processor_id: '' });
  expect(sent.status).toBe(422);
  expect(sent.html).toContain('still being asked');
  expect(await chargeOf(id)).toMatchObject({ status: 'pending' });
});

describe('manual settlement', () => {
  test.each(['support', 'viewer'] as const)('is refused to the role %s, by page and by form', async (role) => {
    const { charge } = await unsettledCharge(dashboard.api);
    const { refund } = await unsettledRefund(dashboard.api);
    await dashboard.as(role);
    for (const page of [`/test/charges/${charge}`, `/test/refunds/${refund}`]) {
      const { html } = await dashboard.get(page);
      expect(html).toContain('needs manual settlement');
      expect(html).not.toContain('Settle manually');
      expect((await dashboard.get(`${page}/settle`)).status).toBe(403);
      for (const action of ['settle/confirm', 'settle']) {
        const sent = await dashboard.submit('/test/calls', `${page}/${action}`, { outcome: 'not_received' });
        expect(sent.status).toBe(403);
      }
    }
    expect([await chargeOf(charge), await refundOf(refund)]).toMatchObject([
      { status: 'pending' },
      { status: 'pending' },
    ]);
  });

  test('is refused to another account and in the other mode', async () => {
    const { charge } = await unsettledCharge(dashboard.api);
    const { refund } = await unsettledRefund(dashboard.api);
    const tried = async (page: string) => {
      expect((await dashboard.get(`${page}/settle`)).status).toBe(404);
      for (const action of ['settle/confirm', 'settle']) {
        const sent = await dashboard.submit('/test/calls', `${page}/${action}`, { outcome: 'not_received' });
        expect(sent.status).toBe(404);
      }
    };
    for (const path of [`charges/${charge}`, `refunds/${refund}`]) await tried(`/live/${path}`);
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    for (const path of [`charges/${charge}`, `refunds/${refund}`]) await tried(`/test/${path}`);
    expect([await chargeOf(charge), await refundOf(refund)]).toMatchObject([
      { status: 'pending' },
      { status: 'pending' },
    ]);
  });

  test('requires a recent sign-in before it shows the form', async () => {
    const { charge } = await unsettledCharge(dashboard.api);
    const { id } = dashboard.user.user;
    await dashboard.api.database.query(
      `update user_sessions set created_at = created_at - interval '16 minutes' where user_id = $1`,
      [id],
    );
    const path = `/test/charges/${charge}/settle`;
    const { html } = await dashboard.get(path);
    expect(html).toContain('Check the sandbox dashboard first');
    expect(html).not.toContain('name="outcome"');
    expect(html).toContain(`next=${encodeURIComponent(`/dashboard${path}`)}&amp;again=1`);
    for (const action of [path, `${path}/confirm`]) {
      const sent = await dashboard.submit('/test/setup/keys/new', action, { outcome: 'not_received' });
      expect(sent.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    }
    expect(await chargeOf(charge)).toMatchObject({ status: 'pending' });
  });
});

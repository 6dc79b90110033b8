/** Charges that were reported as failed and turned out to be paid: where they appear, and the refund of a duplicate. */
import { beforeEach, expect, test } from 'vitest';
import { findCharge } from '../../src/db/charges/charges.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { recordLateSuccess } from '../../src/payments/late-success.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { NOT_RECEIVED, settleCharge } from '../../src/payments/settle-charge.ts';
import { createCharge } from '../contract/refunds-api.ts';
import { createRecordingLog } from '../integration/payments/test-payments.ts';
import { useFixture } from '../support/fixtures.ts';
import { colleagueOf } from './colleague.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const readable = (html: string) => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

/** A charge that the sandbox has taken, but that was settled as failed. `find` records the late success. */
async function failedCharge() {
  const { api } = dashboard;
  const { id, session } = await createCharge(api, 'hangs_taken');
  const deps = { database: api.database, log: createRecordingLog() };
  const charge = await findCharge(api.database, id as ChargeId);
  if (charge === null) throw new Error('no charge');
  await settleCharge(deps, charge, NOT_RECEIVED);
  const find = async () => {
    const request = { chargeId: charge.id, mode: charge.mode, createdAt: charge.createdAt, credentials: {} };
    const found = await createSandbox(api.database).lookUp(request, new AbortController().signal);
    if (found.status !== 'succeeded') throw new Error(`the sandbox returned ${found.status}`);
    await recordLateSuccess(deps, charge, found);
  };
  return { charge: id, session, find };
}

test('shows a late charge as needing attention until it is refunded: in the overview, the list and on its page', async () => {
  const { charge, find } = await failedCharge();
  expect(readable((await dashboard.get('/test/overview')).html)).not.toContain('needs attention');
  await find();
  const overview = await dashboard.get('/test/overview');
  expect(readable(overview.html)).toContain('1 charge needs attention');
  expect(overview.html).toContain('href="/dashboard/test/charges?needs_attention=true"');
  const list = await dashboard.get('/test/charges?needs_attention=true');
  expect(list.html).toContain(charge);
  expect(readable(list.html)).toContain('Paid late: needs attention');
  const page = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(page.html)).toContain('This charge was reported as failed, but the processor charged the card');
  const { status } = await dashboard.api.post('/v1/refunds', { charge });
  expect(status).toBe(200);
  expect(readable((await dashboard.get('/test/overview')).html)).not.toContain('needs attention');
});

test('links a duplicate to the other charge, and refunds it after one confirmation', async () => {
  const { charge, session, find } = await failedCharge();
  const paid = await dashboard.api.post('/v1/charge', {
    checkout_session_id: session,
    instrument_id: 'card_demo_visa',
  });
  expect(paid.status).toBe(200);
  await find();
  const listed = (await dashboard.api.get(`/v1/charges/${charge}`)).body;
  expect(listed).toMatchObject({ status: 'succeeded', was_late: true, duplicate_of: paid.body.charge_id });
  // The session keeps the charge that was not late.
  const { body } = await dashboard.api.get(`/v1/checkout_sessions/${session}`);
  expect(body).toMatchObject({ session_status: 'complete', charge: { charge_id: paid.body.charge_id } });
  const page = await dashboard.get(`/test/charges/${charge}`);
  expect(readable(page.html)).toContain('This charge may be a duplicate');
  expect(page.html).toContain(`/dashboard/test/charges/${paid.body.charge_id}`);
  const link = `/test/charges/${charge}/refund?amount=40.00&reason=duplicate`;
  expect(page.html.replaceAll('&amp;', '&')).toContain(`href="/dashboard${link}"`);
  expect((await dashboard.api.get(`/v1/refunds?charge=${charge}`)).body.refunds).toEqual([]);
  const user = await colleagueOf(dashboard, 'owner');
  const done = await (await user.open(link)).send();
  expect(done.status).toBe(303);
  const { refunds } = (await dashboard.api.get(`/v1/refunds?charge=${charge}`)).body;
  expect(refunds).toMatchObject([{ status: 'succeeded', amount_cents: 4_000, reason: 'duplicate' }]);
  expect((await dashboard.api.get(`/v1/charges/${String(paid.body.charge_id)}`)).body.refunded_cents).toBe(0);
});

test('fills in the refund of a duplicate, also in a currency without cents', async () => {
  const { charge, session, find } = await failedCharge();
  await dashboard.api.post('/v1/charge', { checkout_session_id: session, instrument_id: 'card_demo_visa' });
  await find();
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

/** `/v1/disputes`, its events and its attention item, from a signed notification on. */
import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { DisputeResource } from '../../src/contract/disputes.ts';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { decideDispute, handleNotifications, openDispute } from '../support/disputes.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
beforeAll(() => insertTestKeys(api));

const SECRET = 'the-secret-of-the-demo-diner';

/** A disputed charge, and its dispute as it is listed. */
async function disputed(card?: string) {
  const { id: charge, session } = await createCharge(api, 'visa');
  await openDispute(api.database, charge, card);
  const { body } = await api.get(`/v1/disputes?charge=${charge}`);
  const [dispute, ...more] = (body.disputes as unknown[]).map((item) => DisputeResource.strict().parse(item));
  if (dispute === undefined || more.length > 0) throw new Error('the charge should have one dispute');
  return { charge, session, dispute };
}

async function listed(query: string): Promise<string[]> {
  const { status, text, body } = await api.get(`/v1/disputes?limit=100&${query}`);
  expect(status, text).toBe(200);
  return (body.disputes as DisputeResource[]).map(({ dispute_id }) => dispute_id);
}

describe('disputes', () => {
  test('are listed and retrieved with the deadline for evidence', async () => {
    const { charge, session, dispute } = await disputed();
    expect(dispute).toMatchObject({
      charge,
      checkout_session_id: session,
      merchant_id: DEMO_DINER,
      kind: 'chargeback',
      status: 'needs_response',
      reason: 'fraudulent',
      amount_cents: 4_000,
      currency: 'USD',
      processor: 'sandbox',
      evidence_due_at: expect.stringMatching(/Z$/),
    });
    expect((await api.get(`/v1/disputes/${dispute.dispute_id}`)).body).toEqual(dispute);
  });

  test('are filtered by charge, session, merchant, status and time, newest first, page by page', async () => {
    const first = await disputed();
    const second = await disputed('dispute_won');
    const [older, newer] = [first.dispute.dispute_id, second.dispute.dispute_id];
    expect((await listed('')).slice(0, 2)).toEqual([newer, older]);
    expect(await listed(`checkout_session_id=${first.session}`)).toEqual([older]);
    expect(await listed(`charge=${second.charge}&status=under_review`)).toEqual([newer]);
    expect(await listed(`charge=${second.charge}&status=won`)).toEqual([]);
    expect(await listed(`merchant_id=${DEMO_DINER}`)).toContain(older);
    expect(await listed('created_before=2020-01-01T00:00:00Z')).toEqual([]);
    const page = await api.get(`/v1/disputes?limit=1&starting_after=${newer}`);
    expect(page.body).toMatchObject({ disputes: [{ dispute_id: older }] });
    expectError(await api.get('/v1/disputes?charge=ch_none'), 'not_found', 'charge');
    expectError(await api.get('/v1/disputes?status=open'), 'invalid_value', 'status');
    expectError(await api.get('/v1/disputes?starting_after=dp_none'), 'invalid_value', 'starting_after');
  });

  test('of another account are not found, and of the other mode need its key', async () => {
    const { charge, dispute } = await disputed();
    const path = `/v1/disputes/${dispute.dispute_id}`;
    expectError(await api.get(path, bearer(OTHER_KEY)), 'not_found', 'dispute_id');
    expectError(await api.get(path, bearer(LIVE_KEY)), 'invalid_key');
    expectError(await api.get(`/v1/disputes?charge=${charge}`, bearer(OTHER_KEY)), 'not_found', 'charge');
    for (const key of [OTHER_KEY, LIVE_KEY]) {
      expect((await api.get('/v1/disputes', bearer(key))).body).toEqual({ disputes: [], has_more: false });
    }
  });

  test('are told to webhooks with their charge and session when they open and when they are decided', async () => {
    const { charge, session, dispute } = await disputed('dispute_won');
    await decideDispute(api.database, charge);
    const decided = (await api.get(`/v1/disputes/${dispute.dispute_id}`)).body;
    expect(decided).toMatchObject({ status: 'won', evidence_due_at: null });
    const { body } = await api.get(`/v1/events?checkout_session_id=${session}`);
    const events = (body.events as { type: string; data: Record<string, unknown> }[]).filter(({ type }) =>
      type.startsWith('dispute.'),
    );
    const about = { checkout_session: { checkout_session_id: session }, charge: { charge_id: charge } };
    expect(events).toMatchObject([
      { type: 'dispute.updated', data: { ...about, dispute: { ...decided, updated_at: expect.any(String) } } },
      {
        type: 'dispute.created',
        data: { ...about, dispute: { dispute_id: dispute.dispute_id, status: 'under_review' } },
      },
    ]);
    for (const { data } of events) DisputeResource.strict().parse(data.dispute);
  });

  test('need attention with the deadline until they are decided', async () => {
    const { charge, dispute } = await disputed();
    const itemsOf = async (status: string) => {
      const { body } = await api.get(`/v1/attention_items?limit=100&status=${status}`);
      const items = body.attention_items as { object_id: string }[];
      return items.filter(({ object_id }) => object_id === dispute.dispute_id);
    };
    expect(await itemsOf('open')).toMatchObject([
      {
        kind: 'dispute_to_answer',
        title: expect.stringMatching(/^Answer the dispute of \$40\.00 at Demo Diner by \d+ \w+ \d{4}$/),
        dashboard_path: `/disputes/${dispute.dispute_id}`,
        merchant_id: DEMO_DINER,
      },
    ]);
    await decideDispute(api.database, charge);
    expect(await itemsOf('open')).toEqual([]);
    expect(await itemsOf('closed')).toHaveLength(1);
  });

  test('no longer need attention when it is too late to answer', async () => {
    const { dispute } = await disputed();
    await api.database.query(`update disputes set evidence_due_at = now() - interval '1 second' where id = $1`, [
      dispute.dispute_id,
    ]);
    const { text } = await api.get('/v1/attention_items?limit=100');
    expect(text).not.toContain(dispute.dispute_id);
  });
});

describe('a signed notification of a dispute', () => {
  function notify(secret: string, id: string, body: object) {
    const text = JSON.stringify({ id, type: 'dispute.created', ...body });
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
    return api.send('POST', `/hooks/processors/sandbox/${DEMO_DINER}`, text, {
      authorization: '',
      'sandbox-signature': `t=${time},v1=${signature}`,
    });
  }

  test('has the dispute read, and writes nothing if it is forged, replayed or names what the processor lacks', async () => {
    const connection = { processor: 'sandbox', notification_secret: SECRET };
    expect((await api.post(`/v1/merchants/${DEMO_DINER}/processor`, connection)).status).toBe(200);
    const { charge, dispute } = await disputed('dispute_won');
    const { rows } = await api.database.query<{ payment_id: string; dispute_id: string }>(
      `update sandbox_disputes set decided_at = now()
        where payment_id = (select payment_id from sandbox_payments where reference = $1) returning payment_id, dispute_id`,
      [charge],
    );
    const status = async () => (await api.get(`/v1/disputes/${dispute.dispute_id}`)).body.status;
    const id = randomUUID();
    expectError(await notify('another-secret-of-someone', id, { ...rows[0] }), 'invalid_key');
    expect((await notify(SECRET, randomUUID(), { ...rows[0], dispute_id: 'sandbox_dispute_none' })).status).toBe(200);
    await handleNotifications(api.database);
    expect(await status()).toBe('under_review');
    expect((await notify(SECRET, id, { ...rows[0] })).status).toBe(200);
    expect((await notify(SECRET, id, { ...rows[0] })).status).toBe(200);
    await handleNotifications(api.database);
    expect(await status()).toBe('won');
    const events = await api.database.query(`select from events where charge_id = $1 and type like 'dispute.%'`, [
      charge,
    ]);
    expect(events.rowCount).toBe(2);
  });
});

/** `GET /v1/checkout_sessions/{id}`, over HTTP: the successful answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEntry } from '../../src/contract/errors.ts';
import { CheckoutSessionResource } from '../../src/contract/session-resource.ts';
import { expireDueSessions } from '../../src/db/sessions/sessions.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250, caller_phone: '+15550101234' };

async function read(id: string) {
  const answer = await api.get(`/v1/checkout_sessions/${id}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function insertCharge(sessionId: string, charge: { id: string; status: string; declineCode?: string }) {
  await api.database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source,
                          processor, processor_payment_id, decline_code, processor_code)
     values ($1, $2, $3, 'test', 'mer_demo_diner', $4, 4250, 'USD', 'phone', 'sandbox', $5, $6, $7)`,
    [
      charge.id,
      sessionId,
      DEMO_ACCOUNT,
      charge.status,
      charge.status === 'succeeded' ? 'pay_1' : null,
      charge.declineCode ?? null,
      charge.declineCode === undefined ? null : '51',
    ],
  );
}

test('returns a session with all its fields', async () => {
  const created = await api.checkout({
    merchant_id: 'mer_demo_diner',
    order_id: 'order_1001',
    caller_phone: '+15550101234',
    platform_call_id: 'CA123',
    return_to: 'sip:agent@agents.example.com:5090;transport=tcp',
    success_message: 'Thank you, enjoy your meal!',
    failure_message: 'Please pay at the counter.',
    metadata: { table: '7' },
  });
  const fields = await read(created.checkout_session_id);
  expect(() => CheckoutSessionResource.strict().parse(fields)).not.toThrow();
  expect(fields).toEqual({
    checkout_session_id: created.checkout_session_id,
    session_status: 'open',
    agent_message: 'Nothing has been paid yet.',
    payment_required: 'required',
    amount_cents: 4250,
    currency: 'USD',
    merchant_id: 'mer_demo_diner',
    business_name: 'Demo Diner',
    processor: 'sandbox',
    purpose: 'payment',
    voice: null,
    environment: 'test',
    order_id: 'order_1001',
    platform_call_id: 'CA123',
    caller_phone: '+15550101234',
    caller_first_name: 'Demo',
    return_to: 'sip:agent@agents.example.com:5090;transport=tcp',
    success_message: 'Thank you, enjoy your meal!',
    failure_message: 'Please pay at the counter.',
    charge: null,
    cards: [{ instrument_id: 'card_demo_visa', brand: 'VISA', last_four: '4242', expiry: '12/2049' }],
    default_card_id: 'card_demo_visa',
    instrument_id: null,
    tokenization: null,
    screen: null,
    metadata: { table: '7' },
  });
});

test('returns null for absent fields, and no token', async () => {
  const created = await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 1 });
  const answer = await api.get(`/v1/checkout_sessions/${created.checkout_session_id}`);
  expect(answer.body).toMatchObject({
    order_id: null,
    platform_call_id: null,
    caller_phone: null,
    caller_first_name: null,
    return_to: null,
    success_message: null,
    failure_message: null,
    cards: [],
  });
  expect(answer.text).not.toContain(created.transfer_to.slice(4).split('@')[0]?.split('-')[1]);
});

test('returns an empty merchant ID and no names for a session without a merchant', async () => {
  const created = await api.checkout({ merchant_number: '+15550100777', amount_cents: 1 });
  expect(await read(created.checkout_session_id)).toMatchObject({
    merchant_id: '',
    business_name: null,
    processor: null,
    payment_required: 'none',
  });
});

test('returns no cards for a session with nothing to pay', async () => {
  await api.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ('card_free', $1, 'test', 'con_demo_caller', 'mer_demo_free', 'sandbox', 'h', 'VISA', '4242', 1, 2049)`,
    [DEMO_ACCOUNT],
  );
  const created = await api.checkout({ ...DINER, merchant_id: 'mer_demo_free' });
  expect(created.cards).toEqual([]);
  expect((await read(created.checkout_session_id)).cards).toEqual([]);
});

test('shows a succeeded charge instead of earlier failed ones', async () => {
  const { checkout_session_id: id } = await api.checkout(DINER);
  await insertCharge(id, { id: 'ch_declined', status: 'failed', declineCode: 'generic_decline' });
  await insertCharge(id, { id: 'ch_paid', status: 'succeeded' });
  await api.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
  const session = await read(id);
  expect(session).toMatchObject({ session_status: 'complete', cards: [], default_card_id: null });
  expect(session.charge).toEqual({
    charge_id: 'ch_paid',
    status: 'succeeded',
    amount_cents: 4250,
    processor_payment_id: 'pay_1',
  });
});

test('returns 200 for a declined charge, with the failure of the charge operation', async () => {
  const { checkout_session_id: id } = await api.checkout(DINER);
  await insertCharge(id, { id: 'ch_poor', status: 'failed', declineCode: 'insufficient_funds' });
  const answer = await api.get(`/v1/checkout_sessions/${id}`);
  const entry = errorEntry('card_declined', 'insufficient_funds');
  expect(answer.body.session_status).toBe('open');
  expect(answer.body.cards).toHaveLength(1);
  expect(answer.body.charge).toEqual({
    charge_id: 'ch_poor',
    status: 'failed',
    amount_cents: 4250,
    processor_payment_id: null,
    failure: {
      type: 'card_error',
      code: 'card_declined',
      audience: 'caller',
      message: entry.message,
      advice_code: 'try_again_later',
      agent_message: entry.agentMessage,
      display_message: entry.displayMessage,
      agent_action: 'offer_different_card',
      doc_url: 'https://docs.example.com/api-reference/error-codes#card_declined',
      request_id: answer.headers.get('x-request-id'),
      decline_code: 'insufficient_funds',
      charge: 'ch_poor',
      processor_code: '51',
    },
  });
});

test('shows a session past its expiry as expired, before and after it is swept', async () => {
  const { checkout_session_id: id } = await api.checkout({ ...DINER, ttl_seconds: 60 });
  expect(await read(id)).toMatchObject({ session_status: 'open' });
  await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
  expect(await read(id)).toMatchObject({ session_status: 'expired', cards: [], default_card_id: null });
  await api.database.transaction((sql) => expireDueSessions(sql, 100));
  expect(await read(id)).toMatchObject({ session_status: 'expired' });
});

test('keeps a session with a pending charge open past its expiry', async () => {
  const { checkout_session_id: id } = await api.checkout(DINER);
  await insertCharge(id, { id: 'ch_pending', status: 'pending' });
  await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
  await api.database.transaction((sql) => expireDueSessions(sql, 100));
  expect(await read(id)).toMatchObject({ session_status: 'open', charge: { status: 'pending' } });
});

test('says that a payment could not be collected after all, if its capture failed later', async () => {
  const { checkout_session_id: id } = await api.checkout(DINER);
  await insertCharge(id, { id: 'ch_captureFailedLater', status: 'failed', declineCode: 'processing_error' });
  await api.database.query(
    `with failed as (update charges set settled_at = now(), capture_failed_at = now() where session_id = $1)
     update checkout_sessions set status = 'complete' where id = $1`,
    [id],
  );
  expect(await read(id)).toMatchObject({
    session_status: 'complete',
    agent_message: "That payment could not be collected after all, so it isn't paid.",
    charge: { status: 'failed', capture_failed_at: expect.stringMatching(/Z$/) },
  });
});

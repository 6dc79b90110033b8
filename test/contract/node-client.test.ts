/** The Node.js client library against the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AuthenticationError,
  CardError,
  IdempotencyError,
  InvalidRequestError,
  Ringkey,
} from '../../src/clients/node/src/index.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
let ringkey: Ringkey;
beforeAll(async () => {
  api = await startTestApi();
  ringkey = new Ringkey({ apiKey: DEMO_KEY, baseUrl: api.url });
});
afterAll(() => api.close());

const CALLER = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234' };
const createCheckout = () => ringkey.createCheckout({ ...CALLER, order_id: 'order_1001', allow_repeat: true });

test('creates a checkout, charges the saved card and reads the session', async () => {
  const { checkout_session_id, default_card_id, transfer_to } = await createCheckout();
  expect(transfer_to).toMatch(/^sip:cs_/);
  const charge = await ringkey.charge({ checkout_session_id, instrument_id: default_card_id ?? '' });
  expect(charge).toMatchObject({ status: 'succeeded', amount_cents: 4_250, replay: false });
  const session = await ringkey.retrieveCheckoutSession(checkout_session_id);
  expect(session).toMatchObject({ session_status: 'complete', charge: { charge_id: charge.charge_id } });
  const { charges, has_more } = await ringkey.listCharges({ checkout_session_id, limit: 1 });
  expect([charges.length, has_more]).toEqual([1, false]);
  const refund = await ringkey.createRefund({ charge: charge.charge_id, amount_cents: 100 });
  expect(await ringkey.retrieveRefund(refund.refund_id)).toMatchObject({ amount_cents: 100 });
});

test('creates, changes and deletes a webhook endpoint', async () => {
  const created = await ringkey.createWebhookEndpoint({
    url: 'https://agents.example.com/ringkey',
    events: ['checkout.completed'],
  });
  expect(created.signing_secret).toMatch(/^whsec_/);
  const id = created.webhook_endpoint_id;
  expect(await ringkey.changeWebhookEndpoint(id, { disabled: true })).toMatchObject({ disabled: true });
  expect(await ringkey.deleteWebhookEndpoint(id)).toMatchObject({ deleted: true });
});

test('gets the same session for the same idempotency key, and an error for other details', async () => {
  const options = { idempotencyKey: 'call-7f3a' };
  const body = { ...CALLER, amount_cents: 500 };
  const first = await ringkey.createCheckout(body, options);
  expect(await ringkey.createCheckout(body, options)).toEqual(first);
  const other = ringkey.createCheckout({ ...body, amount_cents: 501 }, options);
  await expect(other).rejects.toBeInstanceOf(IdempotencyError);
});

test('throws a typed error with the code, the status and the request ID of the answer', async () => {
  const missing = ringkey.retrieveCheckoutSession('cs_unknown');
  await expect(missing).rejects.toBeInstanceOf(InvalidRequestError);
  await expect(missing).rejects.toMatchObject({
    name: 'InvalidRequestError',
    code: 'session_not_found',
    status: 404,
    requestId: expect.stringMatching(/^req_/),
    agentMessage: null,
  });
  const stranger = new Ringkey({ apiKey: 'rk_test_unknown', baseUrl: api.url });
  await expect(stranger.retrieveAccount()).rejects.toBeInstanceOf(AuthenticationError);
});

test('throws a CardError with the words for the caller after a decline', async () => {
  const caller = { ...CALLER, caller_phone: '+15550109876' };
  const { instrument_id } = await ringkey.saveCard({ ...caller, token: 'tok_insufficient_funds' });
  const { checkout_session_id } = await ringkey.createCheckout({ ...caller, amount_cents: 500 });
  const declined = ringkey.charge({ checkout_session_id, instrument_id });
  await expect(declined).rejects.toBeInstanceOf(CardError);
  await expect(declined).rejects.toMatchObject({
    code: 'card_declined',
    status: 402,
    agentMessage: expect.stringContaining('card'),
    agentAction: 'offer_different_card',
    details: { decline_code: 'insufficient_funds' },
  });
});

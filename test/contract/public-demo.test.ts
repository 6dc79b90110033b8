/** The public demo: visitors can try it, but cannot change shared objects or reach our network. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, CALLER, expectError, insertTestKeys, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
let inside: Server;
let insideUrl: string;
let requests = 0;
beforeAll(async () => {
  inside = createServer((_request, response) => {
    requests += 1;
    response.end('{"amount_cents":1}');
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
  api = await startTestApi({ isPublicDemo: true, privateTargets: false });
  await insertTestKeys(api);
});
afterAll(async () => {
  await api.close();
  inside.close();
});

/** Without a key, and with the demo's well-known one. */
const VISITORS: [string, (method: string, path: string, body?: unknown) => Promise<Answer>][] = [
  ['no key', async (method, path, body) => keyless(method, path, body)],
  ['the demo’s key', (method, path, body) => api.send(method, path, body)],
];

async function keyless(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(api.url + path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

describe.each(VISITORS)('with %s', (_what, send) => {
  test.each([
    ['POST', '/v1/keys', {}],
    ['POST', '/v1/keys/key_1/roll', {}],
    ['DELETE', '/v1/keys/key_1', undefined],
    ['POST', '/v1/merchants', { business_name: 'Mine' }],
    ['PATCH', '/v1/merchants/mer_demo_diner', { business_name: 'Mine' }],
    ['POST', '/v1/merchants/mer_demo_diner/processor', { processor: 'sandbox' }],
    ['PUT', '/v1/merchants/mer_demo_diner/logo', '<svg/>'],
    ['DELETE', '/v1/merchants/mer_demo_diner/logo', undefined],
    ['POST', '/v1/cards', { merchant_id: 'mer_demo_diner', caller_phone: CALLER, first_name: 'Mine' }],
    ['DELETE', '/v1/cards/card_demo_visa', undefined],
    ['DELETE', '/v1/consumers/con_demo_caller', undefined],
    ['PATCH', '/v1/webhook_endpoints/we_1', { disabled: true }],
    ['DELETE', '/v1/webhook_endpoints/we_1', undefined],
    ['POST', '/v1/webhook_endpoints/we_1/roll_secret', {}],
    ['PATCH', '/v1/account', { return_hosts: [] }],
    ['POST', '/v1/calls/call_1/end', undefined],
    ['POST', '/v1/charges/ch_1/settle', { outcome: 'not_received' }],
    ['POST', '/v1/refunds/re_1/settle', { outcome: 'not_received' }],
    ['POST', '/v1/account/roll_header_signing_secret', undefined],
    ['GET', '/v1/audit_events', undefined],
    ['GET', '/v1/requests', undefined],
    ['GET', '/v1/requests/req_wj3degzdpcf54erf5dhqd3dqci', undefined],
  ])('rejects %s %s from visitors', async (method, path, body) => {
    expectError(await send(method, path, body), 'invalid_key');
  });

  test('lets visitors create and pay a checkout', async () => {
    const checkout = { merchant_id: 'mer_demo_diner', caller_phone: CALLER, amount_cents: 700 };
    const { body } = await send('POST', '/v1/create_checkout', checkout);
    const paid = await send('POST', '/v1/charge', {
      checkout_session_id: body.checkout_session_id,
      instrument_id: 'card_demo_visa',
    });
    expect(paid.body).toMatchObject({ status: 'succeeded', amount_cents: 700 });
    expect((await send('GET', '/v1/keys')).status).toBe(200);
  });
});

test('does not restrict other accounts', async () => {
  expect((await api.post('/v1/keys', {}, bearer(OTHER_KEY))).status).toBe(200);
  expect((await api.post('/v1/merchants', { business_name: 'Mine' }, bearer(OTHER_KEY))).status).toBe(200);
});

describe('URLs with private addresses', () => {
  const PRIVATE = [
    'http://127.0.0.1:9/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://a.local/',
  ];

  test.each(PRIVATE)('rejects the webhook endpoint %s, also in test mode', async (url) => {
    const events = ['checkout.completed'];
    expectError(await api.post('/v1/webhook_endpoints', { url, events }), 'invalid_url', 'url');
  });

  test.each(PRIVATE)('rejects the order source %s, also in test mode', async (url) => {
    const body = { business_name: 'Mine', order_source: { type: 'http', url } };
    expectError(await api.post('/v1/merchants', body, bearer(OTHER_KEY)), 'invalid_url', 'order_source.url');
  });

  test('sends no requests to private addresses that are already stored', async () => {
    const order_source = { type: 'http', url: 'https://shop.example.com/' };
    const { body } = await api.post('/v1/merchants', { business_name: 'Mine', order_source }, bearer(OTHER_KEY));
    await api.database.query('update order_sources set url = $2 where merchant_id = $1', [body.merchant_id, insideUrl]);
    const answer = await api.get(`/v1/orders/1?merchant_id=${body.merchant_id}`, bearer(OTHER_KEY));
    expectError(answer, 'order_lookup_failed', 'order_id');
    expect(requests).toBe(0);
  });
});

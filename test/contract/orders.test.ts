/** Order lookup at the merchant's own URL, `GET /v1/orders/{id}`, and the tool form of create_checkout, over HTTP. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { OrderResource } from '../../src/http/api/routes/orders.ts';
import { ToolCreateCheckoutResponse } from '../../src/http/api/routes/tool-create-checkout.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY, OTHER_LIVE_KEY } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

interface OrderRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

let api: TestApi;
let url: string;
let secret: string;
let merchant: string;
const orderRequests: OrderRequest[] = [];
/** How the merchant's server answers. */
let answer: (response: ServerResponse) => void;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    orderRequests.push({ headers: request.headers, body });
    answer(response);
  });
});

beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  const created = await api.post('/v1/merchants', { business_name: 'Shop', order_source: { type: 'http', url } });
  merchant = String(created.body.merchant_id);
  secret = (created.body.order_source as { signing_secret: string }).signing_secret;
  await api.post(`/v1/merchants/${merchant}/processor`, { processor: 'sandbox' });
});
afterAll(async () => {
  await api.close();
  server.closeAllConnections();
  server.close();
});

const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const order = (id: string, query = `merchant_id=${merchant}`, headers = {}) =>
  api.get(`/v1/orders/${encodeURIComponent(id)}?${query}`, headers);

describe('the merchant’s own URL', () => {
  test('sends a signed request to the merchant’s URL, and uses its amount', async () => {
    answer = json(200, { amount_cents: 1_234, currency: 'usd', extra: true });
    const body = { merchant_id: merchant, order_id: 'ördér 1', amount_cents: 1 };
    expect(await api.checkout(body)).toMatchObject({ amount_cents: 1_234, amount_source: 'order' });
    const question = orderRequests.at(-1);
    expect(new Webhook(secret).verify(question?.body ?? '', question?.headers as Record<string, string>)).toEqual({
      order_id: 'ördér 1',
      merchant_id: merchant,
      mode: 'test',
    });
    expect(question?.headers['content-type']).toBe('application/json');
  });

  test('logs a failed lookup with the reason and the request ID, without the answer', async () => {
    const reasons: [(response: ServerResponse) => void, string, RegExp][] = [
      [json(500, {}), 'status', /neither 200 nor 404/],
      [(response) => response.writeHead(200).end('a secret'), 'amount', /no amount that can be charged/],
      [(response) => response.destroy(), 'unreachable', /could not be reached/],
    ];
    for (const [behaviour, why, message] of reasons) {
      answer = behaviour;
      const { headers, body } = await order('1');
      expect(body.error.message).toMatch(message);
      const request_id = String(headers.get('x-request-id'));
      expect(orderRequests.at(-1)?.headers['webhook-id']).toBe(request_id);
      const lines = api.log.filter((line) => line.includes(request_id)).map((line) => JSON.parse(line));
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'order source failed', request_id, why }));
    }
    expect(api.log.join('')).not.toContain('secret');
  });

  test('looks up an order for GET /v1/orders', async () => {
    answer = json(200, { amount_cents: 99, currency: null });
    expect(OrderResource.strict().parse((await order('A/1')).body)).toEqual({
      order_id: 'A/1',
      merchant_id: merchant,
      amount_cents: 99,
      currency: 'USD',
    });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['404', json(404, {})],
    ['500', json(500, { amount_cents: 5 })],
    ['201', json(201, { amount_cents: 5 })],
    ['a redirect', (response) => response.writeHead(302, { location: `${url}/elsewhere` }).end()],
    ['no JSON', (response) => response.writeHead(200).end('5')],
    ['half a JSON', (response) => response.writeHead(200).end('{"amount_cents":')],
    ['an amount as text', json(200, { amount_cents: '5' })],
    ['a fraction', json(200, { amount_cents: 5.5 })],
    ['nothing to pay', json(200, { amount_cents: 0 })],
    ['too much', json(200, { amount_cents: 100_000_000 })],
    ['another currency', json(200, { amount_cents: 5, currency: 'EUR' })],
    ['a list', json(200, [{ amount_cents: 5 }])],
    ['64 KiB and more', json(200, { amount_cents: 5, pad: 'x'.repeat(70_000) })],
    ['a lost connection', (response) => response.destroy()],
    [
      'a broken answer',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{');
        response.destroy();
      },
    ],
  ])('returns order_lookup_failed for %s', async (_what, behaviour) => {
    const before = orderRequests.length;
    answer = behaviour;
    expectError(await order('1'), 'order_lookup_failed', 'order_id');
    expectError(
      await api.post('/v1/create_checkout', { merchant_id: merchant, order_id: '1' }),
      'order_lookup_failed',
      'order_id',
    );
    // Redirects are not followed, and nothing is asked twice.
    expect(orderRequests.length).toBe(before + 2);
  });

  test('waits 3 seconds for an order source', async () => {
    answer = () => undefined;
    const started = performance.now();
    expectError(await order('1'), 'order_lookup_failed', 'order_id');
    const tookMs = performance.now() - started;
    expect(tookMs).toBeGreaterThan(2_500);
    expect(tookMs).toBeLessThan(40_000);
  });

  test('does not call a private address in live mode', async () => {
    const headers = bearer(LIVE_KEY);
    const order_source = { type: 'http', url: 'https://shop.example.com/' };
    const { body } = await api.post('/v1/merchants', { business_name: 'Live', order_source }, headers);
    // As if the host's name resolved to this address.
    await api.database.query('update order_sources set url = $2 where merchant_id = $1', [body.merchant_id, url]);
    const before = orderRequests.length;
    expectError(await order('1', `merchant_id=${body.merchant_id}`, headers), 'order_lookup_failed', 'order_id');
    const local = url.replace('127.0.0.1', 'localhost.');
    await api.database.query('update order_sources set url = $2 where merchant_id = $1', [body.merchant_id, local]);
    expectError(await order('1', `merchant_id=${body.merchant_id}`, headers), 'order_lookup_failed', 'order_id');
    expect(orderRequests.length).toBe(before);
  });
});

describe('GET /v1/orders', () => {
  test('looks up orders in the sandbox by default, and nowhere with the order source `none`', async () => {
    expect((await order('order_1001', 'merchant_id=mer_demo_diner')).body).toMatchObject({ amount_cents: 4250 });
    expectError(await order('order_9', 'merchant_id=mer_demo_diner'), 'order_lookup_failed', 'order_id');
    const { body } = await api.post('/v1/merchants', { business_name: 'Bare', order_source: { type: 'none' } });
    expectError(await order('1', `merchant_id=${body.merchant_id}`), 'order_lookup_unsupported', 'order_id');
  });

  test.each<[string, string, ErrorCode, string]>([
    ['order_1001', '', 'missing_required_fields', 'merchant_id'],
    ['order_1001', 'merchant_id=mer_nobody', 'merchant_not_found', 'merchant_id'],
    ['x'.repeat(256), 'merchant_id=mer_demo_diner', 'invalid_value', 'order_id'],
    ['a\u0000b', 'merchant_id=mer_demo_diner', 'invalid_value', 'order_id'],
  ])('rejects the order %s with the query %s', async (id, query, code, param) => {
    expectError(await order(id, query), code, param);
  });

  test('rejects merchants of other accounts and modes', async () => {
    expectError(
      await order('order_1001', 'merchant_id=mer_demo_diner', bearer(OTHER_KEY)),
      'merchant_not_found',
      'merchant_id',
    );
    expectError(await order('order_1001', 'merchant_id=mer_demo_diner', bearer(LIVE_KEY)), 'invalid_key');
  });
});

describe('the tool form', () => {
  const PATH = '/api/tools/create_checkout';
  const slug = (name: string) => ({ 'x-ringkey-merchant': name });

  test('creates a session and returns the transfer target', async () => {
    const line_items = [{ name: 'Soup', quantity: 2, amount_cents: 600 }];
    const body = { amount_cents: 1_200, line_items, success_message: 'Enjoy!' };
    const opened = ToolCreateCheckoutResponse.strict().parse((await api.post(PATH, body, slug('demo-diner'))).body);
    expect(opened).toMatchObject({
      payment_required: 'required',
      transfer_to: expect.stringContaining(`sip:${opened.id}-`),
    });
    expect((await api.get(`/v1/checkout_sessions/${opened.id}`)).body).toMatchObject({
      merchant_id: 'mer_demo_diner',
      amount_cents: 1_200,
      success_message: 'Enjoy!',
    });
    const { rows } = await api.database.query('select line_items from checkout_sessions where id = $1', [opened.id]);
    expect(rows).toEqual([{ line_items: [{ name: 'Soup', quantity: 2, amountCents: 600 }] }]);
  });

  test('accepts caller and call, and returns the agent message', async () => {
    const body = {
      amount_cents: 1_200,
      caller_phone: '+15550101234',
      platform_call_id: 'call-7f3a',
      return_to: 'sip:agent@agents.example.com',
    };
    const { body: opened, headers } = await api.post(PATH, body, slug('demo-diner'));
    expect(headers.get('x-ringkey-unknown-fields')).toBeNull();
    expect(opened.agent_message).toMatch(/^I'll transfer you/);
    const { body: read } = await api.get(`/v1/checkout_sessions/${opened.id}`);
    expect(read).toMatchObject({ ...body, caller_first_name: 'Demo' });
  });

  test('names the missing header, and the mode of the merchant', async () => {
    const none = (await api.post(PATH, { amount_cents: 5 })).body;
    expect(none.error.message).toContain('`X-Ringkey-Merchant` is missing');
    const live = (await api.post(PATH, { amount_cents: 5 }, { ...slug('demo-diner'), ...bearer(LIVE_KEY) })).body;
    expect(live.error).toMatchObject({ code: 'merchant_not_found', message: expect.stringContaining('of test mode') });
    for (const key of [OTHER_KEY, OTHER_LIVE_KEY]) {
      const stranger = { ...slug('demo-diner'), ...bearer(key) };
      const other = (await api.post(PATH, { amount_cents: 5 }, stranger)).body;
      expect(other.error).toMatchObject({ code: 'merchant_not_found' });
      expect(other.error.message).not.toContain('of test mode');
    }
  });

  test('omits transfer_to without a transfer, and prefers the order’s amount', async () => {
    const opened = (await api.post(PATH, { amount_cents: 5 }, slug('demo-free'))).body;
    expect(opened).toEqual({
      id: expect.stringMatching(/^cs_/),
      agent_message: "You're all set. There's nothing to pay right now.",
      payment_required: 'none',
    });
    const { id } = (await api.post(PATH, { amount_cents: 5, order_id: 'order_1001' }, slug('demo-diner'))).body;
    expect((await api.get(`/v1/checkout_sessions/${id}`)).body).toMatchObject({ amount_cents: 4250 });
  });

  test.each<[string, unknown, Record<string, string>, ErrorCode, string]>([
    ['no merchant', { amount_cents: 5 }, {}, 'missing_required_fields', 'X-Ringkey-Merchant'],
    ['an empty merchant', { amount_cents: 5 }, slug(''), 'missing_required_fields', 'X-Ringkey-Merchant'],
    ['an unknown merchant', { amount_cents: 5 }, slug('nobody'), 'merchant_not_found', 'X-Ringkey-Merchant'],
    [
      'another account',
      { amount_cents: 5 },
      { ...slug('demo-diner'), ...bearer(OTHER_KEY) },
      'merchant_not_found',
      'X-Ringkey-Merchant',
    ],
    ['no amount', {}, slug('demo-diner'), 'missing_required_fields', 'amount_cents'],
    ['an amount as text', { amount_cents: '5' }, slug('demo-diner'), 'invalid_value', 'amount_cents'],
    ['items that are none', { amount_cents: 5, line_items: {} }, slug('demo-diner'), 'invalid_value', 'line_items'],
    [
      'an item without a name',
      { amount_cents: 5, line_items: [{ quantity: 1, amount_cents: 1 }] },
      slug('demo-diner'),
      'missing_required_fields',
      'line_items.0.name',
    ],
    [
      'half an item',
      { amount_cents: 5, line_items: [{ name: 'a', quantity: 0.5, amount_cents: 1 }] },
      slug('demo-diner'),
      'invalid_value',
      'line_items.0.quantity',
    ],
  ])('rejects the tool form with %s', async (_what, body, headers, code, param) => {
    expectError(await api.post(PATH, body, headers), code, param);
  });

  test('requires an API key for the tool form', async () => {
    expectError(
      await api.post(PATH, { amount_cents: 5 }, { ...slug('demo-diner'), ...bearer('rk_test_x') }),
      'invalid_key',
    );
  });
});

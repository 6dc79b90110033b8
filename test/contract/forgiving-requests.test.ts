/** Slightly wrong requests: they work anyway, or the error says what to change. */
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, insertTestKeys, LIVE_KEY, OTHER_KEY, OTHER_LIVE_KEY } from './fixtures.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 1_200 };

describe('a slash at the end of a path', () => {
  test.each(['/v1/charges/', '/v1/merchants/mer_demo_diner/', '/v1/merchants/mer_demo_diner/status/'])(
    'treats %s as the path without the slash',
    async (path) => {
      const [slashed, plain] = [await api.get(path), await api.get(path.slice(0, -1))];
      expect(slashed.status).toBe(200);
      expect(slashed.body).toEqual(plain.body);
    },
  );

  test('treats a path with a trailing slash as the same request for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'slash-1' };
    const first = await api.post('/v1/create_checkout/', DINER, key);
    const second = await api.post('/v1/create_checkout', DINER, key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.checkout_session_id).toBe(first.body.checkout_session_id);
  });
});

/** Sends the request without the headers that a client adds. */
async function rawDelete(path: string, headers: Record<string, string>) {
  const url = new URL(path, api.url);
  const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = send(url, { method: 'DELETE', headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    request.on('error', reject);
    request.end();
  });
  return { status: answer.status, body: JSON.parse(answer.body) as { error?: { code: string } } };
}

test.each([
  ['no length', {}],
  ['the length 0', { 'content-length': '0' }],
  ['an empty chunked body', { 'transfer-encoding': 'chunked' }],
  ['a charset', { 'content-type': 'application/json; charset=utf-8', 'content-length': '0' }],
])('accepts DELETE with a JSON content type and no body (%s)', async (_, headers) => {
  const endpoint = { url: 'https://hooks.example.com/in', events: ['checkout.completed'] };
  const { webhook_endpoint_id: id } = (await api.post('/v1/webhook_endpoints', endpoint)).body;
  const typed = { 'content-type': 'application/json', ...headers };
  const { status, body } = await rawDelete(`/v1/webhook_endpoints/${id}`, typed);
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
});

describe('an error', () => {
  test('names the unknown merchant', async () => {
    const { body } = await api.post('/v1/create_checkout', { ...DINER, merchant_id: 'mer_nobody' });
    expect(body.error).toMatchObject({ code: 'merchant_not_found', message: expect.stringContaining('`mer_nobody`') });
    const { body: read } = await api.get('/v1/merchants/mer_nobody');
    expect(read.error.message).toContain('`mer_nobody`');
  });

  test.each([
    // A card number, which no field takes.
    ['4242424242424242', 'invalid_value'],
    ['mer_4242424242424242', 'invalid_value'],
    ['1234567890123456', 'merchant_not_found'],
    ['mer_x<script>', 'merchant_not_found'],
  ])('does not repeat %s in the error', async (merchant_id, code) => {
    const { body } = await api.post('/v1/create_checkout', { ...DINER, merchant_id });
    expect(body.error.code).toBe(code);
    expect(JSON.stringify(body)).not.toContain(merchant_id.replace('mer_', ''));
  });

  test('names the mode of a merchant to its own account only', async () => {
    const { body } = await api.post('/v1/create_checkout', DINER, bearer(LIVE_KEY));
    expect(body.error.code).toBe('invalid_key');
    expect(body.error.message).toBe(
      'The merchant `mer_demo_diner` belongs to test mode, but this key belongs to live mode. Use a key of test mode.',
    );
    // Both modes of another account: only in live mode could the message name the other mode.
    for (const key of [OTHER_KEY, OTHER_LIVE_KEY]) {
      const other = await api.post('/v1/create_checkout', DINER, bearer(key));
      expect(other.body.error).toMatchObject({ code: 'merchant_not_found' });
      expect(other.body.error.message).not.toContain('belongs to');
    }
  });

  test('says that a session belongs to the other mode', async () => {
    const { checkout_session_id: id } = await api.checkout(DINER);
    const { body } = await api.get(`/v1/checkout_sessions/${id}`, bearer(LIVE_KEY));
    expect(body.error).toMatchObject({
      code: 'invalid_key',
      message: expect.stringContaining('Use a key of test mode'),
    });
  });

  test('names the amounts if a refund is too large', async () => {
    const { id: charge } = await createCharge(api, 'visa');
    expect((await api.post('/v1/refunds', { charge, amount_cents: 1_000 })).status).toBe(200);
    const { body } = await api.post('/v1/refunds', { charge, amount_cents: 4_000 });
    expect(body.error).toMatchObject({
      code: 'invalid_value',
      param: 'amount_cents',
      charge,
      message:
        'This is more than can be refunded: 1000 of 4000 is refunded or has a pending refund, so 3000 is left (minor units, USD).',
    });
    await api.post('/v1/refunds', { charge });
    const { body: again } = await api.post('/v1/refunds', { charge, amount_cents: 1 });
    expect(again.error.message).toContain('4000 of 4000 is refunded or has a pending refund, so 0 is left');
  });
});

describe('line_items of create_checkout', () => {
  const line_items = [
    { name: 'Soup', quantity: 2, amount_cents: 300 },
    { name: 'Tea', quantity: 1, amount_cents: 600 },
  ];

  test('shows line items on the pay page', async () => {
    const opened = await api.post('/v1/create_checkout', { ...DINER, caller_phone: '+15550101234', line_items });
    expect(opened.headers.get('x-ringkey-unknown-fields')).toBeNull();
    const id = opened.body.checkout_session_id;
    const { rows } = await api.database.query('select line_items from checkout_sessions where id = $1', [id]);
    expect(rows).toEqual([
      { line_items: line_items.map(({ amount_cents, ...item }) => ({ ...item, amountCents: amount_cents })) },
    ]);
    const { body: link } = await api.post('/v1/send_link', { checkout_session_id: id });
    const page = await (await fetch(new URL(new URL(String(link.pay_url)).pathname, api.url))).text();
    expect(page).toMatch(/Soup[\s\S]*Tea/);
  });

  test.each([
    [{ line_items: {} }, 'line_items', 'invalid_value'],
    [{ line_items: [{ quantity: 1, amount_cents: 1 }] }, 'line_items.0.name', 'missing_required_fields'],
    [{ line_items: [{ name: 'a', quantity: 0, amount_cents: 1 }] }, 'line_items.0.quantity', 'invalid_value'],
    [{ line_items: [{ name: 'a', quantity: 1, amount_cents: -1 }] }, 'line_items.0.amount_cents', 'invalid_value'],
  ])('rejects the line item %j', async (fields, param, code) => {
    const { body } = await api.post('/v1/create_checkout', { ...DINER, ...fields });
    expect(body.error).toMatchObject({ code, param });
  });
});

test('documents the header of unknown fields for all answers that can have it', async () => {
  const document = (await api.get('/openapi.json')).body as unknown as OpenApi;
  expect(document.components.headers).toHaveProperty('X-Ringkey-Unknown-Fields');
  const headersOf = (path: string, method: string) => document.paths[path]?.[method]?.responses['200']?.headers;
  expect(headersOf('/v1/create_checkout', 'post')).toHaveProperty('X-Ringkey-Unknown-Fields');
  const headersOfRead = headersOf('/v1/charges', 'get');
  expect(headersOfRead).toHaveProperty('X-Request-Id');
  expect(headersOfRead).not.toHaveProperty('X-Ringkey-Unknown-Fields');
  for (const page of ['/docs', '/docs/quickstart', '/docs/voice-platforms']) {
    expect(await (await fetch(api.url + page)).text(), page).toContain('X-Ringkey-Unknown-Fields');
  }
});

interface OpenApi {
  components: { headers: object };
  paths: Record<string, Record<string, { responses: Record<string, { headers: object }> }>>;
}

/** A demo on the user's own machine, reached through a tunnel or by a name that resolves to 127.0.0.1. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { bearer, CALLER } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const PUBLIC_HOST = 'demo.example.com';
const CHECKOUT = { merchant_id: 'mer_demo_diner', caller_phone: CALLER, amount_cents: 700 };
const LOCAL_ENDPOINT = { url: 'http://127.0.0.1:9/', events: ['checkout.completed'] };
const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ privateTargets: true, privateTargetsLocally: true, allowedHosts: [PUBLIC_HOST] });
});
afterAll(() => api.close());

type Headers = Record<string, string>;

/** Not with `fetch`, which sets the header Host itself. */
async function send(method: string, path: string, headers: Headers, body?: unknown) {
  const sent = request(api.url + path, { method, headers: { 'content-type': 'application/json', ...headers } });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const { error } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as { error?: { code: string; param?: string } };
  return { status: response.statusCode, code: error?.code, param: error?.param };
}

const checkout = (headers: Headers) => send('POST', '/v1/create_checkout', headers, CHECKOUT);

test.each(['127.0.0.1', 'localhost:8080', '[::1]:8080', 'ringkey.localhost'])(
  'a request to %s from this machine needs no key',
  async (host) => {
    expect(await checkout({ host })).toMatchObject({ status: 200 });
  },
);

test.each([
  FORWARDED,
  { forwarded: 'for=203.0.113.9' },
  { 'x-forwarded-host': 'abc.ngrok.app' },
  { 'cf-connecting-ip': '203.0.113.9' },
  { via: '1.1 tunnel' },
  { 'x-real-ip': '203.0.113.9' },
  { host: PUBLIC_HOST },
])('requires a key for a forwarded request: %o', async (headers: Headers) => {
  expect(await checkout(headers)).toMatchObject({ status: 401, code: 'invalid_key' });
  expect(await checkout({ ...headers, ...bearer(DEMO_KEY) })).toMatchObject({ status: 200 });
});

test.each([
  { origin: 'https://evil.example.com' },
  { origin: 'http://localhost:3000' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example.com' },
])('requires a key for a request from a page of another site, also without a body: %o', async (headers: Headers) => {
  const refused = { status: 401, code: 'invalid_key' };
  const paths = [
    ['POST', '/v1/webhook_endpoints/we_1/test'],
    ['DELETE', '/v1/webhook_endpoints/we_1'],
    ['GET', '/v1/charges'],
  ] as const;
  for (const [method, path] of paths) {
    expect(await send(method, path, { host: 'localhost:8080', ...headers })).toMatchObject(refused);
  }
  expect(await checkout({ host: 'localhost:8080', ...headers })).toMatchObject(refused);
  expect(await checkout({ host: 'localhost:8080', ...headers, ...bearer(DEMO_KEY) })).toMatchObject({ status: 200 });
});

test.each([
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' },
  { origin: 'http://localhost:8080' },
])('requires no key for a request from our own page or its user: %o', async (headers: Headers) => {
  expect(await checkout({ host: 'localhost:8080', ...headers })).toMatchObject({ status: 200 });
});

test.each([
  ['GET', '/demo/texts'],
  ['GET', '/docs'],
  ['POST', '/v1/create_checkout'],
  ['GET', '/no/such/path'],
])('rejects a foreign host: %s %s', async (method, path) => {
  const refused = { status: 400, code: 'invalid_value', param: 'Host' };
  expect(await send(method, path, { host: 'rebound.example.com' })).toEqual(refused);
  expect(await send(method, path, { host: 'rebound.example.com', ...bearer(DEMO_KEY) })).toEqual(refused);
});

describe('a stranger who comes through a tunnel', () => {
  const stranger = { ...FORWARDED, ...bearer(DEMO_KEY) };

  test.each([
    ['POST', '/v1/keys', {}],
    ['POST', '/v1/cards', { merchant_id: 'mer_demo_diner', caller_phone: CALLER, token: 'tok_visa', first_name: 'X' }],
    ['PATCH', '/v1/webhook_endpoints/we_1', { disabled: true }],
    ['DELETE', '/v1/webhook_endpoints/we_1', undefined],
    ['POST', '/v1/webhook_endpoints/we_1/roll_secret', {}],
    ['PATCH', '/v1/merchants/mer_demo_diner', { business_name: 'Mine' }],
  ])('rejects changes to shared objects through a tunnel: %s %s', async (method, path, body) => {
    expect(await send(method, path, stranger, body)).toMatchObject({ status: 401, code: 'invalid_key' });
  });

  test('allows webhooks to this machine for its user, but not through a tunnel', async () => {
    const refused = { status: 400, code: 'invalid_url', param: 'url' };
    expect(await send('POST', '/v1/webhook_endpoints', stranger, LOCAL_ENDPOINT)).toEqual(refused);
    expect(await send('POST', '/v1/webhook_endpoints', {}, LOCAL_ENDPOINT)).toMatchObject({ status: 200 });
  });
});

test('rejects the public demo key if the demo is off', async () => {
  const off = await startTestApi({ demoAccount: null });
  try {
    expect((await off.post('/v1/create_checkout', CHECKOUT, bearer(DEMO_KEY))).status).toBe(401);
  } finally {
    await off.close();
  }
});

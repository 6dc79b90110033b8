/** For operators: metrics, security headers, and database round trips per request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/pool.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const DINER = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', order_id: 'order_1001' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function metrics(): Promise<string> {
  return (await fetch(`${api.url}/metrics`)).text();
}

/** The value of a sample. Null if there is none. */
async function sample(name: string): Promise<number | null> {
  const line = (await metrics()).split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

const requests = (route: string, status: number, method = 'POST') =>
  `ringkey_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

test('counts requests by route and status, and checkouts by verdict', async () => {
  const before = (await sample('ringkey_checkouts_total{verdict="required"}')) ?? Number.NaN;
  const ok = requests('/v1/create_checkout', 200);
  const okBefore = (await sample(ok)) ?? 0;
  await api.checkout(DINER);
  await api.checkout({ merchant_id: 'mer_demo_free', amount_cents: 100 });
  await api.post('/v1/create_checkout', {});
  expect(await sample('ringkey_checkouts_total{verdict="required"}')).toBe(before + 1);
  expect(await sample('ringkey_checkouts_total{verdict="none"}')).toBeGreaterThan(0);
  expect(await sample(ok)).toBe(okBefore + 2);
  expect(await sample(requests('/v1/create_checkout', 400))).toBeGreaterThan(0);
});

test('has no metric labels with values from clients', async () => {
  await api.get('/v1/checkout_sessions/cs_unknown');
  await api.get('/nowhere/at/all');
  await api.app.inject({ method: 'PROPFIND' as never, url: '/v1/keys' });
  const text = await metrics();
  // HELP lines are our own text.
  expect(text.replace(/^# .*$/gm, '')).not.toMatch(/unknown|nowhere|PROPFIND/);
  expect(text).toContain(requests('/v1/checkout_sessions/:checkout_session_id', 404, 'GET'));
  expect(text).toContain(requests('none', 404, 'GET'));
});

test.each([
  ['a public address', { remoteAddress: '198.51.100.9' }, 404],
  ['a private address', { remoteAddress: '10.1.2.3' }, 200],
  ['IPv4 in IPv6', { remoteAddress: '::ffff:127.0.0.1' }, 200],
  ['an unknown proxy', { headers: { 'x-forwarded-for': '10.1.2.3' } }, 404],
  ['a proxy that says so otherwise', { headers: { 'x-real-ip': '10.1.2.3' } }, 404],
  ['a proxy with a standard header', { headers: { forwarded: 'for=10.1.2.3' } }, 404],
  ['a proxy that names itself alone', { headers: { via: '1.1 proxy' } }, 404],
  ['a content network', { headers: { 'cf-connecting-ip': '10.1.2.3' } }, 404],
  ['another content network', { headers: { 'true-client-ip': '10.1.2.3' } }, 404],
  ['a proxy that names the host', { headers: { 'x-forwarded-host': 'pay.example.com' } }, 404],
  ['a program with headers of its own', { headers: { 'x-prometheus-scrape-timeout-seconds': '10' } }, 200],
])('/metrics for %s: %o', async (_, request, status) => {
  const answer = await api.app.inject({ url: '/metrics', ...request });
  expect(answer.statusCode).toBe(status);
});

describe('/metrics behind a trusted proxy', () => {
  let proxied: TestApi;
  beforeAll(async () => {
    proxied = await startTestApi({ trustedProxies: ['127.0.0.0/8'] });
  });
  afterAll(() => proxied.close());

  test.each<[string, Record<string, string>, number]>([
    ['a private address', { 'x-forwarded-for': '10.1.2.3', via: '1.1 proxy' }, 200],
    ['a public address', { 'x-forwarded-for': '198.51.100.9' }, 404],
    ['an address that it does not say', { 'x-real-ip': '198.51.100.9' }, 404],
    ['another proxy, which is not trusted', { 'x-forwarded-for': '198.51.100.9, 10.1.2.3' }, 404],
  ])('for %s: %o', async (_, headers, status) => {
    expect((await proxied.app.inject({ url: '/metrics', headers })).statusCode).toBe(status);
  });
});

test.each(['/v1/create_checkout', '/healthz', '/docs', '/docs/assets/style.css', '/openapi.json', '/nowhere'])(
  '%s has the security headers, and does not name its software',
  async (path) => {
    const { headers } = await fetch(api.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    for (const name of ['server', 'x-powered-by', 'via']) expect(headers.get(name)).toBeNull();
  },
);

test('creates a checkout with at most six database round trips', async () => {
  let trips = 0;
  const counted = await startTestApi();
  const { query } = counted.database;
  counted.database.query = ((...args: Parameters<Sql['query']>) => {
    trips += 1;
    return query(...args);
  }) as Sql['query'];
  try {
    await counted.checkout(DINER);
    expect(trips).toBeGreaterThan(1);
    expect(trips).toBeLessThanOrEqual(6);
  } finally {
    await counted.close();
  }
});

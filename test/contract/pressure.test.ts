/** REST under pressure: requests are refused before they start, but health checks are answered. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  // Every timer counts as late, even one that fires too early.
  api = await startTestApi({ pressure: { maxDelayMs: -1_000, sampleMs: 50 } });
  await vi.waitFor(async () => expect((await api.get('/v1/account')).status).toBe(503), { timeout: 60_000 });
});
afterAll(() => api.close());

const statusOf = async (path: string) => (await fetch(`${api.url}${path}`)).status;
const checkouts = async () => (await api.database.query('select from checkout_sessions')).rowCount;

test('answers 503 with Retry-After and creates no checkout', async () => {
  const before = await checkouts();
  for (const path of ['/v1/create_checkout', '/api/tools/create_checkout']) {
    const { status, headers, body } = await api.post(path, { merchant_id: 'mer_demo_diner', order_id: 'order_1001' });
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '2', 'internal_error']);
    expect(ErrorObject.strict().parse(body.error).request_id).toBe(headers.get('x-request-id'));
  }
  expect(await checkouts()).toBe(before);
});

test('answers 503 to a request with an unknown key, not 401', async () => {
  const response = await fetch(`${api.url}/v1/account`, { headers: { authorization: 'Bearer rk_test_unknown' } });
  expect(response.status).toBe(503);
});

test('answers health checks, and counts refused requests in the metrics', async () => {
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200]);
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(Number(/^ringkey_http_requests_overloaded_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
});

test('does not refuse webhooks of SMS carriers, which may not repeat a STOP', async () => {
  expect(await statusOf('/hooks/sms/unknown')).toBe(404);
});

/** The whole product: a payment over REST is reported to an endpoint and to the caller. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProduct, type TestProduct } from '../../support/product.ts';
import { POLL, startTestEndpoint, type TestEndpoint } from './notification-harness.ts';

let product: TestProduct;
let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startTestEndpoint();
  const key = Buffer.alloc(32, 7).toString('base64');
  product = await startProduct({ RINGKEY_ROLES: 'api,worker', RINGKEY_DEMO: 'on', RINGKEY_ENCRYPTION_KEYS: key });
});
afterAll(async () => {
  await product?.close();
  await endpoint.close();
});

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(product.baseUrl + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

it('reports a payment by webhook and text, shows the deliveries, and resends an event by command', async () => {
  const events = ['checkout.succeeded', 'checkout.completed'];
  const hook = await ask('POST', '/v1/webhook_endpoints', { url: endpoint.url, events });
  const order = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', order_id: 'order_1001' };
  const checkout = await ask('POST', '/v1/create_checkout', order);
  const { checkout_session_id, default_card_id } = checkout;
  await ask('POST', '/v1/charge', { checkout_session_id, instrument_id: default_card_id });
  await expect.poll(() => endpoint.received.length, POLL).toBe(2);
  const webhook = new Webhook(String(hook.signing_secret));
  const received = endpoint.received.map(({ body, headers }) => webhook.verify(body, headers) as { type: string });
  expect(received.map(({ type }) => type).sort()).toEqual([...events].sort());

  const texts = async () => (await fetch(`${product.baseUrl}/demo/texts`)).text();
  await expect.poll(texts, POLL).toMatch(/Demo Diner: you paid \$42\.50 with Visa ending 4242\. Order order_1001\./);
  // Log lines are buffered for a moment.
  await expect.poll(() => product.output(), POLL).toContain('Demo Diner: you paid $42.50');

  const log = `/v1/webhook_endpoints/${hook.webhook_endpoint_id}/deliveries`;
  const statuses = async () =>
    ((await ask('GET', log)).deliveries as { status: string; answer: string }[]).map(({ status, answer }) => [
      status,
      answer,
    ]);
  await expect.poll(statuses, POLL).toEqual([
    ['delivered', 'thanks'],
    ['delivered', 'thanks'],
  ]);

  const [first] = endpoint.received;
  const main = new URL('../../../dist/main.js', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'events', 'resend', String(first?.id)], {
    env: { ...process.env, DATABASE_URL: product.testDatabase.url },
  });
  expect(stdout).toBe(`${first?.id}  queued again\n`);
  await expect.poll(() => endpoint.received.length, POLL).toBe(3);
  expect(endpoint.received[2]?.body).toBe(first?.body);
});

/** Two `api` processes and a `worker` on one database: a refund is made once, and never exceeds the charge. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';

const AMOUNT = 5_000;
const AT_ONCE = 50;
const SETTLED_LIMIT_MS = 600_000;
const MAX_REPEATS = 20;

let products: TestProduct[] = [];
beforeAll(async () => {
  // Without keys there are no secrets, so no webhooks.
  const RINGKEY_ENCRYPTION_KEYS = randomBytes(32).toString('base64');
  const first = await startProduct({ RINGKEY_ROLES: 'api,worker', RINGKEY_ENCRYPTION_KEYS });
  products = [first];
  products.push(
    await startProduct({
      RINGKEY_ROLES: 'api',
      DATABASE_URL: first.testDatabase.url,
      REDIS_URL: first.testRedis.url,
      RINGKEY_ENCRYPTION_KEYS,
    }),
  );
});
afterAll(() => Promise.all(products.map((product) => product.close())));

async function ask<T>(index: number, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch((products[index % products.length]?.baseUrl ?? '') + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as T };
}

interface Refused {
  error: { code: string; param: string };
}

/** Repeats a refund with its key after a 503, as integrators do: on a busy machine it may not start within its 4 s. */
async function refund(index: number, body: object, key: string = randomUUID()) {
  const send = () => ask<RefundResource & Refused>(index, '/v1/refunds', body, { 'idempotency-key': key });
  let answer = await send();
  for (let repeats = 0; answer.status === 503 && repeats < MAX_REPEATS; repeats++) answer = await send();
  return answer;
}

/** @param token of the test card to save first */
async function paid(token?: string): Promise<string> {
  const caller = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234' };
  const card = token === undefined ? null : await ask<{ instrument_id: string }>(0, '/v1/cards', { ...caller, token });
  const opened = await ask<{ checkout_session_id: string }>(0, '/v1/create_checkout', {
    ...caller,
    amount_cents: AMOUNT,
  });
  const { body } = await ask<{ charge_id: string }>(0, '/v1/charge', {
    checkout_session_id: opened.body.checkout_session_id,
    instrument_id: card?.body.instrument_id ?? 'card_demo_visa',
  });
  return body.charge_id;
}

async function totalsOf(charge: string) {
  const sql = products[0]?.testDatabase.database;
  if (sql === undefined) throw new Error('no product');
  const { rows } = await sql.query<{ ours: number; theirs: number; counted: number; events: number; refunds: number }>(
    `select (select coalesce(sum(amount_cents), 0)::integer from refunds
              where charge_id = c.id and status <> 'failed') as ours,
            (select refunded_cents from sandbox_payments where reference = c.id) as theirs,
            c.refunded_cents as counted,
            (select count(*)::integer from events where charge_id = c.id and refund_id is not null) as events,
            (select count(*)::integer from refunds where charge_id = c.id) as refunds
       from charges c where c.id = $1`,
    [charge],
  );
  return rows[0];
}

test('lets fifty concurrent partial refunds on two processes succeed up to the paid amount', async () => {
  const charge = await paid();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => refund(index, { charge, amount_cents: 300 })),
  );
  const [made, refused] = [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ];
  expect(made).toHaveLength(16);
  for (const { status, body } of refused) {
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'invalid_value',
      param: 'amount_cents',
    });
  }
  expect(new Set(made.map(({ body }) => body.refund_id)).size).toBe(16);
  expect(await totalsOf(charge)).toEqual({ ours: 4_800, theirs: 4_800, counted: 4_800, events: 16, refunds: 16 });
});

test('lets one of fifty concurrent full refunds succeed', async () => {
  const charge = await paid();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => refund(index, { charge })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await totalsOf(charge)).toEqual({ ours: AMOUNT, theirs: AMOUNT, counted: AMOUNT, events: 1, refunds: 1 });
});

test('creates one refund for fifty identical requests with one key, with equal responses', async () => {
  const charge = await paid();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => refund(index, { charge, amount_cents: 10 }, `fifty ${charge}`)),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await totalsOf(charge)).toEqual({ ours: 10, theirs: 10, counted: 10, events: 1, refunds: 1 });
});

test('settles a pending refund in the worker, and reports it by webhook', {
  timeout: 1_300_000,
}, async () => {
  const inbox = await openInbox();
  try {
    const events = ['refund.succeeded', 'refund.failed'];
    const endpoint = await ask<{ signing_secret: string }>(0, '/v1/webhook_endpoints', { url: inbox.url, events });
    const webhook = new Webhook(endpoint.body.signing_secret);
    const [slow, failing] = await Promise.all([paid('tok_refund_dawdles'), paid('tok_refund_fails')]);
    const answers = await Promise.all([refund(0, { charge: slow }), refund(1, { charge: failing })]);
    for (const { status, body } of answers) expect([status, body.status]).toEqual([200, 'pending']);
    // Refunds of other tests may settle meanwhile.
    const settledEvents = await eventually(SETTLED_LIMIT_MS, async () => {
      const all = inbox.received.map(({ body, headers }) => webhook.verify(body, headers) as RefundEvent);
      const own = all.filter(({ data }) => [slow, failing].includes(data.refund.charge));
      expect(own.length).toBeGreaterThanOrEqual(2);
      return own;
    });
    const kinds = Object.fromEntries(settledEvents.map(({ type, data }) => [data.refund.charge, type]));
    expect(kinds).toEqual({ [slow]: 'refund.succeeded', [failing]: 'refund.failed' });
    for (const { data } of settledEvents) {
      const { body } = await ask<RefundResource>(1, `/v1/refunds/${data.refund.refund_id}`);
      // If this fails, the message names the request.
      expect({ ...data.refund, failure: null }).toEqual({ ...body, failure: null });
    }
    await eventually(SETTLED_LIMIT_MS, async () => {
      const metrics = await fetch(`${products[0]?.baseUrl}/metrics`);
      expect(await metrics.text()).toContain('ringkey_refunds_total{outcome="failed"} 1\n');
    });
    expect(await totalsOf(slow)).toMatchObject({ ours: AMOUNT, theirs: AMOUNT, events: 1, refunds: 1 });
    expect(await totalsOf(failing)).toMatchObject({ ours: 0, theirs: 0, events: 1, refunds: 1 });
  } finally {
    await inbox.close();
  }
});

interface RefundEvent {
  type: string;
  data: { refund: RefundResource };
}

interface Inbox {
  url: string;
  received: { body: string; headers: Record<string, string> }[];
  close(): Promise<void>;
}

/** Starts an integrator's webhook endpoint. */
async function openInbox(): Promise<Inbox> {
  const received: Inbox['received'] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

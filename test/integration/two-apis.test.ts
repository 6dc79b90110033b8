/** Two `api` processes on one database and one Redis: idempotency, rates and revoked keys hold across both. */
import { SYSTEM } from '../../src/domain/audit.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/standalone/demo-data.ts';
import { issueKey } from '../../src/keys/manage.ts';
import { startProduct, type TestProduct } from '../support/product.ts';

let products: TestProduct[] = [];
beforeAll(async () => {
  const first = await startProduct({ RINGKEY_ROLES: 'api' });
  products = [first];
  products.push(
    await startProduct({ RINGKEY_ROLES: 'api', DATABASE_URL: first.testDatabase.url, REDIS_URL: first.testRedis.url }),
  );
}, 120_000);
afterAll(() => Promise.all(products.map((product) => product.close())));

const urlOf = (index: number) => products[index % products.length]?.baseUrl ?? '';

function ask(index: number, path: string, key: string, body?: object, headers: Record<string, string> = {}) {
  return fetch(urlOf(index) + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function newKey() {
  const database = products[0]?.testDatabase.database;
  if (database === undefined) throw new Error('no product');
  return { database, ...(await issueKey(database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' })) };
}

test('fifty identical requests at once: one effect, fifty equal answers', async () => {
  const { database } = await newKey();
  const body = { merchant_id: 'mer_demo_diner', amount_cents: 4_321, metadata: { order: 'fifty' } };
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const answer = await ask(index, '/v1/create_checkout', DEMO_KEY, body, { 'idempotency-key': 'fifty' });
      return { status: answer.status, text: await answer.text(), again: answer.headers.get('idempotent-replayed') };
    }),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ again }) => again === null)).toHaveLength(1);
  const { rows } = await database.query('select count(*) from checkout_sessions where amount_cents = 4321');
  expect(rows[0]).toEqual({ count: '1' });
});

test('a rate is counted over both', async () => {
  const { text } = await newKey();
  const began = performance.now();
  // Forty at a time, and so many that even a slow machine asks faster than the bucket fills.
  const answers: Response[] = [];
  const asker = async (_: unknown, index: number) => {
    for (let turn = 0; turn < 30; turn += 1) answers.push(await ask(index + turn, '/v1/keys?limit=1', text));
  };
  await Promise.all(Array.from({ length: 40 }, asker));
  const seconds = (performance.now() - began) / 1_000;
  const passed = answers.filter(({ status }) => status === 200).length;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(passed).toBeGreaterThanOrEqual(200);
  expect(passed).toBeLessThanOrEqual(200 + Math.ceil(seconds * 100));
});

test('a revoked key is refused by the other process within a second', async () => {
  const { key, text } = await newKey();
  const statuses = async () => [(await ask(0, '/v1/keys', text)).status, (await ask(1, '/v1/keys', text)).status];
  expect(await statuses()).toEqual([200, 200]);
  const revoked = await fetch(`${urlOf(0)}/v1/keys/${key.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${DEMO_KEY}` },
  });
  expect(revoked.status).toBe(200);
  await expect.poll(statuses, { interval: 50, timeout: 1_500 }).toEqual([401, 401]);
});

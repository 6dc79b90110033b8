/** Two `api` processes on one database and one Redis: idempotency, rate limits and revoked keys apply to both. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { startProduct, type TestProduct } from '../support/product.ts';

let products: TestProduct[] = [];
beforeAll(async () => {
  const first = await startProduct({ RINGKEY_ROLES: 'api' });
  products = [first];
  products.push(
    await startProduct({ RINGKEY_ROLES: 'api', ...first.testDatabase.settings, REDIS_URL: first.testRedis.url }),
  );
});
afterAll(() => Promise.all(products.map((product) => product.close())));

const urlOf = (index: number) => products[index % products.length]?.baseUrl ?? '';

/** @param key null: without a key */
function ask(index: number, path: string, key: string | null, body?: object, headers: Record<string, string> = {}) {
  return fetch(urlOf(index) + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function newKey() {
  const database = products[0]?.testDatabase.database;
  if (database === undefined) throw new Error('no product');
  return { database, ...(await issueKey(database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' })) };
}

test('carries out fifty identical requests at once only once, with equal responses', async () => {
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

test('counts a rate limit over both processes', async () => {
  const statusOf = async (index: number) => (await ask(index, '/v1/keys?limit=1', null)).status;
  let byTheOther = 0;
  // The other process gets too few requests to refuse one by a count of its own. Repeated in case a window has just
  // ended, or Redis was slow to count on a busy machine.
  for (let turn = 0; turn < 5 && byTheOther !== 429; turn += 1) {
    while ((await statusOf(0)) === 200);
    byTheOther = await statusOf(1);
  }
  expect(byTheOther).toBe(429);
});

test('refuses a revoked key in the other process within a second', async () => {
  const { key, text } = await newKey();
  const statusOf = async (index: number) => (await ask(index, '/v1/keys', text)).status;
  expect([await statusOf(0), await statusOf(1)]).toEqual([200, 200]);
  const revoked = await fetch(`${urlOf(0)}/v1/keys/${key.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${DEMO_KEY}` },
  });
  expect(revoked.status).toBe(200);
  const revokedAt = performance.now();
  expect(await statusOf(0)).toBe(401);
  // When the last accepted request was sent. The response may take longer on a busy machine.
  let acceptedAt = revokedAt;
  let status = 200;
  while (status !== 401) {
    const sentAt = performance.now();
    status = await statusOf(1);
    // On a fast machine the key exceeds its rate limit: a 429 is not an accepted request.
    if (status === 200) acceptedAt = sentAt;
  }
  expect(acceptedAt - revokedAt).toBeLessThan(1_000);
});

/** `Idempotency-Key`: repeats of a request get the first answer and have no second effect. */

import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import type { OrderAnswer, OrderSource } from '../../src/checkout/orders/amount.ts';
import { deleteOldKeys } from '../../src/db/keys/idempotency.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
/** The answers of the order source, in order. */
const LATE: OrderAnswer = { status: 'unavailable', why: 'late' };
const today: OrderAnswer[] = [{ status: 'unknown' }, LATE, { status: 'found', amountCents: 700 }];
/** Emit an order ID to answer its lookup. */
const lookups = new EventEmitter();
const orders: OrderSource = {
  async lookUp(_merchant, orderId) {
    if (orderId === 'order_broken') throw new Error('a bug');
    if (orderId === 'order_of_today') return today.shift() ?? LATE;
    const answered = once(lookups, orderId);
    lookups.emit('asked', orderId);
    await answered;
    return { status: 'found', amountCents: 700 };
  },
};

beforeAll(async () => {
  lookups.setMaxListeners(100);
  api = await startTestApi({ idempotencyWaitMs: 120_000, orders });
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };
let count = 0;
const freshKey = () => `test-${count++}`;
const create = (body: unknown, key: string, headers: Record<string, string> = {}) =>
  api.post('/v1/create_checkout', body, { 'idempotency-key': key, ...headers });
const codeOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const sessions = async () =>
  Number((await api.database.query('select count(*) from checkout_sessions')).rows[0]?.count);
const rowsOf = async () => (await api.database.query('select * from idempotency_keys')).rows;

describe('repeating a request', () => {
  test('returns the first answer byte for byte, without a second effect', async () => {
    const key = freshKey();
    const first = await create({ ...DINER, metadata: { table: '7' } }, key);
    const before = await sessions();
    const second = await create({ ...DINER, metadata: { table: '7' } }, key);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await sessions()).toBe(before);
  });

  test('rejects a repeat with the same JSON in different text', async () => {
    const key = freshKey();
    await create('{"merchant_id":"mer_demo_diner","amount_cents":4250}', key);
    const other = await create('{ "amount_cents": 4250, "merchant_id": "mer_demo_diner" }', key);
    expect(codeOf(other)).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
  });

  test('returns a permanent error again', async () => {
    const key = freshKey();
    const first = await create({ ...DINER, merchant_id: 'mer_late' }, key);
    await api.database.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
       values ('mer_late', $1, 'test', 'late', 'Late', 'USD', 'always', 'sandbox')`,
      [DEMO_ACCOUNT],
    );
    const second = await create({ ...DINER, merchant_id: 'mer_late' }, key);
    expect([first.status, second.status, second.text]).toEqual([404, 404, first.text]);
    expect(second.headers.get('x-request-id')).toBe(second.body.error.request_id);
  });

  test('runs again after an internal error', async () => {
    const key = freshKey();
    await api.database.query('alter table checkout_sessions add constraint no_more check (false) not valid');
    const broken = await create(DINER, key).finally(() =>
      api.database.query('alter table checkout_sessions drop constraint no_more'),
    );
    expect(codeOf(broken)).toEqual([500, 'session_create_failed', undefined]);
    expect((await create(DINER, key)).status).toBe(200);
  });

  test('runs again after an order was not found', async () => {
    const key = freshKey();
    const body = { merchant_id: 'mer_demo_diner', order_id: 'order_of_today' };
    for (const { status } of [...today].slice(0, 2)) {
      expect(codeOf(await create(body, key)), status).toEqual([424, 'order_lookup_failed', 'order_id']);
    }
    const found = await create(body, key);
    expect(found.body).toMatchObject({ amount_cents: 700, amount_source: 'order' });
    expect((await create(body, key)).text).toBe(found.text);
  });

  test('runs again without the header', async () => {
    const [first, second] = [await api.checkout(DINER), await api.checkout(DINER)];
    expect(first.checkout_session_id).not.toBe(second.checkout_session_id);
  });
});

describe('the scope', () => {
  test('limits a key to account, mode and route', async () => {
    const key = freshKey();
    const created = await create(DINER, key);
    const other = await issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'live' });
    const headers = { authorization: `Bearer ${other.text}`, 'idempotency-key': key };
    expect(codeOf(await api.post('/v1/create_checkout', DINER, headers))).toEqual([401, 'invalid_key', undefined]);
    const issued = await api.post('/v1/keys', {}, { 'idempotency-key': key });
    expect(issued.status).toBe(200);
    expect((await api.post('/v1/keys', {}, { 'idempotency-key': key })).text).toBe(issued.text);
    expect((await create(DINER, key)).text).toBe(created.text);
  });

  test('returns the stored answer for a rolled API key, too', async () => {
    const key = freshKey();
    const first = await create(DINER, key);
    const next = await issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' });
    expect((await create(DINER, key, { authorization: `Bearer ${next.text}` })).text).toBe(first.text);
  });

  test('treats another path as another request', async () => {
    const key = freshKey();
    const [one, two] = await Promise.all(
      [1, 2].map(() => issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' })),
    );
    const roll = (id = '') => api.post(`/v1/keys/${id}/roll`, {}, { 'idempotency-key': key });
    expect((await roll(one?.key.id)).status).toBe(200);
    expect(codeOf(await roll(two?.key.id))).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
  });
});

describe('another request', () => {
  test('rejects a different request with a used key, and keeps the first answer', async () => {
    const key = freshKey();
    const first = await create(DINER, key);
    const mismatch = await create({ ...DINER, amount_cents: 4251 }, key);
    expect(codeOf(mismatch)).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
    expect(mismatch.body.error.type).toBe('idempotency_error');
    expect((await create(DINER, key)).text).toBe(first.text);
  });

  test.each(['', 'x'.repeat(256), 'caf\u00e9', 'a\tb'])('rejects the invalid key %j', async (key) => {
    expect(codeOf(await create(DINER, key))).toEqual([400, 'invalid_value', 'Idempotency-Key']);
  });

  test('accepts a key of 255 characters', async () => {
    expect((await create(DINER, ' ~'.repeat(127).trim().padEnd(255, 'x'))).status).toBe(200);
  });
});

describe('a request that is still running', () => {
  test('waits for the first request with the key', async () => {
    const [key, body] = [freshKey(), { merchant_id: 'mer_demo_diner', order_id: 'order_slow' }];
    const lookup = once(lookups, 'asked');
    const first = create(body, key);
    await lookup;
    const second = create(body, key);
    lookups.emit('order_slow');
    expect((await second).text).toBe((await first).text);
  });

  test('limits the wait, and rejects a different request at once', async () => {
    const hasty = await startTestApi({ idempotencyWaitMs: 500, orders });
    const [key, body] = ['slower', { merchant_id: 'mer_demo_diner', order_id: 'order_slower' }];
    const create = (of: object) => hasty.post('/v1/create_checkout', of, { 'idempotency-key': key });
    const lookup = once(lookups, 'asked');
    const first = create(body);
    await lookup;
    const other = await create(DINER);
    expect(codeOf(other)).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
    expect([other.headers.get('retry-after'), other.body.error.advice_code]).toEqual([null, 'do_not_try_again']);
    const busy = await create(body);
    expect(codeOf(busy)).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
    expect(busy.body.error.type).toBe('idempotency_error');
    expect(busy.headers.get('retry-after')).toBe('1');
    expect(busy.body.error.advice_code).toBe('try_again_later');
    lookups.emit('order_slower');
    const { text } = await first;
    expect((await create(body)).text).toBe(text);
    await hasty.close();
  });

  test('lets only the same request take over after a process died', async () => {
    const key = freshKey();
    await create(DINER, key);
    const left = `update idempotency_keys set status = null, answer = null, request_id = 'req_dead',
                         claimed_until = now() - interval '1 second'
                   where created_at = (select max(created_at) from idempotency_keys)`;
    await api.database.query(left);
    expect(codeOf(await create({ ...DINER, amount_cents: 1 }, key))).toEqual([
      409,
      'charge_details_mismatch',
      'Idempotency-Key',
    ]);
    const before = await sessions();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(DINER, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await sessions()).toBe(before + 1);
  });

  test('releases the key of a failed request', async () => {
    const body = { merchant_id: 'mer_demo_diner', order_id: 'order_broken' };
    const key = freshKey();
    expect((await create(body, key)).status).toBe(500);
    expect((await create(body, key)).headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('after 24 hours', () => {
  test('frees and deletes a key after 24 hours', async () => {
    const key = freshKey();
    const first = await create(DINER, key);
    const age = (hours: number) =>
      api.database.query(`update idempotency_keys set created_at = now() - make_interval(hours => $1)`, [hours]);
    await age(23);
    expect((await create(DINER, key)).text).toBe(first.text);
    await age(25);
    const again = await create({ ...DINER, amount_cents: 1 }, key);
    expect([again.status, again.body.amount_cents]).toEqual([200, 1]);
    const { length } = await rowsOf();
    expect(await deleteOldKeys(api.database, 1)).toBe(Math.min(1, length - 1));
    while ((await deleteOldKeys(api.database, 100)) > 0);
    expect(await rowsOf()).toHaveLength(1);
  });
});

test('stores answers encrypted', async () => {
  const { body } = await create(DINER, freshKey());
  const issued = await api.post('/v1/keys', {}, { 'idempotency-key': 'order of Ada Lovelace' });
  expect(issued.status).toBe(200);
  const rows = JSON.stringify((await api.database.query('select to_jsonb(k) as row from idempotency_keys k')).rows);
  expect(rows).toContain('"status":200');
  for (const secret of [body.transfer_to, String(issued.body.key), 'Ada Lovelace']) {
    expect(rows).not.toContain(secret);
  }
});

test('decrypts an answer only with the same API key if there are no encryption keys', async () => {
  const bare = await startTestApi({ vault: null });
  try {
    const post = (headers: Record<string, string>) =>
      bare.post('/v1/create_checkout', DINER, { 'idempotency-key': 'k', ...headers });
    const first = await post({});
    expect((await post({})).text).toBe(first.text);
    const next = await issueKey(bare.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' });
    const other = await post({ authorization: `Bearer ${next.text}` });
    expect(codeOf(other)).toEqual([409, 'charge_details_mismatch', 'Idempotency-Key']);
  } finally {
    await bare.close();
  }
});

test('sends an answer that cannot be stored', async () => {
  const query = api.database.query.bind(api.database) as (...args: unknown[]) => Promise<unknown>;
  const spy = vi
    .spyOn(api.database, 'query')
    .mockImplementation(((...args: unknown[]) =>
      JSON.stringify(args).includes('store_idempotent_answer')
        ? Promise.reject(new Error('connection lost'))
        : query(...args)) as never);
  const answer = await create(DINER, freshKey()).finally(() => spy.mockRestore());
  expect(answer.status).toBe(200);
  expect(api.log.join('')).toContain('response could not be stored for its idempotency key');
});

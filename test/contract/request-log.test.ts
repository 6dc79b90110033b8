/** The request log: what it stores, who can read it, and that it never delays a request. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { RequestWithBodiesResource } from '../../src/contract/logged-requests.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import type { Sql } from '../../src/db/pool.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import type { LoggedRequest } from '../../src/domain/logged-request.ts';
import { createRequestLog } from '../../src/http/api/request-log/request-log.ts';
import { eventually } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, CALLER } from './fixtures.ts';
import { type Answer, DASHBOARD_URL, startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ logsRequests: true, trustedProxies: ['127.0.0.0/8'] }));

/** A key of a new account. */
async function ownKey() {
  const accountId = newId('Account');
  await insertAccount(api.database, { id: accountId, name: 'Of a test' });
  const { key, text } = await issueKey(api.database, SYSTEM, { accountId, mode: 'test' }, { name: 'Of a test' });
  const headers = { ...bearer(text), 'x-forwarded-for': '203.0.113.7' };
  const list = async (query = ''): Promise<RequestWithBodiesResource[]> => {
    await api.requestLog.flush();
    const { status, body, text: answered } = await api.get(`/v1/requests?${query}`, headers);
    if (status !== 200) throw new Error(answered);
    return body.requests as RequestWithBodiesResource[];
  };
  /** Its answer is with the client a moment before the server knows. */
  const entryOf = (answer: Answer) =>
    eventually(120_000, async () => {
      await api.requestLog.flush();
      const { status, body } = await api.get(`/v1/requests/${answer.headers.get('x-request-id')}`, headers);
      expect(status).toBe(200);
      return RequestWithBodiesResource.strict().parse(body);
    });
  return { accountId, headers, text, keyId: key.id, list, entryOf };
}

test('logs requester, source, request and answer', async () => {
  const { headers, keyId, entryOf } = await ownKey();
  const made = await api.post('/v1/merchants', { business_name: 'Bakery', slug: 'bakery' }, headers);
  expect(await entryOf(made)).toMatchObject({
    method: 'POST',
    path: '/v1/merchants',
    url: '/v1/merchants',
    status: 200,
    code: null,
    param: null,
    key_id: keyId,
    key_name: 'Of a test',
    source: '203.0.113.7',
    environment: 'test',
    request_body: '{"business_name":"Bakery","slug":"bakery"}',
    duration_ms: expect.any(Number),
    answer_body: made.text,
  });
});

test('links an error to its log entry, which contains the error', async () => {
  const { headers, entryOf } = await ownKey();
  const refused = await api.post('/v1/create_checkout', { merchant_id: 'mer_1', amount_cents: '12' }, headers);
  expect(refused.body.error.request_log_url).toBe(`${DASHBOARD_URL}/requests/${refused.body.error.request_id}`);
  expect(await entryOf(refused)).toMatchObject({
    status: 400,
    code: 'invalid_value',
    param: 'amount_cents',
    path: '/v1/create_checkout',
    request_body: '{"merchant_id":"mer_1","amount_cents":"12"}',
  });
  const broken = await api.post('/v1/create_checkout', '{"merchant_id":', headers);
  expect(await entryOf(broken)).toMatchObject({ code: 'invalid_json', request_body: '[no JSON]' });
  const read = await api.get('/v1/charges/ch_nobody', headers);
  expect(await entryOf(read)).toMatchObject({ path: '/v1/charges/{charge_id}', url: '/v1/charges/ch_nobody' });
});

test('does not log rejected keys and other paths', async () => {
  const refused = await api.get('/v1/account', bearer('rk_test_0123456789abcdef0123'));
  expect(refused.body.error.code).toBe('invalid_key');
  expect(refused.body.error).not.toHaveProperty('request_log_url');
  const others = ['/healthz', '/openapi.json', '/docs', '/nowhere'];
  for (const path of others) await fetch(api.url + path);
  const { headers, entryOf } = await ownKey();
  await entryOf(await api.get('/v1/account', headers));
  const { rows } = await api.database.query('select path from request_log where path = any($1)', [others]);
  expect(rows).toEqual([]);
  const { rowCount } = await api.database.query('select from request_log where id = $1', [
    refused.headers.get('x-request-id'),
  ]);
  expect(rowCount).toBe(0);
});

test('stores no secret, card or personal data', async () => {
  const { headers, entryOf, text } = await ownKey();
  const secrets = {
    card: '4000056655665556',
    note: 'card 4111 1111 1111 1111 cvc 937',
    security_code: '937',
    phone: '+15550104711',
    credentials: { secret_key: 'sk_test_hiddenhiddenhidden' },
    first_name: 'Hidden',
    token: 'tok_hidden',
  };
  const answers = [
    await api.post('/v1/identify', { caller_phone: '+15550104711', ...secrets }, headers),
    await api.post('/v1/keys', { name: 'New' }, headers),
    await api.get('/v1/merchants?note=4000056655665556', headers),
    await api.post(
      '/v1/webhook_endpoints',
      { url: 'https://hooks.example.com/in?token=hidden', events: ['checkout.completed'] },
      headers,
    ),
    await api
      .checkout({ merchant_id: 'mer_demo_diner', caller_phone: CALLER, amount_cents: 500 })
      .then((body) => ({ body })),
  ] as Answer[];
  for (const answer of answers.slice(0, 4)) await entryOf(answer);
  await api.requestLog.flush();
  const { rows } = await api.database.query<{ row: string }>('select request_log::text as row from request_log');
  const all = rows.map(({ row }) => row).join('\n');
  const hidden = [text, '4000056655665556', '4111 1111', '+1555', 'hidden', 'Hidden'];
  hidden.push(String(answers[1]?.body.key), String(answers[3]?.body.signing_secret));
  hidden.push(String(answers[4]?.body.transfer_to).split(/[-@]/)[1] ?? 'no token');
  for (const secret of hidden) expect(all).not.toContain(secret);
  expect(all).toContain('sip:cs_');
  // In a row without times and random IDs, which could contain the same digits.
  const { rows: identified } = await api.database.query<{ text: string }>(
    `select concat(path, request_body, answer_body) as text from request_log where route = '/v1/identify'`,
  );
  expect(identified).toHaveLength(1);
  expect(identified[0]?.text).not.toContain('937');
});

test('filters and pages, and does not store its own answers', async () => {
  const { headers, keyId, list, entryOf } = await ownKey();
  const ok = await api.get('/v1/account', headers);
  const lost = await api.get('/v1/charges/ch_nobody', headers);
  await entryOf(ok);
  await entryOf(lost);
  const ids = async (query: string) => (await list(query)).map(({ request_id }) => request_id);
  const [okId, lostId] = [ok.headers.get('x-request-id'), lost.headers.get('x-request-id')];
  expect(await ids('status=404')).toEqual([lostId]);
  expect(await ids('code=not_found')).toEqual([lostId]);
  expect(await ids('path=/v1/account')).toEqual([okId]);
  expect(await ids(`path=/v1/account&key_id=${keyId}&created_after=2020-01-01T00:00:00Z`)).toEqual([okId]);
  expect(await ids('created_before=2020-01-01T00:00:00Z')).toEqual([]);
  expect(await ids(`path=/v1/account&starting_after=${okId}`)).toEqual([]);
  const [own] = await eventually(120_000, async () => {
    const found = await list('path=/v1/requests/{request_id}&status=200');
    expect(found.length).toBeGreaterThan(0);
    return found;
  });
  expect((await api.get(`/v1/requests/${own?.request_id}`, headers)).body.answer_body).toBeNull();
});

const REQUEST: Omit<LoggedRequest, 'id' | 'createdAt'> = {
  accountId: newId('Account'),
  mode: 'test',
  method: 'GET',
  route: null,
  path: '/',
  status: 200,
  code: null,
  param: null,
  durationMs: 1,
  keyId: null,
  source: null,
  requestBody: null,
  answerBody: null,
};
const request = (): LoggedRequest => ({ ...REQUEST, id: newId('Request'), createdAt: new Date() });

test('limits the queue while the database is slow, and drops and counts what it rejects', async () => {
  const warnings: unknown[] = [];
  let answer: (error: Error | null) => void = () => undefined;
  const sql = {
    query: () =>
      new Promise<void>((resolve, reject) => (answer = (error) => (error === null ? resolve() : reject(error)))),
  } as unknown as Sql;
  const log = createRequestLog(sql, { warn: (...args: unknown[]) => void warnings.push(args) } as never);
  for (let added = 0; added < 10_000; added += 1) log.add(request());
  expect(log.hasRoom).toBe(false);
  expect(log.dropped).toBe(10_000 - 2_200);
  answer(new Error('gone'));
  await expect.poll(() => warnings).toHaveLength(1);
  expect(log.dropped).toBe(10_000 - 2_000);
  expect(log.hasRoom).toBe(true);
});

test('writes several requests in one statement', async () => {
  let statements = 0;
  const counting = {
    query: (...args: [string]) => {
      statements += 1;
      return api.database.query(...args);
    },
  } as unknown as Sql;
  const log = createRequestLog(counting, { warn: () => undefined });
  const ids = Array.from({ length: 150 }, request).map((each) => {
    log.add(each);
    return each.id;
  });
  await log.flush();
  const { rowCount } = await api.database.query('select from request_log where id = any($1)', [ids]);
  expect([rowCount, statements]).toEqual([150, 1]);
});

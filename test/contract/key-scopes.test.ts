/** What a key can do and from where: scopes, allowed sources and expiry. */

import { expect, test, vi } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { IssuedKeyResource, RolledKeyResource } from '../../src/accounts/keys/resources.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import type { KeyGrant } from '../../src/domain/key.ts';
import { errorsOf } from '../../src/http/api/reference/errors.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ trustedProxies: ['127.0.0.0/8'] }));

const DINER = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234', order_id: 'order_1001' };
/** The operations that an agent needs to take a payment. All others must be rejected. */
const AGENT_OPERATIONS = [
  'charge',
  'create_checkout',
  'identify',
  'retrieve_checkout_session',
  'send_link',
  'stream_session_events',
  'tool_create_checkout',
];

const bearer = (key: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...more });

async function keyOf(grant: Partial<KeyGrant>, accountId = DEMO_ACCOUNT): Promise<string> {
  return (await issueKey(api.database, SYSTEM, { accountId, mode: 'test' }, grant)).text;
}

interface Documented {
  operationId: string;
  description: string;
  security: { key: string[] }[];
}

/** Every operation of the reference, with a path that matches its route. */
async function operations() {
  const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, security }]) => ({
      id: operationId,
      description,
      roles: security.map(({ key }) => key[0]),
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'we_nobody'),
    })),
  );
}

test('allows an agent key its operations, and rejects all others', async () => {
  const key = await keyOf({ scope: 'agent' });
  const allowed: string[] = [];
  const all = await operations();
  expect(all.length).toBeGreaterThan(30);
  for (const { id, method, path } of all) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const { status, body: answer } = await api.send(method, path, body, bearer(key));
    const isRefused = status === 401 && answer.error.code === 'invalid_key' && answer.error.message.includes('scope');
    if (!isRefused) allowed.push(id);
    // HEAD is a GET without its body.
    if (method === 'GET') {
      const head = await fetch(api.url + path, { method: 'HEAD', headers: bearer(key) });
      expect(head.status === 401, id).toBe(isRefused);
    }
  }
  expect(allowed.sort()).toEqual(AGENT_OPERATIONS);
});

test('documents which keys can use an operation', async () => {
  for (const { id, roles, description } of await operations()) {
    const isForAgents = AGENT_OPERATIONS.includes(id);
    expect([id, roles]).toEqual([id, isForAgents ? ['full', 'agent'] : ['full']]);
    expect(description).toContain(isForAgents ? 'Keys with the scope `agent` can' : 'Only keys with the scope `full`');
  }
  expect(errorsOf({ method: 'get', errors: [] } as never)).toContain('invalid_key');
});

test('takes and reads a payment with an agent key', async () => {
  const key = await keyOf({ scope: 'agent' });
  const session = await api.checkout(DINER, bearer(key));
  const { checkout_session_id } = session;
  const charge = await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' }, bearer(key));
  expect([charge.status, charge.body.status]).toEqual([200, 'succeeded']);
  const read = await api.get(`/v1/checkout_sessions/${checkout_session_id}`, bearer(key));
  expect(read.body.session_status).toBe('complete');
  const tool = await api.post(
    '/api/tools/create_checkout',
    { amount_cents: 500 },
    {
      ...bearer(key, { 'x-ringkey-merchant': 'demo-diner' }),
    },
  );
  expect(tool.status).toBe(200);
  expect((await api.post('/v1/identify', { caller_phone: DINER.caller_phone }, bearer(key))).body.known).toBe(true);
});

test('does not claim an Idempotency-Key for a rejected request, or replay the answer to it', async () => {
  const account = newId('Account');
  await insertAccount(api.database, { id: account, name: 'Of a test' });
  const [agent, full] = [await keyOf({ scope: 'agent' }, account), await keyOf({}, account)];
  const repeated = (key: string) => api.post('/v1/keys', {}, bearer(key, { 'idempotency-key': 'one' }));
  expect((await repeated(agent)).status).toBe(401);
  expect((await repeated(full)).status).toBe(200);
  // The answer holds a full key: it is not given to an agent that knows the Idempotency-Key.
  expect((await repeated(agent)).status).toBe(401);
});

test('creates a key with scope, expiry and sources, and lists them', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const given = { scope: 'agent', expires_at, allowed_sources: ['203.0.113.0/24', '2001:db8::/32'] };
  const { body } = await api.post('/v1/keys', { name: 'Bound', ...given });
  expect(IssuedKeyResource.strict().parse(body)).toMatchObject(given);
  const { keys } = (await api.get('/v1/keys?limit=1')).body as unknown as { keys: object[] };
  expect(keys[0]).toMatchObject({ name: 'Bound', ...given });
  const plain = await api.post('/v1/keys', {});
  expect(plain.body).toMatchObject({ scope: 'full', expires_at: null, allowed_sources: [] });
});

test.each([
  [{ scope: 'admin' }, 'scope'],
  [{ expires_at: 'tomorrow' }, 'expires_at'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  [{ allowed_sources: ['example.com'] }, 'allowed_sources.0'],
  [{ allowed_sources: ['203.0.113.0/33'] }, 'allowed_sources.0'],
  [{ allowed_sources: Array.from({ length: 33 }, () => '192.0.2.1') }, 'allowed_sources'],
])('rejects a key with %j', async (body, param) => {
  const { status, body: answer } = await api.post('/v1/keys', body);
  expect([status, answer.error.code, answer.error.param]).toEqual([400, 'invalid_value', param]);
});

test('accepts a key from its sources only, as named by a trusted proxy', async () => {
  const key = await keyOf({ allowedSources: ['203.0.113.0/24', '2001:db8:1::/48'] });
  const from = async (address: string) =>
    (await api.get('/v1/keys', bearer(key, { 'x-forwarded-for': address }))).status;
  expect(await from('203.0.113.9')).toBe(200);
  expect(await from('2001:db8:1::9')).toBe(200);
  expect(await from('203.0.114.9')).toBe(401);
  // Addresses before the one that the proxy added come from the client and are not trusted.
  expect(await from('203.0.113.9, 198.51.100.1')).toBe(401);
  expect(await from('unknown')).toBe(401);
  expect((await api.get('/v1/keys', bearer(key))).status).toBe(401);
});

test('expires a key on time, also in the cache', async () => {
  const issuedUntil = new Date(Date.now() + 600_000);
  const key = await keyOf({ issuedUntil });
  const status = async () => (await api.get('/v1/keys', bearer(key))).status;
  expect(await status()).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: issuedUntil });
  try {
    expect(await status()).toBe(401);
  } finally {
    vi.useRealTimers();
  }
});

test('passes on scope, sources and expiry when a key is rolled, also repeatedly', async () => {
  const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const given = { name: 'Bound', scope: 'agent', expires_at, allowed_sources: ['127.0.0.1', '::1'] };
  const { key_id } = (await api.post('/v1/keys', given)).body;
  for (const expires_in_seconds of [3_600, 60]) {
    const { body } = await api.post(`/v1/keys/${key_id}/roll`, { expires_in_seconds });
    const { replaces, ...next } = RolledKeyResource.strict().parse(body);
    expect(next).toMatchObject(given);
    expect(replaces).toMatchObject({ ...given, expires_at: replaces.expires_at });
    expect(Date.parse(replaces.expires_at ?? '')).toBeLessThanOrEqual(Date.now() + expires_in_seconds * 1_000);
  }
});

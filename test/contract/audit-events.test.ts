/** `GET /v1/audit_events`: records changes and who made them, never a secret. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { AuditEventList, type AuditEventResource } from '../../src/http/api/routes/audit-events.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ trustedProxies: ['127.0.0.0/8'] }));

/** A key of a new account, whose requests come from one address. */
async function ownClient() {
  const accountId = newId('Account');
  await insertAccount(api.database, { id: accountId, name: 'Of a test' });
  const { key, text } = await issueKey(api.database, SYSTEM, { accountId, mode: 'test' });
  const headers = { authorization: `Bearer ${text}`, 'x-forwarded-for': '203.0.113.7' };
  const events = async (query = 'limit=100'): Promise<AuditEventResource[]> =>
    AuditEventList.strict().parse((await api.get(`/v1/audit_events?${query}`, headers)).body).audit_events;
  return {
    accountId,
    keyId: key.id,
    events,
    send: async (method: string, path: string, body?: unknown) => {
      const answer = await api.send(method, path, body, headers);
      if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.text}`);
      return answer.body as Record<string, string>;
    },
  };
}

test('records who made a change, from which address, and with which request', async () => {
  const { send, events, keyId, accountId } = await ownClient();
  const made = await send('POST', '/v1/keys', { name: 'Agent', scope: 'agent' });
  const [latest, first] = await events();
  expect(latest).toMatchObject({
    action: 'key.created',
    object_type: 'key',
    object_id: made.key_id,
    environment: 'test',
    actor: 'key',
    actor_id: keyId,
    source: '203.0.113.7',
    request_id: expect.stringMatching(/^req_/),
    changes: { name: 'Agent', prefix: made.prefix, scope: 'agent', allowed_sources: [], expires_at: null },
  });
  expect(first).toMatchObject({ actor: 'system', actor_id: null, source: null, request_id: null });
  const line = api.log.map((text) => JSON.parse(text)).find((each) => each.request_id === latest?.request_id);
  expect(line).toMatchObject({ account_id: accountId, key_id: keyId, object_id: made.key_id, mode: 'test' });
});

test('records all changes of keys, merchants, processors, webhook endpoints and the account', async () => {
  const { send, events, accountId } = await ownClient();
  const key = await send('POST', '/v1/keys', {});
  const next = await send('POST', `/v1/keys/${key.key_id}/roll`, { expires_in_seconds: 60 });
  await send('DELETE', `/v1/keys/${key.key_id}`);
  const merchant = await send('POST', '/v1/merchants', {
    business_name: 'Bakery',
    order_source: { type: 'http', url: 'https://orders.example.com/look?token=hidden' },
  });
  await send('PATCH', `/v1/merchants/${merchant.merchant_id}`, { business_name: 'Corner Bakery' });
  await send('POST', `/v1/merchants/${merchant.merchant_id}/processor`, { processor: 'sandbox' });
  const endpoint = await send('POST', '/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/in?token=hidden',
    events: ['checkout.completed'],
  });
  await send('PATCH', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}`, { disabled: true });
  const rolled = await send('POST', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}/roll_secret`, {});
  await send('PATCH', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}`, { disabled: false });
  await send('POST', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}/resend_failed`, {
    since: '2026-11-20T12:00:00Z',
  });
  await send('DELETE', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}`);
  await send('PATCH', '/v1/account', { return_hosts: ['agents.example.com'] });
  const all = await events();
  expect(all.map(({ action, object_id }) => [action, object_id]).reverse()).toEqual([
    ['key.created', expect.any(String)],
    ['key.created', key.key_id],
    ['key.rolled', key.key_id],
    ['key.created', next.key_id],
    ['key.revoked', key.key_id],
    ['merchant.created', merchant.merchant_id],
    ['merchant.changed', merchant.merchant_id],
    ['merchant.processor_connected', merchant.merchant_id],
    ['webhook_endpoint.created', endpoint.webhook_endpoint_id],
    ['webhook_endpoint.changed', endpoint.webhook_endpoint_id],
    ['webhook_endpoint.secret_rolled', endpoint.webhook_endpoint_id],
    ['webhook_endpoint.changed', endpoint.webhook_endpoint_id],
    ['webhook_endpoint.failures_resent', endpoint.webhook_endpoint_id],
    ['webhook_endpoint.deleted', endpoint.webhook_endpoint_id],
    ['account.changed', accountId],
  ]);
  const nameOf = (action: string) => all.find((event) => event.action === action)?.object_name;
  expect([nameOf('merchant.created'), nameOf('key.created')]).toEqual(['Corner Bakery', null]);
  const changesOf = (action: string) => all.find((event) => event.action === action)?.changes;
  expect(changesOf('merchant.changed')).toEqual({ business_name: { from: 'Bakery', to: 'Corner Bakery' } });
  expect(changesOf('merchant.processor_connected')).toMatchObject({ processor: { from: null, to: 'sandbox' } });
  expect(changesOf('webhook_endpoint.changed')).toEqual({ disabled: { from: true, to: false } });
  expect(changesOf('webhook_endpoint.failures_resent')).toEqual({ since: '2026-11-20T12:00:00Z', deliveries: 0 });
  expect(changesOf('account.changed')).toEqual({ return_hosts: { from: null, to: ['agents.example.com'] } });
  const secrets = [key.key, next.key, endpoint.signing_secret, rolled.signing_secret, 'hidden'];
  for (const secret of secrets) expect(JSON.stringify(all)).not.toContain(secret);
});

test('records refunds and saved and deleted cards, and filters them by object and action', async () => {
  const session = await api.checkout({
    merchant_id: 'mer_demo_diner',
    caller_phone: '+15550101234',
    amount_cents: 900,
  });
  const { checkout_session_id } = session;
  const charge = await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
  const refund = await api.post('/v1/refunds', { charge: charge.body.charge_id, amount_cents: 300 });
  const saved = await api.post('/v1/cards', {
    merchant_id: 'mer_demo_diner',
    caller_phone: '+15550109877',
    token: 'tok_visa',
  });
  await api.send('DELETE', `/v1/cards/${saved.body.instrument_id}`);
  const find = async (query: string) => (await api.get(`/v1/audit_events?${query}`)).body.audit_events;
  expect(await find(`object=${refund.body.refund_id}`)).toMatchObject([
    { action: 'refund.created', changes: { charge: charge.body.charge_id, amount_cents: 300, currency: 'USD' } },
  ]);
  expect(await find(`object=${saved.body.instrument_id}`)).toMatchObject([
    { action: 'card.deleted' },
    {
      action: 'card.saved',
      changes: { merchant: 'mer_demo_diner', processor: 'sandbox', brand: 'VISA', last_four: '4242' },
    },
  ]);
  expect(await find('action=card.deleted')).toMatchObject([
    { object_id: saved.body.instrument_id, changes: { brand: 'VISA', last_four: '4242' } },
  ]);
  expect(await find('object=ch_nobody')).toEqual([]);
});

test('records nothing for a rejected change', async () => {
  const { send, events } = await ownClient();
  const { merchant_id } = await send('POST', '/v1/merchants', { business_name: 'One', slug: 'one-of-a-test' });
  await send('POST', '/v1/merchants', { business_name: 'Two' });
  const before = await events();
  await expect(send('POST', '/v1/merchants', { business_name: 'Three', slug: 'one-of-a-test' })).rejects.toThrow(
    'slug',
  );
  await expect(send('PATCH', `/v1/merchants/${merchant_id}`, { payment_policy: 'above' })).rejects.toThrow();
  expect(await events()).toEqual(before);
});

test('lists the changes of one account and mode in pages, and rejects agent keys', async () => {
  const { send, events } = await ownClient();
  for (const name of ['a', 'b']) await send('POST', '/v1/keys', { name });
  const [newest, second, first] = await events();
  expect(await events('limit=1')).toEqual([newest]);
  expect(await events(`starting_after=${newest?.audit_event_id}`)).toEqual([second, first]);
  const other = await ownClient();
  expect(await other.events()).toHaveLength(1);
  expect(await other.events(`object=${newest?.object_id}`)).toEqual([]);
  const { text } = await issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' }, { scope: 'agent' });
  expect((await api.get('/v1/audit_events', { authorization: `Bearer ${text}` })).status).toBe(401);
});

test.each([
  ['action=key.stolen', 'action'],
  ['starting_after=aud_nobody', 'starting_after'],
  ['limit=0', 'limit'],
])('rejects %s', async (query, param) => {
  const { status, body } = await api.get(`/v1/audit_events?${query}`);
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_value', param]);
});

/** `POST /mcp`, with the client of the MCP SDK and with plain HTTP. A tool call has to be a REST request in every respect. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import type { ErrorObject } from '../../src/contract/error-object.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { KeyGrant } from '../../src/domain/key.ts';
import { codeOf } from '../../src/http/docs/pages.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, CALLER } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ logsRequests: true, trustedProxies: ['127.0.0.0/8'] }));

const DINER = { merchant_id: 'mer_demo_diner', caller_phone: CALLER, amount_cents: 4250 };
const CARD = '4000056655665556';

const agentKey = async (grant: Partial<KeyGrant> = {}) =>
  (await issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' }, { scope: 'agent', ...grant })).text;

const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

async function connect(headers: Record<string, string>, mode: 'legacy' | 'auto' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } }));
  return client;
}

type ToolCall = Parameters<Client['callTool']>[0];

/** What the tool answers: the body of the REST answer. */
async function call(client: Client, name: string, args: Record<string, unknown>, meta?: ToolCall['_meta']) {
  const result = await client.callTool({ name, arguments: args, ...(meta !== undefined && { _meta: meta }) });
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  const body = JSON.parse(text) as Record<string, unknown> & { error: ErrorObject };
  return { isError: result.isError === true, body, text, result };
}

/** One message by plain HTTP. */
const post = (message: unknown, headers: Record<string, string> = {}) =>
  api.post('/mcp', message, { accept: 'application/json, text/event-stream', ...headers });

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

describe.each(['legacy', 'auto'] as const)('with the client of the SDK, versions %s', (mode) => {
  test('lists the tools with the fields and descriptions of REST', async () => {
    const client = await connect(bearer(await agentKey()), mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'create_checkout',
      'get_checkout',
      'send_link',
      'charge_saved_card',
    ]);
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: object };
    for (const { inputSchema, outputSchema } of tools) {
      expect(JSON.stringify({ inputSchema, outputSchema })).not.toContain('$ref');
      for (const { description } of Object.values(inputSchema.properties ?? {}) as { description: string }[]) {
        expect(JSON.stringify(paths) + JSON.stringify(await openApi())).toContain(JSON.stringify(description));
      }
    }
    expect(client.getInstructions()).toContain('Never ask for a card number');
  });

  test('creates a checkout, charges a saved card and reads the outcome', async () => {
    const client = await connect(bearer(await agentKey()), mode);
    const { body: checkout, result } = await call(client, 'create_checkout', DINER);
    expect(result.structuredContent).toEqual(checkout);
    expect(checkout).toMatchObject({ merchant_id: 'mer_demo_diner', amount_cents: 4250, payment_required: 'required' });
    const id = { checkout_session_id: checkout.checkout_session_id };
    const charged = await call(client, 'charge_saved_card', { ...id, instrument_id: 'card_demo_visa' });
    expect(charged.body).toMatchObject({ status: 'succeeded', replay: false });
    const again = await call(client, 'charge_saved_card', { ...id, instrument_id: 'card_demo_visa' });
    expect(again.body).toMatchObject({ status: 'succeeded', replay: true, charge_id: charged.body.charge_id });
    const { body: read } = await call(client, 'get_checkout', id);
    expect(read).toMatchObject({ session_status: 'complete', charge: { charge_id: charged.body.charge_id } });
  });

  test('texts a pay link', async () => {
    const client = await connect(bearer(await agentKey()), mode);
    const { body: checkout } = await call(client, 'create_checkout', DINER);
    const { body } = await call(client, 'send_link', { checkout_session_id: checkout.checkout_session_id });
    expect(body).toMatchObject({ sent: true, checkout_session_id: checkout.checkout_session_id });
  });

  test('answers an error with the words of REST', async () => {
    const client = await connect(bearer(await agentKey()), mode);
    const missing = await call(client, 'create_checkout', { merchant_id: 'mer_demo_diner' });
    const rest = await api.post('/v1/create_checkout', { merchant_id: 'mer_demo_diner' });
    const { request_id: _, request_log_url: _url, ...words } = rest.body.error;
    expect(missing.isError).toBe(true);
    expect(missing.body.error).toMatchObject(words);
    const unknown = await call(client, 'get_checkout', { checkout_session_id: 'cs_unknown' });
    expect(unknown.body.error.code).toBe('session_not_found');
  });
});

async function openApi(): Promise<object> {
  const { components } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { components: object };
  return components;
}

test('refuses card data in arguments, and repeats it nowhere', async () => {
  const client = await connect(bearer(await agentKey()));
  const { isError, text, body } = await call(client, 'create_checkout', {
    ...DINER,
    metadata: { note: `card ${CARD}` },
  });
  expect([isError, body.error.code, body.error.param]).toEqual([true, 'invalid_value', 'metadata.note']);
  const asId = await call(client, 'send_link', { checkout_session_id: CARD });
  expect([asId.isError, asId.body.error.code]).toEqual([true, 'invalid_value']);
  await expect(client.callTool({ name: CARD, arguments: {} })).rejects.toThrow();
  await api.requestLog.flush();
  const { rows } = await api.database.query<{ row: string }>('select request_log::text as row from request_log');
  for (const place of [text, asId.text, ...api.log, ...rows.map(({ row }) => row)]) expect(place).not.toContain(CARD);
});

test('rejects a path argument that is missing or could name another path', async () => {
  const client = await connect(bearer(await agentKey()));
  for (const [value, code] of [
    [undefined, 'missing_required_fields'],
    ['', 'missing_required_fields'],
    ['..', 'invalid_value'],
    ['../keys', 'invalid_value'],
    [7, 'invalid_value'],
  ] as const) {
    const { isError, body } = await call(client, 'get_checkout', { checkout_session_id: value });
    expect([isError, body.error.code, body.error.param]).toEqual([true, code, 'checkout_session_id']);
  }
});

test('ends the wait of a client that has gone', async () => {
  const client = await connect(bearer(await agentKey()));
  const { body } = await call(client, 'create_checkout', DINER);
  const { checkout_session_id } = body;
  const params = { name: 'get_checkout', arguments: { checkout_session_id, wait: 60 } };
  const subscribed = vi.spyOn(api.progress, 'subscribe');
  const gone = new AbortController();
  const waiting = fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...bearer(DEMO_KEY) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: gone.signal,
  });
  const lines = () =>
    api.log.filter((line) => line.includes(String(checkout_session_id)) && line.includes('abandoned'));
  await expect.poll(() => subscribed.mock.calls.map(([subject]) => subject)).toContain(checkout_session_id);
  gone.abort();
  await expect(waiting).rejects.toThrow();
  // The tool call and its envelope.
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  subscribed.mockRestore();
});

test('names unknown arguments', async () => {
  const client = await connect(bearer(await agentKey()));
  const { result } = await call(client, 'create_checkout', { ...DINER, orderid: 'order_1001' });
  expect(result.content[1]).toMatchObject({ text: expect.stringContaining('orderid (did you mean order_id?)') });
});

test('repeats the first answer for the same idempotency key', async () => {
  const client = await connect(bearer(await agentKey()));
  const meta = { 'ringkey/idempotency-key': 'tool-call-1' };
  const first = await call(client, 'create_checkout', DINER, meta);
  const again = await call(client, 'create_checkout', DINER, meta);
  expect(again.text).toBe(first.text);
  const other = await call(client, 'create_checkout', { ...DINER, amount_cents: 1 }, meta);
  expect(other.body.error.code).toBe('charge_details_mismatch');
});

test('logs a tool call as the request of the key that it is, and nothing of its envelope', async () => {
  const { text, key } = await issueKey(
    api.database,
    SYSTEM,
    { accountId: DEMO_ACCOUNT, mode: 'test' },
    { scope: 'agent', name: 'Of the agent' },
  );
  const client = await connect({ ...bearer(text), 'x-forwarded-for': '203.0.113.9' });
  await call(client, 'create_checkout', DINER);
  const rows = await eventually(120_000, async () => {
    await api.requestLog.flush();
    const found = await api.database.query('select method, path, source, status from request_log where key_id = $1', [
      key.id,
    ]);
    expect(found.rows).not.toEqual([]);
    return found.rows as unknown[];
  });
  expect(rows).toEqual([{ method: 'POST', path: '/v1/create_checkout', source: '203.0.113.9', status: 200 }]);
});

test('refuses a wrong key, and a key from another address, as REST does', async () => {
  const wrong = await post(LIST, bearer('rk_test_0123456789abcdef0123'));
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="ringkey"');
  expect(wrong.body).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, data: { code: 'invalid_key' } },
  });
  const bound = await agentKey({ allowedSources: ['203.0.113.0/24'] });
  expect((await post(LIST, bearer(bound))).status).toBe(401);
  expect((await post(LIST, { ...bearer(bound), 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
});

test('counts a tool call once for the rate limit of the key', async () => {
  const limit = { requests: 10_000, windowSeconds: 600 };
  const own = await startTestApi({
    rateLimits: { key: limit, address: limit, failure: limit, link: limit, signIn: limit },
  });
  try {
    const params = { name: 'create_checkout', arguments: DINER };
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await own.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    expect(answer.body).toMatchObject({ result: { structuredContent: { amount_cents: 4250 } } });
    const { headers: limits } = await own.get('/v1/account');
    expect([answer, { headers: limits }].map((each) => each.headers.get('ratelimit-remaining'))).toEqual([
      '9999',
      '9998',
    ]);
  } finally {
    await own.close();
  }
});

test('accepts no request from a page of another site, also without a key', async () => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
    const { status, body } = await post(LIST, headers as Record<string, string>);
    expect([status, body]).toMatchObject([403, { jsonrpc: '2.0', error: { data: { param: 'Origin' } } }]);
  }
  expect((await post(LIST, { origin: api.url })).status).toBe(200);
});

test('runs the configuration of the docs', async () => {
  const place = { base_url: api.url, key: await agentKey() };
  const { mcpServers } = JSON.parse(codeOf('mcp', 'config', place)) as {
    mcpServers: { ringkey: { url: string; headers: Record<string, string> } };
  };
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  const { url, headers } = mcpServers.ringkey;
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect((await client.listTools()).tools).toHaveLength(4);
});

test.each(['GET', 'DELETE'])('answers %s with 405, because it has no sessions', async (method) => {
  const answer = await api.send(method, '/mcp', undefined, { accept: 'text/event-stream' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('does not know subscriptions to changes, because the tools never change', async () => {
  const method = 'subscriptions/listen';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = { jsonrpc: '2.0', id: 5, method, params: { _meta, notifications: { toolsListChanged: true } } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const answer = await post(message, headers);
  expect([answer.status, answer.body]).toEqual([
    404,
    { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'Method not found' } },
  ]);
  const mismatch = await post(message, { ...headers, 'mcp-method': 'tools/list' });
  expect([mismatch.status, mismatch.body.error.code]).toEqual([400, -32020]);
});

test('refuses batches, large and malformed messages with a JSON-RPC error', async () => {
  const batch = await post([LIST, LIST]);
  expect([batch.status, batch.body.error.code]).toEqual([400, -32600]);
  const broken = await post('{"jsonrpc":');
  expect([broken.status, broken.body.error.code]).toEqual([400, -32700]);
  const twice = await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}');
  expect([twice.status, twice.body.error.code]).toEqual([400, -32000]);
  const large = await post({ jsonrpc: '2.0', id: 1, method: 'ping', params: { padding: 'x'.repeat(70_000) } });
  expect([large.status, large.body.error.code]).toEqual([400, -32000]);
  expect((await post({ no: 'message' })).status).toBe(400);
  expect((await post('null')).status).toBe(400);
  expect((await post('ping', { 'content-type': 'text/plain' })).status).toBe(400);
});

test('negotiates versions: an unknown one in the handshake, and none in a header', async () => {
  const params = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const hello = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const { protocolVersion } = hello.body.result as { protocolVersion: string };
  expect(protocolVersion).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect((await post(LIST, { 'mcp-protocol-version': protocolVersion })).status).toBe(200);
  const unknown = await post(LIST, { 'mcp-protocol-version': '1999-01-01' });
  expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([400, expect.stringContaining('1999-01-01')]);
  const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([notified.status, notified.text]).toEqual([202, '']);
});

test('gives the keyless demo to local programs only', async () => {
  const local = await startTestApi();
  try {
    const message = {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    };
    const open = (more: Record<string, string>) =>
      fetch(`${local.url}/mcp`, { ...message, headers: { ...message.headers, ...more }, body: JSON.stringify(LIST) });
    expect((await open({})).status).toBe(200);
    expect((await open({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
    expect((await open(bearer(DEMO_KEY))).status).toBe(200);
  } finally {
    await local.close();
  }
});

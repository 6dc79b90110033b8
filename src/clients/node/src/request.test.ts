import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { Ringkey, type RingkeyOptions } from './client.ts';
import { RateLimitError, RingkeyError } from './errors.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let requests: IncomingMessage[];
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A client of a server that answers with these replies, in order, and then with the last one. */
async function clientOf(replies: readonly Reply[], options: Partial<RingkeyOptions> = {}): Promise<Ringkey> {
  requests = [];
  server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)];
    requests.push(request);
    reply?.(request.resume(), response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return new Ringkey({ apiKey: 'rk_test_key', baseUrl: `http://127.0.0.1:${port}/`, ...options });
}

const answers =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const fails = (status: number, type: string, headers?: Record<string, string>) =>
  answers(status, { error: { type, code: type.replace('_error', ''), message: 'No.' } }, headers);
const succeeds = answers(200, { ok: true });
const AT_ONCE = { 'retry-after': '0' };
const busy = fails(503, 'api_error', AT_ONCE);
const closes: Reply = (request) => request.socket.destroy();

/** Fails the test if the promise resolves. */
const errorOf = (promise: Promise<unknown>): Promise<RingkeyError> =>
  promise.then(
    () => Promise.reject(new Error('no error was thrown')),
    (error: RingkeyError) => error,
  );

test.each([
  { name: 'a 503', reply: busy },
  { name: 'a 408', reply: fails(408, 'invalid_request_error', AT_ONCE) },
  { name: 'a 429', reply: fails(429, 'rate_limit_error', AT_ONCE) },
  { name: 'a 409 that says when to try again', reply: fails(409, 'idempotency_error', AT_ONCE) },
  { name: 'a lost connection', reply: closes },
])('sends a POST again with the same idempotency key after $name', async ({ reply }) => {
  const ringkey = await clientOf([reply, succeeds]);
  expect(await ringkey.sendLink({ checkout_session_id: 'cs_1' })).toEqual({ ok: true });
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
});

test('sends the idempotency key that it is given, and none with a GET', async () => {
  const ringkey = await clientOf([succeeds]);
  await ringkey.sendLink({ checkout_session_id: 'cs_1' }, { idempotencyKey: 'order_1' });
  await ringkey.retrieveAccount();
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order_1', undefined]);
});

test('sends a file as it is, with its content type', async () => {
  const bodies: string[] = [];
  const keeps: Reply = (request, response) => {
    request.setEncoding('utf8').on('data', (part: string) => bodies.push(part));
    request.on('end', () => succeeds(request, response));
  };
  const ringkey = await clientOf([keeps]);
  await ringkey.setMerchantLogo('mer_1', Buffer.from('<svg/>'), 'image/svg+xml');
  expect(requests.map(({ method, url, headers }) => [method, url, headers['content-type']])).toEqual([
    ['PUT', '/v1/merchants/mer_1/logo', 'image/svg+xml'],
  ]);
  expect(bodies.join('')).toBe('<svg/>');
});

test('repeats a change after a 429, which did nothing, and not after a 503 or a lost connection', async () => {
  const limited = fails(429, 'rate_limit_error', AT_ONCE);
  const ringkey = await clientOf([limited, succeeds, busy, closes]);
  await ringkey.changeMerchant('mer_1', { business_name: 'New' });
  expect((await errorOf(ringkey.deleteCard('card_1'))).status).toBe(503);
  expect((await errorOf(ringkey.deleteCard('card_1'))).code).toBe('connection_failed');
  expect(requests).toHaveLength(4);
});

test('throws the last error after the retries', async () => {
  const ringkey = await clientOf([fails(429, 'rate_limit_error', AT_ONCE)], { maxRetries: 3 });
  expect(await errorOf(ringkey.retrieveAccount())).toBeInstanceOf(RateLimitError);
  expect(requests).toHaveLength(4);
  expect(await errorOf(ringkey.retrieveAccount({ maxRetries: 0 }))).toBeInstanceOf(RateLimitError);
  expect(requests).toHaveLength(5);
});

test.each(['31', 'Thu, 26 Nov 2026 12:00:00 GMT'])('does not wait if Retry-After is %s', async (value) => {
  const ringkey = await clientOf([fails(503, 'api_error', { 'retry-after': value })]);
  expect((await errorOf(ringkey.retrieveAccount())).status).toBe(503);
  expect(requests).toHaveLength(1);
});

test.each([400, 402, 404, 424, 500])('does not repeat a request after a %d', async (status) => {
  const ringkey = await clientOf([fails(status, 'api_error', AT_ONCE)]);
  expect((await errorOf(ringkey.retrieveAccount())).status).toBe(status);
  expect(requests).toHaveLength(1);
});

test('does not follow a redirect, so that no other server gets the key', async () => {
  const ringkey = await clientOf([answers(307, {}, { location: '/elsewhere' })]);
  expect(await errorOf(ringkey.retrieveAccount())).toMatchObject({ code: 'invalid_answer', status: 307 });
  expect(requests).toHaveLength(1);
});

test.each([200, 502])('throws an ApiError for an answer with status %d that is not JSON', async (status) => {
  const page: Reply = (_request, response) => response.writeHead(status).end('<html>');
  const ringkey = await clientOf([page]);
  expect(await errorOf(ringkey.retrieveAccount())).toMatchObject({ name: 'ApiError', code: 'invalid_answer', status });
});

test('throws a timeout if no answer arrives in time', async () => {
  const ringkey = await clientOf([() => undefined], { timeoutMs: 1, maxRetries: 0 });
  expect(await errorOf(ringkey.retrieveAccount())).toMatchObject({ name: 'ApiConnectionError', code: 'timeout' });
});

test('stops when the signal aborts, with its reason', async () => {
  const abort = new AbortController();
  const ringkey = await clientOf([() => abort.abort(new Error('hung up'))]);
  await expect(ringkey.retrieveAccount({ signal: abort.signal })).rejects.toThrow('hung up');
  expect(requests).toHaveLength(1);
});

test('puts the query and escaped IDs into the URL', async () => {
  const ringkey = await clientOf([succeeds]);
  await ringkey.retrieveOrder('a/b?c', { merchant_id: 'mer 1' });
  expect(requests[0]?.url).toBe('/v1/orders/a%2Fb%3Fc?merchant_id=mer+1');
});

test.each(['', '.', '..'])('rejects the ID "%s", which would make another path', async (id) => {
  const ringkey = await clientOf([succeeds]);
  expect(() => ringkey.retrieveKey(id)).toThrow(TypeError);
  expect(requests).toHaveLength(0);
});

test('shows its key to no log', async () => {
  const ringkey = await clientOf([closes], { maxRetries: 0 });
  const error = await errorOf(ringkey.retrieveAccount());
  expect(error).toBeInstanceOf(RingkeyError);
  for (const shown of [inspect(ringkey, { depth: 9 }), JSON.stringify(ringkey), inspect(error, { depth: 9 })]) {
    expect(shown).not.toContain('rk_test_key');
  }
});

test.each([
  { apiKey: '' },
  { apiKey: 'rk_test_key\n' },
  { baseUrl: 'ringkey.example.com' },
  { baseUrl: 'file:///etc' },
])('rejects the options $apiKey$baseUrl', async (wrong) => {
  server = createServer();
  const options = { apiKey: 'rk_test_key', baseUrl: 'https://ringkey.example.com' };
  expect(() => new Ringkey({ ...options, ...wrong })).toThrow(TypeError);
});

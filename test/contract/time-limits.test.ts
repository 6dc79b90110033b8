/** Time limits: no client or handler that hangs can block an answer or the shutdown. */
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { HANDLER_LIMIT_MS } from '../../src/http/api/server.ts';
import { seedDemo } from '../../src/local/standalone/demo-data.ts';
import { timingsOf } from '../../src/payments/shared/deps.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi | undefined;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await api?.close();
  api = undefined;
});

const ORDER = { merchant_id: 'mer_demo_diner', order_id: 'order_1001' };
/** Tolerance for a busy machine. */
const never = () => new Promise<never>(() => undefined);

function expectTimedOut({ status, headers, body }: Answer): void {
  expect({ status, code: body.error.code, retryAfter: headers.get('retry-after') }).toEqual({
    status: 503,
    code: 'internal_error',
    retryAfter: '1',
  });
  expect(ErrorObject.strict().parse(body.error).request_id).toBe(headers.get('x-request-id'));
}

test('limits a charge to less than the time of a handler', () => {
  const { requestStartLimitMs, processorLimitMs, recordLimitMs } = timingsOf({});
  expect(HANDLER_LIMIT_MS).toBeGreaterThan(2 * requestStartLimitMs + processorLimitMs + recordLimitMs);
});

describe('a handler that hangs', () => {
  test('answers 503 for a handler that hangs, with and without a body', async () => {
    api = await startTestApi({ handlerLimitMs: 200, orders: { lookUp: never } });
    expectTimedOut(await api.get(`/v1/orders/order_1001?merchant_id=${ORDER.merchant_id}`));
    expectTimedOut(await api.post('/v1/create_checkout', ORDER));
    const { log } = api;
    const tookMs = () =>
      log.filter((line) => line.includes('request answered')).map((line) => JSON.parse(line).duration_ms);
    await expect.poll(tookMs).toHaveLength(2);
    // A timer may fire a little early: it counts from the event loop's last turn.
    expect(Math.min(...tookMs())).toBeGreaterThanOrEqual(150);
    expect(await (await fetch(`${api.url}/metrics`)).text()).toMatch(
      /http_request_duration_seconds_bucket\{le="0.1",method="POST",route="\/v1\/create_checkout",status="503"\} 0\n/,
    );
  });

  test('keeps the Idempotency-Key of a handler that hangs claimed', async () => {
    const own = await startTestApi({ handlerLimitMs: 200, idempotencyWaitMs: 0, orders: { lookUp: never } });
    api = own;
    const ask = () => own.post('/v1/create_checkout', ORDER, { 'idempotency-key': 'hangs' });
    expectTimedOut(await ask());
    // On a machine that stands still the second is cut off, too, and its answer says nothing.
    await expect.poll(async () => (await ask()).status).toBe(409);
  });

  test('releases an Idempotency-Key whose claim was delayed by the database', async () => {
    const record = await createTestDatabase();
    await seedDemo(record.database);
    const proxy = await startTcpProxy();
    const database = openDatabase({
      url: proxy.forwardTo(record.url),
      isPooled: record.isPooled,
      maxConnections: 5,
      onIdleError: () => undefined,
    });
    try {
      const own = await startTestApi({ handlerLimitMs: 4_000, database });
      api = own;
      const identify = () =>
        own.post('/v1/identify', { caller_phone: '+15550101234' }, { 'idempotency-key': 'stands still' });
      expect((await own.get('/v1/merchants')).status).toBe(200);
      proxy.stall();
      for (const answer of await Promise.all([own.get('/v1/merchants'), identify()])) expectTimedOut(answer);
      proxy.restore();
      expect((await own.get('/v1/merchants')).status).toBe(200);
      expect((await identify()).body).toMatchObject({ known: true });
    } finally {
      await api?.close();
      api = undefined;
      await database.close();
      await Promise.all([proxy.close(), record.close()]);
    }
  });
});

/** The last bytes that a client sends. */
const UNFINISHED: [string, string][] = [
  ['nothing', ''],
  ['half a head', 'POST /v1/identify HTTP/1.1\r\nHost: localhost\r\n'],
  ['half a body', `${postHead(9)}{`],
  ['half of a second request', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /heal'],
];

describe('a client that sends no more and holds on', () => {
  test.each(UNFINISHED)('answers and disconnects a client that stops after %s', async (_what, text) => {
    const own = await startTestApi({ requestLimitMs: 1_000 });
    api = own;
    const client = await clientOf(own, text);
    await once(client, 'end');
    expect(client.said()).toMatch(/HTTP\/1\.1 408 [\s\S]*"code":"invalid_json"/);
    await expect.poll(() => connectionsOf(own)).toBe(0);
  });

  test.each(UNFINISHED)('shuts down despite a client that stops after %s', async (_what, text) => {
    const own = await startTestApi();
    await clientOf(own, text);
    await endsSoon(own);
  });
});

describe('a client that goes away', () => {
  test('shuts down after a client has disconnected during its request', async () => {
    const lookups = new EventEmitter();
    const own = await startTestApi({
      orders: {
        async lookUp() {
          const answered = once(lookups, 'answer');
          lookups.emit('asked');
          await answered;
          return { status: 'found', amountCents: 5 };
        },
      },
    });
    const lookup = once(lookups, 'asked');
    const body = JSON.stringify(ORDER);
    const client = await clientOf(own, `${postHead(body.length, '/v1/create_checkout')}${body}`);
    await lookup;
    client.destroy();
    await expect.poll(() => connectionsOf(own)).toBe(0);
    const abandoned = 'ringkey_http_requests_abandoned_total{route="/v1/create_checkout"} 1';
    await expect.poll(async () => (await fetch(`${own.url}/metrics`)).text()).toContain(abandoned);
    const line = () => own.log.find((text) => text.includes('request abandoned by its client')) ?? '{}';
    await expect.poll(() => JSON.parse(line())).toMatchObject({ route: '/v1/create_checkout', status: null });
    const ended = endsSoon(own);
    lookups.emit('answer');
    await ended;
  });
});

function postHead(length: number, path = '/v1/identify'): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

type Client = Socket & { said(): string };

/** A connection that the server has taken and whose bytes are `text`; the other side's end does not end it. */
async function clientOf({ app, url }: TestApi, text: string): Promise<Client> {
  const taken = once(app.server, 'connection');
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true });
  clients.push(socket);
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [[near]] = (await Promise.all([taken, once(socket, 'connect')])) as unknown as [[Socket], unknown];
  socket.write(text);
  await expect.poll(() => near.bytesRead).toBe(text.length);
  return Object.assign(socket, { said: () => said });
}

function connectionsOf({ app }: TestApi): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Far longer than the end takes, far shorter than a kept connection lasts. */
async function endsSoon(own: TestApi): Promise<void> {
  const ended = own.close().then(() => 'ended');
  const result = await Promise.race([ended, delay(25_000, 'held up', { ref: false })]);
  for (const client of clients) client.destroy();
  await ended;
  expect(result).toBe('ended');
}

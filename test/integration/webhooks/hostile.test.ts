/** Endpoints that respond in every wrong way: each delays only its own delivery, which records the failure. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  insertTestEvents,
  listDeliveries,
  makeDue,
  POLL,
  useNotificationHarness,
  waitForAttempts,
  waitForStatuses,
} from '../outbox/notification-harness.ts';

const harness = useNotificationHarness();
const servers: RawEndpoint[] = [];
afterEach(async () => {
  await harness.stop();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface RawEndpoint {
  url: string;
  requests: number;
  connections: number;
  /** The open connections. */
  open: Set<Socket>;
  close(): Promise<void>;
}

/** Starts an endpoint that responds with any bytes. @param answer gets the number of the request, from 1 */
async function rawEndpoint(answer: (socket: Socket, count: number) => void): Promise<RawEndpoint> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    endpoint.connections += 1;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head === -1 || text.length < head + 4 + length) return;
      text = text.slice(head + 4 + length);
      endpoint.requests += 1;
      answer(socket, endpoint.requests);
    });
  });
  const endpoint: RawEndpoint = {
    url: '',
    requests: 0,
    connections: 0,
    open,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  servers.push(endpoint);
  return endpoint;
}

const AN_HOUR = 3_600_000;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

it.each<[string, (socket: Socket) => void, string, string?]>([
  ['endless headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '), 'timeout'],
  ['100 Continue only', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
  [
    'too long headers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`),
    'connection',
    'invalid_response',
  ],
  ['another protocol', (socket) => socket.write('220 mail.example.com ESMTP\r\n'), 'connection', 'invalid_response'],
  ['a closed connection', (socket) => socket.end(), 'connection', 'connection_reset'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'connection', 'connection_reset'],
  [
    'an upgrade',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    'connection',
  ],
])('counts a delivery as failed if the response is %s', async (_name, answer, failure, detail) => {
  const endpoint = await rawEndpoint(answer);
  const { id } = await harness.register(endpoint.url);
  // Short only for the endpoints that never respond.
  harness.start({ answerLimitMs: failure === 'timeout' ? 500 : AN_HOUR });
  await insertTestEvents(harness, id);
  const expected = { status: 'waiting', status_code: null, failure, failure_detail: detail ?? null };
  expect(await waitForAttempts(harness, id, 1)).toMatchObject(expected);
});

it('does not take a second response to one request as the response to the next', async () => {
  const endpoint = await rawEndpoint((socket, count) => {
    if (count === 1) socket.write(OK + OK);
    else socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
  });
  const { id } = await harness.register(endpoint.url);
  harness.start();
  // One after the other, so that the second can reuse the connection.
  await insertTestEvents(harness, id);
  await waitForStatuses(harness, id, ['delivered']);
  await insertTestEvents(harness, id);
  await expect.poll(async () => (await listDeliveries(harness, id))[1]?.attempts, POLL).toBe(1);
  expect(await listDeliveries(harness, id)).toMatchObject([
    { status: 'delivered' },
    { status: 'waiting', status_code: 500 },
  ]);
});

it('reads a KiB of an endless response, and closes the connection', async () => {
  const endpoint = await rawEndpoint((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = () => {
      while (socket.writable && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
    };
    socket.on('drain', more);
    more();
  });
  const { id } = await harness.register(endpoint.url);
  harness.start();
  await insertTestEvents(harness, id);
  expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ answer: 'x'.repeat(1_024) }]);
  await expect.poll(() => endpoint.open.size, POLL).toBe(0);
});

it('accepts a response that breaks off after its status', async () => {
  const endpoint = await rawEndpoint((socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nwe got', () => socket.destroy());
  });
  const { id } = await harness.register(endpoint.url);
  harness.start();
  await insertTestEvents(harness, id);
  expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ status_code: 202, answer: 'we got' }]);
});

it('retries on another connection if the response comes after the time limit', async () => {
  const held: Socket[] = [];
  const endpoint = await rawEndpoint((socket, count) => {
    if (count === 1) held.push(socket);
    else socket.write(OK);
  });
  const { id } = await harness.register(endpoint.url);
  harness.start({ answerLimitMs: 500 });
  await insertTestEvents(harness, id);
  expect(await waitForAttempts(harness, id, 1)).toMatchObject({ status: 'waiting', failure: 'timeout' });
  for (const socket of held) socket.write(OK);
  await harness.stop();
  harness.start({ answerLimitMs: AN_HOUR });
  await makeDue(harness, id);
  expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ attempts: 2 }]);
  expect(endpoint).toMatchObject({ requests: 2, connections: 2 });
});

/**
 * Endpoints that answer in every wrong way: each costs its own delivery a time limit at most, and the log says what it
 * was.
 */

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
  /** Connections that are open. */
  open: Set<Socket>;
  close(): Promise<void>;
}

/** Answers each request, the first of which is 1, with whatever bytes. */
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

it.each<[string, (socket: Socket) => void, string]>([
  ['headers that never end', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '), 'timeout'],
  ['100 Continue and nothing after it', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
  [
    'headers beyond all measure',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`),
    'connection',
  ],
  ['what is no HTTP', (socket) => socket.write('220 mail.example.com ESMTP\r\n'), 'connection'],
  ['the end of the connection', (socket) => socket.end(), 'connection'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'connection'],
  [
    'another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    'connection',
  ],
])('answered with %s has failed', async (_name, answer, failure) => {
  const endpoint = await rawEndpoint(answer);
  const { id } = await harness.register(endpoint.url);
  // Only what never answers is waited for.
  harness.start({ answerLimitMs: failure === 'timeout' ? 500 : AN_HOUR });
  await insertTestEvents(harness, id);
  expect(await waitForAttempts(harness, id, 1)).toMatchObject({ status: 'waiting', status_code: null, failure });
});

it('a second answer to one request is no answer to the next', async () => {
  const endpoint = await rawEndpoint((socket, count) => {
    if (count === 1) socket.write(OK + OK);
    else socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
  });
  const { id } = await harness.register(endpoint.url);
  harness.start();
  // One after the other, so that the second may take up the connection of the first.
  await insertTestEvents(harness, id);
  await waitForStatuses(harness, id, ['delivered']);
  await insertTestEvents(harness, id);
  await expect.poll(async () => (await listDeliveries(harness, id))[1]?.attempts, POLL).toBe(1);
  expect(await listDeliveries(harness, id)).toMatchObject([
    { status: 'delivered' },
    { status: 'waiting', status_code: 500 },
  ]);
});

it('an answer as long as one likes is read for a KiB, and its connection closed', async () => {
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

it('an answer that is broken off after its status is one', async () => {
  const endpoint = await rawEndpoint((socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nwe got', () => socket.destroy());
  });
  const { id } = await harness.register(endpoint.url);
  harness.start();
  await insertTestEvents(harness, id);
  expect(await waitForStatuses(harness, id, ['delivered'])).toMatchObject([{ status_code: 202, answer: 'we got' }]);
});

it('an answer that comes after the limit is none, and the delivery is tried anew on another connection', async () => {
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

/** A fake Sentinel in front of a real Redis, because a real one cannot be told when to answer. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestRedis } from '../../../test/support/redis.ts';
import { connectRedis, type RedisConnection } from './connect.ts';

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const list = (texts: readonly string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;
const HELLO = `%1\r\n${bulk('proto')}:3\r\n`;
/** Resolves with the first of the client's events. Does not reject for `error`, unlike `once` of node:events. */
const first = (redis: RedisConnection, ...events: string[]) =>
  new Promise((resolve) => {
    for (const event of events) redis.once(event, () => resolve(event));
  });

/** Answers as Redis does (redis.io/docs/reference/protocol-spec), each command in an array of bulk strings. */
async function fakeSentinel(master: URL) {
  const subscribers = new Set<Socket>();
  let held: (() => void)[] | null = null;
  let connected: () => void = () => undefined;
  const answer = (socket: Socket, [name = '', part = '']: string[]) => {
    if (name === 'sentinel' && part === 'get-master-addr-by-name') {
      const reply = () => void socket.write(list([master.hostname, master.port]));
      if (held === null) return reply();
      held.push(reply);
      return connected();
    }
    if (name === 'sentinel') return void socket.write(list([]));
    if (name === 'subscribe') {
      subscribers.add(socket);
      return void socket.write(`>3\r\n${bulk('subscribe')}${bulk(part)}:1\r\n`);
    }
    return void socket.write(name === 'hello' ? HELLO : '+OK\r\n');
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => subscribers.delete(socket));
    socket.on('data', (bytes) => {
      for (const command of bytes
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const words = command.split('\r\n').filter((_, at) => at % 2 === 1);
        answer(
          socket,
          words.map((word, at) => (at === 0 ? word.toLowerCase() : word)),
        );
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    subscribers,
    /** Answers no question for the master. @returns when one is asked */
    hold: () =>
      new Promise<void>((resolve) => {
        held = [];
        connected = resolve;
      }),
    release: () => {
      const replies = held ?? [];
      held = null;
      for (const reply of replies) reply();
    },
    announceFailover: () => {
      const message = list(['message', '+switch-master', 'm 127.0.0.1 1 127.0.0.1 2']).replace('*', '>');
      for (const socket of subscribers) socket.write(message);
    },
    close: () => server.close(),
  };
}

test('a client connects again if a Sentinel announces the failover while the client asks for the master', async () => {
  const server = await createTestRedis();
  const master = new URL(server.url);
  const sentinel = await fakeSentinel(master);
  const redis = connectRedis(`redis+sentinel://${master.username}:${master.password}@127.0.0.1:${sentinel.port}/m`);
  redis.on('error', () => undefined);
  onTestFinished(async () => {
    redis.disconnect();
    sentinel.close();
    await server.close();
  });
  await first(redis, 'ready');
  await expect.poll(() => sentinel.subscribers.size).toBe(1);

  const connected = sentinel.hold();
  await server.redis.client('KILL', 'ID', await redis.client('ID'));
  await connected;
  sentinel.announceFailover();
  // The client no longer listens.
  await expect.poll(() => sentinel.subscribers.size).toBe(0);
  sentinel.release();
  expect(await first(redis, 'ready', 'end')).toBe('ready');
  expect(await redis.ping()).toBe('PONG');
});

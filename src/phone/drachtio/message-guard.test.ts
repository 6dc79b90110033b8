import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DrachtioEdge } from './edge.ts';
import type { WireProtocol } from './library.ts';
import { guardMessages } from './message-guard.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The first line is not valid SIP. A SIP stack may accept what the library rejects. */
const NO_SIP = 'id|sip|network|1|udp|h|1|t|txn|d||h|1|\r\nINFO sip:x SIP/x\r\nCall-ID: x\r\n\r\nSignal=5\r\n';

describe('the connection to the SIP server', () => {
  it.each([
    ['without a length', 'no length#'],
    ['with an empty length', '#id|ping'],
    ['with a length of a gigabyte', '1073741824#id|ping'],
    ['of an unknown kind', '13#id|nonsense|x'],
    ['that is not SIP', `${NO_SIP.length}#${NO_SIP}`],
  ])('survives a message %s, and accepts calls again', async (what, garbage) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    closers.push(() => printed.mockRestore());
    const sockets: Socket[] = [];
    const opened = new EventEmitter();
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const id = /^\d+#([^|]+)\|authenticate\|/.exec(data.toString())?.[1];
        if (id === undefined) return;
        const answer = `x|response|${id}|OK|tcp/127.0.0.1:5060|v0.9.10|x`;
        socket.write(`${answer.length}#${answer}`, () => opened.emit('up', socket));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const logged: string[] = [];
    const write = (_fields: unknown, message?: unknown) => void logged.push(String(message));
    const log = { info: write, warn: write, error: write };
    const first = once(opened, 'up');
    const edge = new DrachtioEdge({ host: '127.0.0.1', port, secret: 's', log });
    closers.push(() => edge.close());
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const [socket] = (await first) as [Socket];
    await expect.poll(() => edge.connected).toBe(true);
    const again = what.includes('length') ? once(opened, 'up') : null;
    socket.write(garbage);
    if (again === null) {
      if (what === 'of an unknown kind')
        await expect.poll(() => logged).toContain('message of the SIP server could not be handled');
      if (garbage.includes('INFO'))
        await expect.poll(() => logged).toContain('message of the SIP server could not be parsed: dropped');
      expect(edge.connected).toBe(true);
    } else {
      await again;
      expect(logged).toContain('SIP server sent malformed data: reconnecting');
      await expect.poll(() => edge.connected).toBe(true);
    }
    // The library prints a message that it cannot parse, which may contain a caller's key.
    expect(printed).not.toHaveBeenCalled();
  });
});

it('an error in the handling of a message does not affect the next one, and is reported without its text', async () => {
  const wire = new EventEmitter() as EventEmitter & WireProtocol;
  const seen: string[] = [];
  const faults: { error: unknown; ids: readonly string[] }[] = [];
  wire.on('msg', (_socket, message) => {
    seen.push(message);
    if (message.includes('INFO')) throw new Error(`cannot read: ${message}`);
  });
  guardMessages(wire, {
    notHandled: (error, ids) => void faults.push({ error, ids }),
    notParsed: () => undefined,
    notReadable: () => undefined,
  });
  const socket = connect(9, '127.0.0.1').on('error', () => undefined);
  const info = 'INFO sip:x SIP/2.0\r\nCall-ID: x\r\n\r\nSignal=5';
  for (const message of [`x|sip|network|t|call;from-tag=1\r\n${info}`, 'x|ping']) wire.emit('msg', socket, message);
  expect(seen).toHaveLength(2);
  expect(faults.map(({ ids }) => ids)).toEqual([['x', 'sip', 'network', 't', 'call;from-tag=1']]);
  expect(String(faults[0]?.error)).not.toContain('Signal');
  socket.destroy();
});

it('a response with an unreadable reason or line is handled without them, and a request gets 400', () => {
  const wire = new EventEmitter() as EventEmitter & WireProtocol;
  const [seen, sent, dropped]: [string[], string[], unknown[]] = [[], [], []];
  wire.on('msg', (_socket, message) => void seen.push(message));
  wire.send = (_socket, message) => `${sent.push(message)}`;
  const notHandled = () => undefined;
  guardMessages(wire, { notHandled, notReadable: notHandled, notParsed: (ids) => void dropped.push(ids) });
  const socket = connect(9, '127.0.0.1').on('error', () => undefined);
  const leader = 'x|sip|network|1|udp|127.0.0.1|1|t|transaction|dialog|\r\n';
  const lines = 'no header\r\nCall-ID: x\r\n\r\n';
  wire.emit('msg', socket, `${leader}SIP/2.0 486 Busy\u2028\r\n${lines}`);
  expect(seen).toEqual([`${leader}SIP/2.0 486 \r\nCall-ID: x\r\n\r\n`]);
  for (const method of ['INVITE', 'ACK']) wire.emit('msg', socket, `${leader}${method} sip:x SIP/2.0\r\n${lines}`);
  expect(seen).toHaveLength(1);
  expect(dropped).toHaveLength(2);
  expect(sent).toEqual(['sip|transaction|\r\nSIP/2.0 400 Bad Request\r\nContent-Length: 0\r\n\r\n']);
  socket.destroy();
});

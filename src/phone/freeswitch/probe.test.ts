import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isLogLevelSet, probeServer } from './probe.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

const SOFIA = 'Name  Type  Data  State\ndrachtio_mrf\tprofile\t sip:mod_sofia@127.0.0.1:5080\tRUNNING (0)\n';
const reply = (text: string) => `Content-Type: command/reply\nReply-Text: ${text}\n\n`;
const body = (text: string) => `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(text)}\n\n${text}`;

/** An event socket with these replies, one per command; null hangs up. */
async function eventSocket(greeting: string, answers: (string | null)[]): Promise<number> {
  server = createServer((socket) => {
    // Byte by byte: nothing may depend on how TCP splits it.
    const say = (text: string) => {
      for (const byte of text) socket.write(byte);
    };
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    say(greeting);
    socket.on('data', () => {
      const answer = answers.shift();
      if (answer === null) socket.destroy();
      else if (answer !== undefined) say(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const ASKS = 'Content-Type: auth/request\n\n';
const GOOD = [reply('+OK accepted'), body(SOFIA), body('+OK log level: WARNING [4]\n')];

describe('probing a FreeSWITCH', () => {
  it.each([
    ['a usable one', ASKS, GOOD, null],
    ['a wrong secret', ASKS, [reply('-ERR invalid')], 'wrong_secret'],
    [
      'a foreign address',
      'Content-Type: text/rude-rejection\nContent-Length: 24\n\nAccess Denied, go away.\n',
      [],
      'not_allowed',
    ],
    ['no profile (yet)', ASKS, [GOOD[0] ?? '', body('Name Type\n0 profiles 0 aliases\n')], 'no_profile'],
    ['mod_sofia not loaded', ASKS, [GOOD[0] ?? '', body('-ERR sofia Command not found!\n')], 'no_profile'],
    [
      'a log that stays chatty',
      ASKS,
      [...GOOD.slice(0, 2), body('-ERR syntax error, log level not set!\n')],
      'chatty_log',
    ],
    ['one that hangs up', ASKS, [null], 'refused'],
    ['one that says nothing', '', [], 'timeout'],
  ])('finds %s', async (_what, greeting, answers, expected) => {
    const port = await eventSocket(greeting, [...answers]);
    const limitMs = expected === 'timeout' ? 300 : 20_000;
    expect(await probeServer('127.0.0.1', port, 'ClueCon', limitMs)).toBe(expected);
  });

  it('finds a closed port', async () => {
    const port = await eventSocket('', []);
    server?.close();
    await once(server as Server, 'close');
    expect(await probeServer('127.0.0.1', port, 'ClueCon', 20_000)).toBe('refused');
  });
});

it('accepts only a reply that confirms the log level', () => {
  expect(isLogLevelSet('+OK log level: WARNING [4]\n')).toBe(true);
  for (const text of ['+OK log level: INFO [6]\n', '+OK log level: DISABLE [-1]\n', '', '-ERR\n']) {
    expect(isLogLevelSet(text)).toBe(false);
  }
});

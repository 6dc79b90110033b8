/**
 * RFC 3261 17 and 12, with a peer that reads and writes datagrams: which messages are sent, how often and to which
 * address.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSipAgent,
  headerList,
  headerValue,
  isRequest,
  parseMessage,
  type ServerTransaction,
  type SipAgent,
  type SipMessage,
} from './index.ts';

const QUICK = { t1Ms: 25, t2Ms: 100, t4Ms: 125 };

let agent: SipAgent;
let peer: Socket;
let received: SipMessage[];

beforeEach(async () => {
  agent = await createSipAgent({
    address: '127.0.0.1',
    port: 0,
    timers: QUICK,
    allow: ['INVITE', 'ACK', 'BYE', 'CANCEL', 'INFO'],
  });
  peer = createSocket('udp4');
  received = [];
  peer.on('message', (data) => {
    const message = parseMessage(data)?.message;
    if (!message) return;
    received.push(message);
    peer.emit('sip', message);
  });
  peer.bind(0, '127.0.0.1');
  await once(peer, 'listening');
});

afterEach(async () => {
  await agent.close();
  peer.close();
});

const peerPort = () => peer.address().port;
const send = (...lines: string[]) => peer.send([...lines, '', ''].join('\r\n'), agent.port, '127.0.0.1');

/** The next message for which `test` is true. */
function next(test: (message: SipMessage) => boolean): Promise<SipMessage> {
  return new Promise((resolve) => {
    const check = (message: SipMessage) => {
      if (!test(message)) return;
      peer.off('sip', check);
      resolve(message);
    };
    peer.on('sip', check);
  });
}

const status = (code: number) => next((message) => !isRequest(message) && message.status === code);
const method = (name: string) => next((message) => isRequest(message) && message.method === name);
const count = (test: (message: SipMessage) => boolean) => received.filter(test).length;

function request(name: string, extra: Record<string, string> = {}): string[] {
  const headers: Record<string, string> = {
    Via: `SIP/2.0/UDP 127.0.0.1:${peerPort()};branch=z9hG4bK1`,
    From: '<sip:peer@127.0.0.1>;tag=p',
    To: '<sip:agent@127.0.0.1>',
    'Call-ID': 'call-1',
    CSeq: `1 ${name}`,
    Contact: `<sip:peer@127.0.0.1:${peerPort()}>`,
    ...extra,
  };
  return [`${name} sip:agent@127.0.0.1 SIP/2.0`, ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`)];
}

/** The peer's answer to a request of the agent. */
function reply(to: SipMessage, code: number, headers: Record<string, string> = {}): void {
  const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerValue(to, name)}`);
  const all = { To: `${headerValue(to, 'To')};tag=peer`, Contact: `<sip:peer@127.0.0.1:${peerPort()}>`, ...headers };
  send(`SIP/2.0 ${code} X`, ...copied, ...Object.entries(all).map(([key, value]) => `${key}: ${value}`));
}

const invite = () => agent.request({ method: 'INVITE', uri: `sip:peer@127.0.0.1:${peerPort()}` });

describe('a server transaction', () => {
  it('repeats the refusal of an INVITE until its ACK, and then stops', async () => {
    agent.on('request', (transaction) => transaction.respond(486));
    send(...request('INVITE'));
    await status(100);
    await status(486);
    const response = await status(486);
    const repeats = () => count((message) => !isRequest(message) && message.status === 486);
    send(...request('ACK', { CSeq: '1 ACK', To: headerValue(response, 'To') ?? '' }));
    // An unanswered request takes as long as several repetitions.
    const unanswered = () => agent.request({ method: 'OPTIONS', uri: `sip:peer@127.0.0.1:${peerPort()}` }).final;
    await unanswered();
    const after = repeats();
    await unanswered();
    expect(repeats()).toBe(after);
  });

  it('answers a repeated request again without passing it to the application twice', async () => {
    let queries = 0;
    agent.on('request', (transaction) => {
      queries++;
      transaction.respond(200);
    });
    send(...request('INFO'));
    await status(200);
    send(...request('INFO'));
    await status(200);
    expect(queries).toBe(1);
  });

  it('adds the source address to Via and keeps Record-Route', async () => {
    agent.on('request', (transaction) => transaction.respond(200));
    send(
      ...request('INVITE', {
        Via: 'SIP/2.0/UDP nowhere.invalid:1;branch=z9hG4bK9;rport',
        'Record-Route': '<sip:127.0.0.1:1;lr>',
      }),
    );
    const response = await status(200);
    expect(headerValue(response, 'Via')).toBe(
      `SIP/2.0/UDP nowhere.invalid:1;branch=z9hG4bK9;received=127.0.0.1;rport=${peerPort()}`,
    );
    expect(headerValue(response, 'Record-Route')).toBe('<sip:127.0.0.1:1;lr>');
    expect(headerValue(response, 'Contact')).toBe(`<sip:127.0.0.1:${agent.port}>`);
  });

  it('ends an INVITE if the application never answers', async () => {
    await agent.close();
    agent = await createSipAgent({ address: '127.0.0.1', port: 0, timers: { ...QUICK, answerLimitMs: 20 } });
    const abandoned = new Promise<void>((resolve) => agent.on('request', (one) => one.once('abandoned', resolve)));
    send(...request('INVITE'));
    await status(480);
    await abandoned;
  });

  it.each([
    ['a method nobody knows', 'FOO', {}, 501],
    ['a method it does not take', 'REFER', {}, 405],
    ['Max-Forwards 0', 'INFO', { 'Max-Forwards': '0' }, 483],
    ['a dialog that is not there', 'BYE', { To: '<sip:a@b>;tag=gone' }, 481],
    ['a CANCEL of nothing', 'CANCEL', {}, 481],
    ['a CSeq of another method', 'INFO', { CSeq: '1 BYE' }, 400],
  ])('refuses %s', async (_, name, headers, code) => {
    agent.on('request', (transaction) => transaction.respond(200));
    send(...request(name, headers));
    const response = await status(code);
    if (code === 405) expect(headerValue(response, 'Allow')).toBe('INVITE, ACK, BYE, CANCEL, INFO');
  });
});

describe('a client transaction', () => {
  it('repeats the INVITE until a response, and ACKs each repetition of a refusal', async () => {
    const transaction = invite();
    await method('INVITE');
    const again = await method('INVITE');
    const ack = method('ACK');
    reply(again, 404);
    expect((await transaction.final).status).toBe(404);
    expect(headerValue(await ack, 'Via')).toBe(headerValue(again, 'Via'));
    const second = method('ACK');
    reply(again, 404);
    await second;
  });

  it('ends a request without an answer with a local 408', async () => {
    const sent = method('OPTIONS');
    const transaction = agent.request({ method: 'OPTIONS', uri: `sip:peer@127.0.0.1:${peerPort()}` });
    await sent;
    expect((await transaction.final).status).toBe(408);
    expect(count((message) => isRequest(message) && message.method === 'OPTIONS')).toBeGreaterThan(5);
  });

  it('ends a request to an unreachable host with a local 503', async () => {
    expect((await agent.request({ method: 'OPTIONS', uri: 'sip:a@nowhere.invalid' }).final).status).toBe(503);
    expect((await agent.request({ method: 'OPTIONS', uri: 'tel:+1555' }).final).status).toBe(503);
  });

  it('cancels an INVITE only once it rings, and lets it ring no longer than the limit', async () => {
    const transaction = invite();
    const sent = method('INVITE');
    const request = await sent;
    transaction.cancel();
    const cancel = method('CANCEL');
    reply(request, 180);
    expect(headerValue(await cancel, 'Via')).toBe(headerValue(request, 'Via'));
    expect((await transaction.final).status).toBe(487);
  });

  it('answers a challenge once, with the next CSeq and the same Call-ID', async () => {
    const transaction = agent.request({
      method: 'INVITE',
      uri: `sip:peer@127.0.0.1:${peerPort()}`,
      auth: { username: 'u', password: 'p' },
    });
    const first = await method('INVITE');
    const authorized = next((message) => headerValue(message, 'Authorization') !== undefined);
    reply(first, 401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' });
    const second = await authorized;
    expect(headerValue(second, 'Call-ID')).toBe(headerValue(first, 'Call-ID'));
    expect(headerValue(second, 'From')).toBe(headerValue(first, 'From'));
    expect(Number.parseInt(headerValue(second, 'CSeq') ?? '', 10)).toBe(
      Number.parseInt(headerValue(first, 'CSeq') ?? '', 10) + 1,
    );
    reply(second, 401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' });
    expect((await transaction.final).status).toBe(401);
  });
});

describe('a dialog', () => {
  it('sends requests along the route set, last Record-Route first, with the remote target as Request-URI', async () => {
    const transaction = invite();
    const first = await method('INVITE');
    const ack = method('ACK');
    const routes = `<sip:far.invalid;lr>, <sip:127.0.0.1:${peerPort()};lr>`;
    reply(first, 200, { 'Record-Route': routes, Contact: '<sip:target@far.invalid>' });
    const sent = await ack;
    expect((await transaction.final).status).toBe(200);
    expect(isRequest(sent) && sent.uri).toBe('sip:target@far.invalid');
    expect(headerList(sent, 'Route')).toEqual([`<sip:127.0.0.1:${peerPort()};lr>`, '<sip:far.invalid;lr>']);
  });

  it('ACKs a 2xx each time it arrives, and hangs up a second fork', async () => {
    const transaction = invite();
    const first = await method('INVITE');
    const ack = method('ACK');
    reply(first, 200);
    await ack;
    const again = method('ACK');
    reply(first, 200);
    expect(headerValue(await again, 'To')).toMatch(/tag=peer$/);
    const bye = method('BYE');
    reply(first, 200, { To: `${headerValue(first, 'To')};tag=fork` });
    expect(headerValue(await bye, 'To')).toMatch(/tag=fork$/);
    expect(transaction.dialog?.remoteTag).toBe('peer');
  });

  it('refuses requests out of order with 500, and a crossing re-INVITE with 491', async () => {
    const transaction = invite();
    const first = await method('INVITE');
    reply(first, 200);
    await transaction.final;
    const dialog = transaction.dialog;
    dialog?.on('request', (one: ServerTransaction) => one.respond(200));
    const inDialog = {
      From: `<sip:peer@127.0.0.1>;tag=peer`,
      To: `<sip:a@b>;tag=${dialog?.localTag}`,
      'Call-ID': dialog?.callId ?? '',
    };
    send(...request('INFO', { ...inDialog, CSeq: '7 INFO' }));
    await status(200);
    send(
      ...request('INFO', { ...inDialog, CSeq: '6 INFO', Via: `SIP/2.0/UDP 127.0.0.1:${peerPort()};branch=z9hG4bK6` }),
    );
    await status(500);
    const crossing = method('INVITE');
    dialog?.request({ method: 'INVITE' });
    await crossing;
    send(
      ...request('INVITE', {
        ...inDialog,
        CSeq: '8 INVITE',
        Via: `SIP/2.0/UDP 127.0.0.1:${peerPort()};branch=z9hG4bK8`,
      }),
    );
    await status(491);
  });

  it('refuses a request after it has ended', async () => {
    const transaction = invite();
    reply(await method('INVITE'), 200);
    await transaction.final;
    transaction.dialog?.drop();
    expect((await transaction.dialog?.request({ method: 'INFO' }).final)?.status).toBe(481);
  });
});

/** Compares every kind of frame of the application protocol with frames recorded from a real drachtio-server. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerTransaction, SipAgent } from '../../../src/local/softswitch/sip/index.ts';
import { ANSWER, type Engine, OFFER, once, startEngine } from './engine.ts';
import { RECORDED, shapeOf } from './recorded-frames.ts';

/** An application on a raw socket. */
class Application extends EventEmitter {
  readonly #socket: Socket;
  readonly #frames: string[] = [];
  #pending = '';

  constructor(port: number) {
    super();
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk) => this.#read(chunk));
  }

  /** Sends a message. @returns its ID */
  send(text: string): string {
    const id = randomUUID();
    this.#socket.write(`${Buffer.byteLength(text) + id.length + 1}#${id}|${text}`);
    return id;
  }

  /** The next frame, without its ID. */
  async next(): Promise<string> {
    const waiting = this.#frames.shift();
    return waiting ?? (await once<[string]>(this, 'frame').then(() => this.next()));
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#pending += chunk;
    for (;;) {
      const hash = this.#pending.indexOf('#');
      const end = hash + 1 + Number(this.#pending.slice(0, Math.max(0, hash)));
      if (hash < 0 || this.#pending.length < end) return;
      this.#frames.push(this.#pending.slice(hash + 1, end).replace(/^[^|]*\|/, ''));
      this.#pending = this.#pending.slice(end);
      this.emit('frame');
    }
  }
}

let engine: Engine;
let app: Application;
let phone: SipAgent;

beforeEach(async () => {
  engine = await startEngine();
  app = new Application(engine.drachtioPort);
  phone = await engine.phone();
  app.send(`authenticate|${engine.secret}|`);
  expect(await app.next()).toMatch(
    // A drachtio-server that listens for TLS lists that first.
    /^response\|[^|]+\|OK\|(tls\/127\.0\.0\.1:\d+,)?tcp\/127\.0\.0\.1:\d+,udp\/127\.0\.0\.1:\d+\|v0\.9\.10[^|]*\|(tls|tcp)\//,
  );
  for (const verb of ['invite', 'invite', 'options']) {
    app.send(`route|${verb}`);
    expect(await app.next()).toMatch(/^response\|[^|]+\|OK$/);
  }
});

afterEach(async () => {
  app.close();
  await engine.close();
});

const transactionOf = (frame: string) => frame.split('|')[7] ?? '';
const dialogOf = (frame: string) => frame.split('|')[8] ?? '';
const respond = (frame: string, status: string, body = '') =>
  app.send(`sip|${transactionOf(frame)}|\r\nSIP/2.0 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

async function expectNext(recorded: keyof typeof RECORDED): Promise<string> {
  const frame = await app.next();
  const wanted = RECORDED[recorded];
  const [leader = ''] = frame.split('\r\n');
  expect(shapeOf(wanted.includes('\n') ? frame : leader)).toBe(shapeOf(wanted));
  return frame;
}

describe('the frames of a call from the network', () => {
  const dial = () => phone.request({ method: 'INVITE', uri: `sip:line@127.0.0.1:${engine.sipPort}`, body: OFFER });

  it('match a real drachtio-server from INVITE to BYE', async () => {
    const call = dial();
    const invite = await expectNext('invite');
    respond(invite, '180 Ringing');
    await expectNext('ringingSent');
    respond(invite, '200 OK', ANSWER);
    await expectNext('answerSent');
    const ack = await expectNext('ack');
    expect(transactionOf(ack)).toBe(transactionOf(invite));
    await call.final;
    void call.dialog?.request({ method: 'INFO', headers: { 'Content-Type': 'text/plain' }, body: 'ping' });
    respond(await expectNext('info'), '200 OK');
    await expectNext('infoAnswerSent');
    void call.dialog?.bye();
    const bye = await expectNext('bye');
    expect(dialogOf(bye)).toBe(dialogOf(ack));
    respond(bye, '200 OK');
    await expectNext('byeAnswerSent');
  });

  it('match a real drachtio-server if the call is canceled before or after it rings', async () => {
    const ringing = dial();
    const invite = await expectNext('invite');
    respond(invite, '180 Ringing');
    await expectNext('ringingSent');
    ringing.cancel();
    await expectNext('cancelAfterRinging');
    const silent = dial();
    await expectNext('invite');
    silent.cancel();
    await expectNext('cancelBeforeAnswer');
    respond(invite, '200 OK', ANSWER);
    await expectNext('lateAnswer');
  });
});

describe('an INVITE of the application', () => {
  const contact = () => ({ Contact: `<sip:drachtio@127.0.0.1:${phone.port};transport=udp>` });
  const place = () =>
    app.send(
      `sip||\r\nINVITE sip:drachtio@127.0.0.1:${phone.port} SIP/2.0\r\nUser-Agent: drachtio-fsmrf:${randomUUID()}\r\nX-esl-outbound: 127.0.0.1:18024\r\nContent-Length: 1\r\n\r\n${OFFER}`,
    );

  it('is echoed to the application before the response, and so is its ACK', async () => {
    phone.once('request', (transaction: ServerTransaction) =>
      transaction.respond(200, { body: ANSWER, headers: contact() }),
    );
    place();
    const sent = await expectNext('inviteSent');
    const answer = await expectNext('inviteAnswer');
    expect(transactionOf(answer)).toBe(sent.split('|')[9]);
    const id = app.send(`sip||${dialogOf(answer)}\r\nACK sip:x@y SIP/2.0\r\nContent-Length: 0\r\n\r\n`);
    expect(await expectNext('ackSent')).toContain(`response|${id}|OK|`);
  });

  it('that is refused is ACKed by the server', async () => {
    phone.once('request', (transaction: ServerTransaction) => transaction.respond(480));
    place();
    await expectNext('inviteSent');
    const answer = await expectNext('inviteAnswer');
    app.send(`sip||${dialogOf(answer)}\r\nACK sip:x@y SIP/2.0\r\nContent-Length: 0\r\n\r\n`);
    await expectNext('ownAck');
  });

  it.each([
    [
      `sip||gone;from-tag=1\r\nBYE sip:placeholder SIP/2.0\r\n\r\n`,
      'Server error: unable to find dialog for dialog id provided',
    ],
    [`sip||\r\nINVITE sip:@ SIP/2.0\r\n\r\n`, 'invalid request-uri: INVITE sip:@ SIP/2.0'],
    [`sip||\r\nMESSAGE sip:a@127.0.0.1:1 SIP/2.0\r\n\r\nhello`, 'missing content-type'],
    [`sip|none|\r\nCANCEL sip:a@127.0.0.1:1 SIP/2.0\r\n\r\n`, 'unable to cancel unknown transaction id: none'],
    [`sip|none|\r\nSIP/2.0 200 OK\r\n\r\n`, 'Response not sent due to unknown transaction'],
  ])('or another message that is invalid is refused: %j', async (text, reason) => {
    const id = app.send(text);
    expect(await app.next()).toBe(`response|${id}|NOK|${reason}`);
  });
});

describe('the protocol', () => {
  it('carries OPTIONS outside a call', async () => {
    void phone.request({ method: 'OPTIONS', uri: `sip:ping@127.0.0.1:${engine.sipPort}` });
    respond(await expectNext('options'), '200 OK');
    await expectNext('optionsAnswerSent');
  });

  it('answers a ping', async () => {
    app.send('ping');
    await expectNext('pong');
  });

  it('accepts a body whose Content-Length counts characters instead of bytes', async () => {
    const requested = once<[ServerTransaction]>(phone, 'request');
    const body = 'é'.repeat(10);
    app.send(
      `sip||\r\nMESSAGE sip:x@127.0.0.1:${phone.port} SIP/2.0\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n${body}`,
    );
    expect((await requested)[0].request.body).toBe(body);
  });

  it.each([
    ['nonsense', 'Unknown message type'],
    ['sip||\r\nSIP/2.0 200 OK\r\n\r\n', 'transaction id missing'],
  ])('closes the connection after %j', async (text, reason) => {
    const id = app.send(text);
    expect(await app.next()).toBe(`response|${id}|NO|${reason}`);
  });
});

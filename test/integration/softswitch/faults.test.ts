/** The signalling half if the network, the caller or the application misbehaves. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { startSignalling } from '../../../src/local/softswitch/signalling/index.ts';
import {
  type Dialog,
  headerValue,
  type ServerTransaction,
  type SipRequest,
} from '../../../src/local/softswitch/sip/index.ts';
import { freePort } from '../../support/ports.ts';
import {
  type App,
  type AppDialog,
  type AppMessage,
  type AppRequest,
  type AppResponse,
  newApp,
} from './drachtio-app.ts';
import { ANSWER, type Engine, external, messagesProcessed, OFFER, once, startEngine } from './engine.ts';

const QUICK = { t1Ms: 50, t2Ms: 200, t4Ms: 250 };
const SECRET = 'test-secret';

let engine: Engine;

afterEach(async () => {
  await engine.close();
});

/** Answers all calls from now on. */
async function answerAll(app: App, onCall: (dialog: AppDialog) => void = () => undefined): Promise<void> {
  app.invite((req, res) => void app.createUAS(req, res, { localSdp: ANSWER }).then(onCall, () => undefined));
  await messagesProcessed(app);
}

/** Makes a complete call from a new phone. */
async function expectWorkingCall(): Promise<void> {
  const phone = await engine.phone();
  const invite = phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER });
  expect((await invite.final).status).toBe(200);
  expect((await invite.dialog?.bye().final)?.status).toBe(200);
}

describe('a lossy network', () => {
  it('completes a call although every datagram is lost once', async () => {
    const seen = new Set<string>();
    engine = await startEngine({ timers: QUICK });
    const app = await engine.app();
    const answered = deferred<AppDialog>();
    await answerAll(app, answered.resolve);
    const phone = await engine.phone({
      timers: QUICK,
      filter: (direction, data) => {
        const known = seen.has(direction + data);
        seen.add(direction + data);
        return known;
      },
    });
    const invite = phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER });
    expect((await invite.final).status).toBe(200);
    const dialog = await answered.promise;
    const caller = invite.dialog as Dialog;
    const responded = once<[ServerTransaction]>(caller, 'request').then(([one]) => one.respond(200));
    expect((await dialog.request({ method: 'OPTIONS' })).status).toBe(200);
    await responded;
    const destroyed = once(dialog, 'destroy');
    expect((await caller.bye().final).status).toBe(200);
    await destroyed;
    expect(seen.size).toBeGreaterThanOrEqual(8);
  });

  // As with drachtio-server, a response that the stack creates itself has no source address.
  it('lets an unanswered call time out with 408', async () => {
    engine = await startEngine({ timers: QUICK });
    const app = await engine.app();
    const phone = await engine.phone({ filter: () => false });
    await expect(app.createUAC(`sip:agent@127.0.0.1:${phone.port}`, { localSdp: OFFER })).rejects.toMatchObject({
      status: 408,
      res: { source_address: '' },
    });
  });

  it('reports a refused TCP connection as 503', async () => {
    engine = await startEngine();
    const app = await engine.app();
    await expect(app.createUAC('sip:agent@127.0.0.1:9;transport=tcp', { localSdp: OFFER })).rejects.toMatchObject({
      status: 503,
      res: { source_address: '' },
    });
  });
});

describe('a caller', () => {
  it('who sends no ACK is hung up on, and the application is notified', async () => {
    engine = await startEngine({ timers: QUICK });
    const app = await engine.app();
    const answered = deferred<AppDialog>();
    await answerAll(app, answered.resolve);
    const phone = await engine.phone();
    const invite = phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER, ack: 'manual' });
    const dialog = await answered.promise;
    const destroyed = once<[AppMessage, string]>(dialog, 'destroy');
    await invite.final;
    const bye = once<[ServerTransaction]>(invite.dialog as Dialog, 'request').then(([one]) => one.respond(200));
    const [request, reason] = await destroyed;
    expect([request.method, request.source, reason]).toEqual(['BYE', 'application', 'ACK timeout']);
    await bye;
    expect(engine.callCount()).toBe(0);
  });

  // drachtio-server does not limit calls.
  it.skipIf(external)('beyond the limit gets 503 with Retry-After, until another has hung up', async () => {
    engine = await startEngine({}, 1);
    await answerAll(await engine.app());
    const phone = await engine.phone();
    const dial = () => phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER });
    const first = dial();
    expect((await first.final).status).toBe(200);
    const refused = await dial().final;
    expect([refused.status, headerValue(refused, 'Retry-After')]).toEqual([503, '10']);
    await first.dialog?.bye().final;
    expect((await dial().final).status).toBe(200);
  });

  it('who answers although the application canceled is hung up on after the ACK', async () => {
    engine = await startEngine();
    const app = await engine.app();
    const phone = await engine.phone({
      filter: (direction, data) => !(direction === 'in' && `${data}`.startsWith('CANCEL')),
    });
    const called = once<[ServerTransaction]>(phone, 'request');
    let placed: Promise<AppDialog> | undefined;
    const request = new Promise<AppRequest>((resolve) => {
      placed = app.createUAC(
        `sip:agent@127.0.0.1:${phone.port}`,
        { localSdp: OFFER },
        { cbRequest: (_error, req) => resolve(req) },
      );
    });
    const [transaction] = await called;
    transaction.respond(180);
    await new Promise<void>((resolve) => void request.then((one) => one.cancel(() => resolve())));
    transaction.respond(200, { body: ANSWER });
    const dialog = transaction.dialog as Dialog;
    const acked = once<[SipRequest]>(dialog, 'ack');
    const bye = once<[ServerTransaction]>(dialog, 'request');
    await acked;
    const [hangUp] = await bye;
    hangUp.respond(200);
    expect(hangUp.method).toBe('BYE');
    await placed;
  });
});

describe('an application', () => {
  // drachtio-server leaves its ringing calls unanswered.
  it.skipIf(external)(
    'that disconnects ends its ringing calls with 503, and requests in its answered calls get 481',
    async () => {
      engine = await startEngine();
      const app = await engine.app();
      let answered = false;
      const rang = new Promise<void>((resolve) => {
        app.invite((req: AppRequest, res: AppResponse) => {
          if (answered) resolve();
          else void app.createUAS(req, res, { localSdp: ANSWER });
          answered = true;
        });
      });
      await messagesProcessed(app);
      const phone = await engine.phone();
      const first = phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER });
      await first.final;
      const second = phone.request({ method: 'INVITE', uri: engine.uri('line'), body: OFFER });
      await rang;
      app.disconnect();
      expect((await second.final).status).toBe(503);
      expect((await first.dialog?.bye().final)?.status).toBe(481);
    },
  );

  it('with the wrong secret gets an error and is disconnected', async () => {
    engine = await startEngine();
    const app = newApp();
    const failed = once<[Error]>(app, 'connect');
    const closed = once(app, 'close');
    app.connect({ host: '127.0.0.1', port: engine.drachtioPort, secret: 'wrong', reconnect: { maxAttempts: 1 } });
    expect((await failed)[0].message).toMatch(/authenticate/);
    await closed;
  });

  it('takes requests in turn with another application', async () => {
    engine = await startEngine();
    const takers: string[] = [];
    for (const name of ['one', 'two']) {
      const app = await engine.app();
      app.options((_req, res) => {
        takers.push(name);
        res.send(200);
      });
      const phone = await engine.phone();
      // Once a request arrives, the engine knows the subscription.
      while (!takers.includes(name)) await phone.request({ method: 'OPTIONS', uri: engine.uri('ping') }).final;
    }
    takers.length = 0;
    const phone = await engine.phone();
    for (let count = 0; count < 4; count++) await phone.request({ method: 'OPTIONS', uri: engine.uri('ping') }).final;
    expect(takers.filter((name) => name === 'one')).toHaveLength(2);
  });

  it('reconnects to a restarted engine and takes calls again', async () => {
    engine = await startEngine();
    const options = {
      sipAddress: '127.0.0.1',
      sipPort: 0,
      drachtioAddress: '127.0.0.1',
      drachtioPort: await freePort(),
      drachtioSecret: SECRET,
    };
    const first = await startSignalling(options);
    const app = newApp();
    app.on('error', () => undefined);
    const connected = once(app, 'connect');
    app.connect({ host: '127.0.0.1', port: first.drachtioPort, secret: SECRET });
    app.options((_req, res) => res.send(200));
    await connected;
    const reconnected = once(app, 'connect');
    await first.close();
    const second = await startSignalling({ ...options, drachtioPort: first.drachtioPort });
    await reconnected;
    const phone = await engine.phone();
    const ask = () => phone.request({ method: 'OPTIONS', uri: `sip:ping@127.0.0.1:${second.sipPort}` }).final;
    let status = 503;
    // drachtio-srf sends its routes just after `connect`.
    for (let tries = 0; status === 503 && tries < 100; tries++) status = (await ask()).status;
    expect(status).toBe(200);
    app.disconnect();
    await second.close();
  });
});

describe('malformed input', () => {
  const raw = (port: number) =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
    });
  const firstLine = async (socket: Socket) => {
    const [data] = await once<[Buffer]>(socket, 'data');
    return `${data}`.split('\r\n')[0];
  };

  it('in datagrams and streams does not break later calls', async () => {
    engine = await startEngine();
    await answerAll(await engine.app());
    const phone = await engine.phone();
    const peer = { transport: 'udp' as const, address: '127.0.0.1', port: engine.sipPort };
    const random = generator(20_260_101);
    for (let count = 0; count < 1_500; count++) phone.sendRaw(mutate(random, engine.sipPort), peer);
    for (let count = 0; count < 30; count++) {
      const socket = await raw(engine.sipPort);
      socket.on('error', () => undefined);
      socket.end(Buffer.concat([mutate(random, engine.sipPort), mutate(random, engine.sipPort)]));
    }
    await expectWorkingCall();
  });

  // drachtio-server has no limit for headers.
  it.skipIf(external)('with 64 KB of headers gets 513 or is dropped', async () => {
    engine = await startEngine();
    await answerAll(await engine.app());
    const big = template(engine.sipPort).replace('CSeq', `X-Big: ${'x'.repeat(63_000)}\r\nCSeq`);
    const phone = await engine.phone();
    phone.sendRaw(big, { transport: 'udp', address: '127.0.0.1', port: engine.sipPort });
    const socket = await raw(engine.sipPort);
    socket.write(
      `${template(engine.sipPort).replace('UDP', 'TCP').split('\r\n\r\n')[0]}\r\nX-Big: ${'x'.repeat(70_000)}`,
    );
    expect(await firstLine(socket)).toMatch(/^SIP\/2.0 513/);
    await once(socket, 'close');
    await expectWorkingCall();
  });

  it.each(['From', 'To', 'Call-ID', 'CSeq'])('without %s gets 400', async (name) => {
    engine = await startEngine();
    const socket = await raw(engine.sipPort);
    socket.write(
      template(engine.sipPort)
        .replace('/UDP', '/TCP')
        .replace(new RegExp(`^${name}:.*\r\n`, 'm'), ''),
    );
    // drachtio-server does not name the missing header.
    expect(await firstLine(socket)).toBe(`SIP/2.0 400 ${external ? 'Bad Request' : `Missing ${name}`}`);
    socket.destroy();
  });

  // drachtio-server keeps the connection of an app that sends only `#`.
  it.skipIf(external)('on the application port closes only that connection', async () => {
    engine = await startEngine();
    await answerAll(await engine.app());
    for (const text of ['garbage', '99999999#', '5#a|b|c', '0#', '#']) {
      const socket = await raw(engine.drachtioPort);
      const closed = once(socket, 'close');
      socket.resume().end(text);
      await closed;
    }
    await expectWorkingCall();
  });
});

function template(port: number): string {
  return [
    `INVITE sip:line@127.0.0.1:${port} SIP/2.0`,
    'Via: SIP/2.0/UDP 127.0.0.1:5999;branch=z9hG4bKfuzz;rport',
    'From: "Fuzz" <sip:fuzz@127.0.0.1:5999>;tag=f1',
    `To: <sip:line@127.0.0.1:${port}>`,
    'Call-ID: fuzz@127.0.0.1',
    'CSeq: 1 INVITE',
    'Contact: <sip:fuzz@127.0.0.1:5999>',
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/** The mulberry32 generator, so that every run has the same random messages. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A message with bytes changed, removed or repeated. */
function mutate(random: () => number, port: number): Buffer {
  const methods = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'SIP/2.0 200 OK\r\nX:', 'REFER', 'N0PE'];
  const method = methods[Math.floor(random() * methods.length)] ?? '';
  const message = Buffer.from(template(port).replaceAll('INVITE', method).replaceAll('fuzz', `fuzz${random()}`));
  const changes = Math.floor(random() * 12);
  for (let count = 0; count < changes; count++)
    message[Math.floor(random() * message.length)] = Math.floor(random() * 256);
  const from = random() < 0.2 ? Math.floor(random() * message.length) : 0;
  const to = random() < 0.3 ? Math.floor(random() * message.length) : message.length;
  return random() < 0.1 ? Buffer.concat([message, message]) : message.subarray(from, Math.max(from, to));
}

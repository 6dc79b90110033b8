/**
 * Hostile SIP in the messages of the SIP server. Every request gets a final response, every answered call ends, and
 * other calls continue.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FakeSipServer, type SentRequest } from '../../../test/support/fake-sip-server.ts';
import {
  DIALOG_METHODS,
  hostileAddress,
  hostileBody,
  hostileHeaders,
  hostileText,
} from '../../../test/support/hostile-sip.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import { CallerGone, type CallLeg, type KeySink } from '../ports.ts';
import { DrachtioEdge } from './edge.ts';

/** The limit ends only what hangs. */
const PARAMETERS = { numRuns: 150, timeout: 180_000, endOnFailure: true };
const SDP = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';
const REFER_LIMIT_MS = 600_000;

let server: FakeSipServer;
let edge: DrachtioEdge;
/** Called with each key of any call. */
let pressed: (key: string) => void = () => undefined;
const onKey: KeySink = (key) => pressed(key.reveal((text) => text));
/** Errors that would have ended the process. */
const faults: unknown[] = [];
const noteFault = (error: unknown) => void faults.push(error);
/** Called with the leg of the latest INVITE if it was answered; null if the caller is gone. */
let answered: (leg: CallLeg | null) => void = () => undefined;
/** Resolves with the BYE in this dialog. */
const byes = new Map<string, () => void>();

beforeAll(async () => {
  process.on('uncaughtException', noteFault).on('unhandledRejection', noteFault);
  server = await FakeSipServer.start();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const connected = server.connected();
  edge = new DrachtioEdge({ host: '127.0.0.1', port: server.port, secret: 's', log });
  edge.onCall((call) => {
    void call.answer(SDP, onKey).then(answered, (error: unknown) => {
      if (!(error instanceof CallerGone)) noteFault(error);
      answered(null);
    });
  });
  edge.takeCalls(true);
  await connected;
  await vi.waitFor(() => expect(edge.connected).toBe(true), { timeout: 180_000 });
});
beforeEach(() => {
  server.onRequest = answerAll;
});
afterAll(async () => {
  await edge.close();
  server.close();
  process.off('uncaughtException', noteFault).off('unhandledRejection', noteFault);
});

/** Answers every request of the app with 200, and notes BYEs. */
function answerAll(request: SentRequest): void {
  if (request.method === 'BYE') byes.get(request.dialogId)?.();
  server.respond(request, 200, 'OK');
}

interface Parts {
  from?: string;
  to?: string;
  contact?: string;
  headers?: [name: string, value: string][];
  body?: { type: string; body: string };
}

let made = 0;

function message(method: string, callId: string, parts: Parts): string {
  const {
    from = '<sip:+15550101234@127.0.0.1>',
    to = '<sip:line@127.0.0.1>',
    contact = '<sip:them@127.0.0.1>',
  } = parts;
  const { headers = [], body = { type: 'application/sdp', body: '' } } = parts;
  const all: [string, string][] = [
    ['Via', 'SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKx'],
    ['From', `${from};tag=them`],
    ['To', to],
    ['Call-ID', callId],
    ['CSeq', `${made} ${method}`],
    ['Contact', contact],
    ...headers,
    ['Content-Type', body.type],
    ['Content-Length', `${Buffer.byteLength(body.body)}`],
  ];
  return `${method} sip:line@127.0.0.1 SIP/2.0\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body.body}`;
}

/** Sends an INVITE, and the ACK if it is answered. @returns the status, and the leg unless the caller is gone */
async function invite(parts: Parts = {}) {
  made += 1;
  const callId = `call-${made}`;
  const dialogId = `${callId};from-tag=them`;
  const leg = deferred<CallLeg | null>();
  answered = leg.resolve;
  const hungUp = new Promise<void>((resolve) => byes.set(dialogId, resolve));
  const status = await server.request(message('INVITE', callId, parts));
  if (status === 200) server.tell(message('ACK', callId, {}), dialogId);
  return { callId, dialogId, status, leg: status === 200 ? await leg.promise : null, hungUp };
}

/** A call with audio, which has sent a REFER. */
async function liveCall() {
  const call = await invite({ body: { type: 'application/sdp', body: SDP } });
  if (call.leg === null) throw new Error(`not answered: ${call.status}`);
  call.leg.onOffer(() => Promise.resolve(SDP));
  call.leg.refer('sip:agent@127.0.0.1', {}, { limitMs: REFER_LIMIT_MS, ringingLimitMs: REFER_LIMIT_MS });
  return { ...call, leg: call.leg };
}

/** Another call's key arrives, and nothing would have ended the process. */
async function expectWorking({ callId, dialogId }: { callId: string; dialogId: string }): Promise<void> {
  const key = new Promise<string>((resolve) => {
    pressed = resolve;
  });
  const info = message('INFO', callId, {
    body: { type: 'application/dtmf-relay', body: 'Signal=5\r\nDuration=100\r\n' },
  });
  expect(await server.request(info, dialogId)).toBe(200);
  expect(await key).toBe('5');
  expect(faults).toEqual([]);
}

it('a hostile INVITE is refused, or answered and then hung up', async () => {
  const other = await liveCall();
  const parts = fc.record({
    from: fc.option(hostileAddress, { nil: undefined }),
    to: fc.option(hostileAddress, { nil: undefined }),
    contact: fc.option(hostileAddress, { nil: undefined }),
    headers: hostileHeaders,
    body: hostileBody(SDP),
  });
  await fc.assert(
    fc.asyncProperty(parts, async (hostile) => {
      const { status, leg, hungUp } = await invite(hostile as Parts);
      expect(status).toBeGreaterThanOrEqual(200);
      void leg?.hangUp();
      if (status === 200) await hungUp;
      await expectWorking(other);
    }),
    PARAMETERS,
  );
  await other.leg.hangUp();
});

it('a hostile request in a call gets a response, and other calls continue', async () => {
  const other = await liveCall();
  let victim = await liveCall();
  const hostile = fc.record({
    method: fc.constantFrom(...DIALOG_METHODS),
    headers: hostileHeaders,
    body: hostileBody(SDP),
    contact: hostileAddress,
  });
  await fc.assert(
    fc.asyncProperty(hostile, hostileBody(SDP), async ({ method, ...parts }, ack) => {
      if (!victim.leg.reachable) victim = await liveCall();
      const status = await server.request(message(method, victim.callId, parts), victim.dialogId);
      expect(status).toBeGreaterThanOrEqual(200);
      if (method === 'INVITE' && status === 200)
        server.tell(message('ACK', victim.callId, { body: ack }), victim.dialogId);
      await expectWorking(other);
    }),
    PARAMETERS,
  );
  await Promise.all([victim.leg.hangUp(), other.leg.hangUp()]);
});

it('a hostile response to an INVITE of ours ends the attempt, or is a call', async () => {
  const other = await liveCall();
  const hostile = fc.record({
    status: fc.oneof(fc.constantFrom(200, 302, 401, 407, 422, 488), fc.integer({ min: 200, max: 699 })),
    reason: hostileText,
    headers: hostileHeaders,
    more: fc.option(
      fc.tuple(
        fc.constantFrom(
          'Contact',
          'WWW-Authenticate',
          'Proxy-Authenticate',
          'Min-SE',
          'Session-Expires',
          'Record-Route',
        ),
        hostileAddress,
      ),
    ),
    body: hostileBody(SDP),
  });
  await fc.assert(
    fc.asyncProperty(hostile, async ({ status, reason, headers, more, body }) => {
      const lines = [...headers, ...(more === null ? [] : [more]), ['Content-Type', body.type]];
      const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      server.onRequest = (request) => {
        if (request.method === 'INVITE') server.respond(request, status, reason, { headers: text, body: body.body });
        else answerAll(request);
      };
      const credentials = { username: 'u', password: 'p' };
      const options = { signal: new AbortController().signal, nextHop: null, credentials, limitMs: REFER_LIMIT_MS };
      const leg = await edge.dial('sip:agent@127.0.0.1', SDP, {}, options).catch(() => null);
      await leg?.hangUp();
      await expectWorking(other);
    }),
    PARAMETERS,
  );
  await other.leg.hangUp();
});

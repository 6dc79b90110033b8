import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientTransaction,
  type Dialog,
  headerValue,
  type ServerTransaction,
  type SipAgent,
  type SipRequest,
} from '../../../src/local/softswitch/sip/index.ts';
import type { App, AppDialog, AppMessage, AppRequest, AppResponse } from './drachtio-app.ts';
import { ANSWER, type Engine, external, messagesProcessed, OFFER, once, startEngine } from './engine.ts';

let engine: Engine;
let app: App;
let phone: SipAgent;

beforeEach(async () => {
  engine = await startEngine();
  app = await engine.app();
  phone = await engine.phone();
});

afterEach(async () => {
  await engine.close();
});

const dial = (transport = 'udp') =>
  phone.request({ method: 'INVITE', uri: engine.uri('line', transport), body: OFFER });

/** Lets the application answer the next INVITE. */
function answering(): Promise<AppDialog> {
  return new Promise((resolve, reject) => {
    app.invite((req: AppRequest, res: AppResponse) => {
      app.createUAS(req, res, { localSdp: ANSWER }).then(resolve, reject);
    });
  });
}

async function answeredCall(transport = 'udp'): Promise<{ line: AppDialog; caller: Dialog }> {
  const answered = answering();
  await messagesProcessed(app);
  const invite = dial(transport);
  const response = await invite.final;
  expect(response.status).toBe(200);
  expect(response.body).toBe(ANSWER);
  const line = await answered;
  if (!invite.dialog) throw new Error('no dialog');
  return { line, caller: invite.dialog };
}

const nextIn = (dialog: Dialog) => once<[ServerTransaction]>(dialog, 'request').then(([transaction]) => transaction);

describe.each(['udp', 'tcp'])('a call to the application over %s', (transport) => {
  it('is answered, carries an INFO and is hung up by the caller', async () => {
    const { line, caller } = await answeredCall(transport);
    const informed = once<[AppRequest, AppResponse]>(line, 'info');
    const info = caller.request({ method: 'INFO', headers: { 'Content-Type': 'text/plain' }, body: 'ping' });
    const [req, res] = await informed;
    expect(req.body).toBe('ping');
    res.send(200);
    expect((await info.final).status).toBe(200);
    const destroyed = once<[AppRequest]>(line, 'destroy');
    expect((await caller.bye().final).status).toBe(200);
    expect((await destroyed)[0].method).toBe('BYE');
  });

  it('is hung up by the application, after which its requests fail', async () => {
    const { line, caller } = await answeredCall(transport);
    const bye = nextIn(caller).then((transaction) => transaction.respond(200));
    await line.destroy();
    await bye;
    await expect(line.request({ method: 'INFO' })).rejects.toMatchObject({ code: 'ENODIALOG' });
  });

  it('is changed by a re-INVITE from each side', async () => {
    const { line, caller } = await answeredCall(transport);
    const modified = once<[AppRequest, AppResponse]>(line, 'modify');
    const reinvite = caller.request({ method: 'INVITE', body: OFFER.replace('4000', '4002') });
    const [req, res] = await modified;
    expect(req.body).toContain('4002');
    res.send(200, { body: ANSWER });
    expect((await reinvite.final).status).toBe(200);

    const invited = nextIn(caller).then((transaction) => transaction.respond(200, { body: OFFER }));
    const acked = once<[SipRequest]>(caller, 'ack');
    expect(await line.modify(ANSWER.replace('5000', '5002'))).toBe(OFFER);
    await invited;
    await acked;
  });
});

describe('a transfer', () => {
  it('sends a REFER and receives its NOTIFY', async () => {
    const { line, caller } = await answeredCall();
    const referred = nextIn(caller);
    const notified = once<[AppRequest, AppResponse]>(line, 'notify');
    const answer = line.request({
      method: 'REFER',
      headers: { 'Refer-To': '<sip:agent@127.0.0.1>', 'X-Ringkey-Outcome': 'succeeded' },
    });
    const refer = await referred;
    expect(headerValue(refer.request, 'refer-to')).toBe('<sip:agent@127.0.0.1>');
    expect(headerValue(refer.request, 'x-ringkey-outcome')).toBe('succeeded');
    expect(headerValue(refer.request, 'contact')).toBeDefined();
    refer.respond(202);
    expect((await answer).status).toBe(202);
    const headers = { Event: 'refer', 'Subscription-State': 'active;expires=60', 'Content-Type': 'message/sipfrag' };
    const notify = caller.request({ method: 'NOTIFY', headers, body: 'SIP/2.0 100 Trying' });
    const [req, res] = await notified;
    expect(req.get('Subscription-State')).toContain('active');
    expect(req.body).toBe('SIP/2.0 100 Trying');
    res.send(200);
    expect((await notify.final).status).toBe(200);
  });

  it('that the caller requests reaches the application, which can send a NOTIFY', async () => {
    const { line, caller } = await answeredCall();
    const referred = once<[AppRequest, AppResponse]>(line, 'refer');
    const refer = caller.request({ method: 'REFER', headers: { 'Refer-To': '<sip:x@127.0.0.1>' } });
    const [req, res] = await referred;
    expect(req.getParsedHeader('refer-to').uri).toBe('sip:x@127.0.0.1');
    res.send(202);
    expect((await refer.final).status).toBe(202);
    const notified = nextIn(caller).then((transaction) => transaction.respond(200));
    const headers = { Event: 'refer', 'Subscription-State': 'terminated', 'Content-Type': 'message/sipfrag' };
    expect((await line.request({ method: 'NOTIFY', headers, body: 'SIP/2.0 200 OK' })).status).toBe(200);
    await notified;
  });
});

describe('an unanswered call', () => {
  const ringing = (status?: number) =>
    new Promise<[AppRequest, AppResponse]>((resolve) => {
      app.invite((req: AppRequest, res: AppResponse) => {
        if (status !== undefined) res.send(status);
        resolve([req, res]);
      });
    });

  it('can be rejected by the application', async () => {
    void ringing(486);
    await messagesProcessed(app);
    expect((await dial().final).status).toBe(486);
  });

  it.each([180, undefined])(
    'can be canceled after the status %s, which notifies the application and makes its answer fail',
    async (status) => {
      const rings = ringing(status);
      await messagesProcessed(app);
      const invite = dial();
      const [req, res] = await rings;
      const cancelled = once<[AppRequest]>(req, 'cancel');
      invite.cancel();
      expect((await invite.final).status).toBe(487);
      await cancelled;
      const late = new Promise((resolve) => res.send(200, { body: ANSWER }, (error: unknown) => resolve(error)));
      expect(String(await late)).toMatch(/unknown transaction/);
    },
  );
});

describe('a call by the application', () => {
  const agentUri = () => `sip:agent@127.0.0.1:${phone.port}`;
  const nextCall = () => once<[ServerTransaction]>(phone, 'request').then(([transaction]) => transaction);

  it('rings and is answered, with the headers of the application', async () => {
    const called = nextCall();
    const rang: number[] = [];
    const placed = app.createUAC(
      agentUri(),
      { localSdp: OFFER, callingNumber: '15551234', headers: { 'X-Ringkey-Outcome': 'succeeded' } },
      { cbProvisional: (res: AppMessage) => rang.push(res.status) },
    );
    const transaction = await called;
    expect(headerValue(transaction.request, 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(headerValue(transaction.request, 'From')).toContain(`<sip:15551234@127.0.0.1:${engine.sipPort}>`);
    expect(headerValue(transaction.request, 'Contact')).toContain(`sip:15551234@127.0.0.1:${engine.sipPort}`);
    transaction.respond(180);
    transaction.respond(200, { body: ANSWER });
    const acked = once<[SipRequest]>(transaction.dialog as Dialog, 'ack');
    const dialog = await placed;
    await acked;
    expect(rang).toEqual([180]);
    expect(dialog.remote.sdp).toBe(ANSWER);
    const destroyed = once(dialog, 'destroy');
    expect((await (transaction.dialog as Dialog).bye().final).status).toBe(200);
    await destroyed;
  });

  it('without an offer sends the answer in the ACK', async () => {
    const called = nextCall();
    const placed = app.createUAC<{
      sdp: string;
      ack(sdp: string): Promise<AppDialog>;
    }>(agentUri(), { noAck: true });
    const transaction = await called;
    expect(transaction.request.body).toBe('');
    transaction.respond(200, { body: OFFER });
    const acked = once<[SipRequest]>(transaction.dialog as Dialog, 'ack');
    const { sdp, ack } = await placed;
    expect(sdp).toBe(OFFER);
    await ack(ANSWER);
    expect((await acked)[0].body).toBe(ANSWER);
  });

  it.each([480, 486, 603])('fails if the callee responds %i', async (status) => {
    void nextCall().then((transaction) => transaction.respond(status));
    await expect(app.createUAC(agentUri(), { localSdp: OFFER })).rejects.toMatchObject({ status });
  });

  it.each([
    ['sip:a@nowhere.invalid', 503],
    ['sip:a@127.0.0.1:9;transport=tcp', 503],
    // A drachtio-server that listens for TLS tries to connect.
    ['sips:a@127.0.0.1:9', external && process.env.RINGKEY_TEST_TLS_PORT !== undefined ? 503 : 416],
  ])('to the unreachable target %s fails with %i', async (uri, status) => {
    await expect(app.createUAC(uri, { localSdp: OFFER })).rejects.toMatchObject({ status });
  });

  it('can be canceled by the application', async () => {
    const called = nextCall();
    let placed: Promise<AppDialog> | undefined;
    const request = new Promise<AppRequest>((resolve) => {
      placed = app.createUAC(agentUri(), { localSdp: OFFER }, { cbRequest: (_error, req) => resolve(req) });
    });
    const transaction = await called;
    const cancelled = once(transaction, 'cancel');
    transaction.respond(180);
    (await request).cancel(() => undefined);
    await cancelled;
    await expect(placed).rejects.toMatchObject({ status: 487 });
  });

  it('answers a challenge with credentials', async () => {
    const authorized = new Promise<string | undefined>((resolve) => {
      phone.on('request', (transaction) => {
        const authorization = headerValue(transaction.request, 'Authorization');
        if (authorization === undefined) {
          transaction.respond(401, {
            headers: { 'WWW-Authenticate': 'Digest realm="trunk", nonce="abc", qop="auth"' },
          });
          return;
        }
        transaction.respond(200, { body: ANSWER });
        resolve(authorization);
      });
    });
    const dialog = await app.createUAC(agentUri(), {
      localSdp: OFFER,
      auth: { username: 'line', password: 'pw' },
    });
    expect(await authorized).toContain('username="line"');
    phone.removeAllListeners('request');
    const bye = nextCall().then((one) => one.respond(200));
    await dialog.destroy();
    await bye;
  });
});

describe('a request outside a call', () => {
  it('reaches the application that subscribed to the method', async () => {
    app.options((_req: AppRequest, res: AppResponse) => res.send(200, { headers: { 'X-Load': '1' } }));
    await messagesProcessed(app);
    const answer = await phone.request({ method: 'OPTIONS', uri: engine.uri('ping') }).final;
    expect([answer.status, headerValue(answer, 'X-Load')]).toEqual([200, '1']);
  });

  it('gets 503 if no application has subscribed', async () => {
    const statusOf = async (transaction: ClientTransaction) => (await transaction.final).status;
    expect(await statusOf(dial())).toBe(503);
    expect(await statusOf(phone.request({ method: 'OPTIONS', uri: engine.uri('ping') }))).toBe(503);
  });

  it('gets 481 for an unknown dialog or transaction', async () => {
    const headers = { To: '<sip:line@127.0.0.1>;tag=gone' };
    const statusOf = async (method: string) =>
      (await phone.request({ method, uri: engine.uri('line'), headers }).final).status;
    expect(await statusOf('BYE')).toBe(481);
    expect(await statusOf('UPDATE')).toBe(481);
    expect(await statusOf('INVITE')).toBe(481);
    expect(await statusOf('CANCEL')).toBe(481);
  });
});

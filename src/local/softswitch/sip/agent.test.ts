import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createSipAgent,
  type Dialog,
  type DialogEnd,
  headerValue,
  type ServerTransaction,
  type SipAgent,
  type SipAgentOptions,
  type SipRequest,
} from './index.ts';

const QUICK = { t1Ms: 25, t2Ms: 100, t4Ms: 125 };
const OFFER = 'v=0\r\no=a 1 1 IN IP4 127.0.0.1\r\ns=-\r\n';
const ANSWER = 'v=0\r\no=b 2 2 IN IP4 127.0.0.1\r\ns=-\r\n';

const agents: SipAgent[] = [];

async function agent(options: Partial<SipAgentOptions> = {}): Promise<SipAgent> {
  const made = await createSipAgent({ address: '127.0.0.1', port: 0, timers: QUICK, ...options });
  agents.push(made);
  return made;
}

const uriOf = (one: SipAgent, transport = 'udp') => `sip:line@127.0.0.1:${one.port};transport=${transport}`;
const nextRequest = (one: SipAgent) =>
  new Promise<ServerTransaction>((resolve) => one.once('request', (transaction) => resolve(transaction)));
const endOf = (dialog: Dialog | undefined) =>
  new Promise<DialogEnd>((resolve) => dialog?.once('ended', (end) => resolve(end)));
const ackOf = (dialog: Dialog | undefined) =>
  new Promise<SipRequest>((resolve) => dialog?.once('ack', (ack) => resolve(ack)));

/** Makes an answered call from one agent to another; returns both dialogs. */
async function call(from: SipAgent, to: SipAgent, transport = 'udp') {
  const invited = nextRequest(to);
  const invite = from.request({ method: 'INVITE', uri: uriOf(to, transport), body: OFFER });
  const transaction = await invited;
  transaction.respond(180);
  transaction.respond(200, { body: ANSWER });
  const acked = ackOf(transaction.dialog);
  const answer = await invite.final;
  await acked;
  if (!invite.dialog || !transaction.dialog) throw new Error('no dialog');
  return { answer, caller: invite.dialog, callee: transaction.dialog, transaction };
}

afterEach(async () => {
  await Promise.all(agents.splice(0).map((one) => one.close()));
});

describe.each(['udp', 'tcp'])('calls over %s', (transport) => {
  it('are set up, carry requests in the dialog both ways and are hung up', async () => {
    const [alice, bob] = [await agent(), await agent()];
    const { answer, caller, callee } = await call(alice, bob, transport);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(ANSWER);
    expect(caller.id).toBe(callee.id);

    callee.on('request', (one) => one.respond(200, { body: one.request.body }));
    const info = await caller.request({ method: 'INFO', headers: { 'Content-Type': 'text/plain' }, body: 'ping' })
      .final;
    expect([info.status, info.body]).toEqual([200, 'ping']);
    caller.on('request', (one) => one.respond(one.method === 'REFER' ? 202 : 200));
    const refer = await callee.request({ method: 'REFER', headers: { 'Refer-To': '<sip:agent@127.0.0.1>' } }).final;
    expect(refer.status).toBe(202);

    const ended = endOf(callee);
    expect((await caller.bye().final).status).toBe(200);
    expect(await ended).toMatchObject({ by: 'remote', cause: 'bye' });
    expect([...alice.dialogs, ...bob.dialogs]).toEqual([]);
    expect(bob.callCount).toBe(0);
  });

  it('carry re-INVITEs both ways and report the new ACK', async () => {
    const { caller, callee } = await call(await agent(), await agent(), transport);
    callee.on('request', (one) => one.respond(200, { body: ANSWER }));
    caller.on('request', (one) => one.respond(200, { body: OFFER }));
    const acked = ackOf(callee);
    expect((await caller.request({ method: 'INVITE', body: OFFER }).final).status).toBe(200);
    expect((await acked).method).toBe('ACK');
    const ackedBack = ackOf(caller);
    expect((await callee.request({ method: 'INVITE', body: OFFER }).final).body).toBe(OFFER);
    await ackedBack;
  });

  it('end with 487 if the caller cancels a ringing INVITE, and notify the callee', async () => {
    const [alice, bob] = [await agent(), await agent()];
    const invited = nextRequest(bob);
    const invite = alice.request({ method: 'INVITE', uri: uriOf(bob, transport), body: OFFER });
    const transaction = await invited;
    const cancelled = new Promise((resolve) => transaction.once('cancel', resolve));
    invite.cancel();
    transaction.respond(180);
    await cancelled;
    expect((await invite.final).status).toBe(487);
    expect(transaction.respond(200)).toBeUndefined();
    expect(bob.callCount).toBe(0);
  });
});

describe('the ACK', () => {
  it('carries the answer if the offer was in the 2xx', async () => {
    const [alice, bob] = [await agent(), await agent()];
    const invited = nextRequest(bob);
    const invite = alice.request({ method: 'INVITE', uri: uriOf(bob), ack: 'manual' });
    const transaction = await invited;
    transaction.respond(200, { body: OFFER });
    const acked = ackOf(transaction.dialog);
    await invite.final;
    invite.dialog?.ack({ body: ANSWER });
    const ack = await acked;
    expect(ack.body).toBe(ANSWER);
    expect(headerValue(ack, 'Content-Type')).toBe('application/sdp');
  });

  it('is repeated for a repeated 2xx', async () => {
    let acks = 0;
    const bob = await agent({
      filter: (direction, data) => direction === 'out' || !data.toString().startsWith('ACK') || ++acks > 2,
    });
    const { transaction } = await call(await agent(), bob);
    expect(transaction.answered).toBe(true);
    expect(acks).toBe(3);
  });

  it('ends the call with a BYE if it never arrives', async () => {
    const bob = await agent();
    const alice = await agent();
    const invited = nextRequest(bob);
    const invite = alice.request({ method: 'INVITE', uri: uriOf(bob), body: OFFER, ack: 'manual' });
    const transaction = await invited;
    transaction.respond(200, { body: ANSWER });
    await invite.final;
    const ended = endOf(invite.dialog);
    expect(await endOf(transaction.dialog)).toMatchObject({
      by: 'stack',
      cause: 'ack-timeout',
      message: { method: 'BYE' },
    });
    expect(await ended).toMatchObject({ by: 'remote', cause: 'bye' });
    expect(bob.callCount).toBe(0);
  });
});

describe('a TCP connection', () => {
  const idleSoon = { timers: { ...QUICK, idleLimitMs: 50 } };
  const connection = (to: SipAgent) => connect({ host: '127.0.0.1', port: to.port }).resume();

  it('is closed if it brings no complete message', async () => {
    const bob = await agent(idleSoon);
    const silent = connection(bob);
    const trickling = connection(bob);
    const trickle = setInterval(() => trickling.write('I'), 10);
    // Writing to a closed connection causes a reset, an error with which `once` would reject.
    trickling.on('error', () => undefined);
    const closed = new Promise((resolve) => trickling.once('close', resolve));
    await Promise.all([once(silent, 'close'), closed]);
    clearInterval(trickle);
  });

  it('stays open during a call, and is closed after it', async () => {
    const [alice, bob] = [await agent(), await agent(idleSoon)];
    const { caller, callee } = await call(alice, bob, 'tcp');
    const before = callee.flow.port;
    // Once two connections without a call have ended one after the other, the limit has passed for this one, too.
    await once(connection(bob), 'close');
    await once(connection(bob), 'close');
    // Over the connection that alice has opened, not over a new one.
    caller.on('request', (one) => one.respond(one.from.port === bob.port ? 200 : 500));
    expect((await callee.request({ method: 'INFO' }).final).status).toBe(200);
    await caller.bye().final;
    const invited = nextRequest(bob);
    await once(connection(bob), 'close');
    await once(connection(bob), 'close');
    alice.request({ method: 'MESSAGE', uri: uriOf(bob, 'tcp'), body: 'again' });
    const again = await invited;
    again.respond(200);
    expect(again.from.port).not.toBe(before);
  });
});

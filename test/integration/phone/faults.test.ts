/** The phone role when a part fails: media server, SIP server, database, the process itself. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headerValue } from '../../../src/softswitch/sip/index.ts';
import { external } from './engine.ts';
import { PhoneHarness, stepsOf, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

let harness: PhoneHarness;
beforeEach(async () => {
  harness = await PhoneHarness.start({ limits: { referMs: 4_000 } });
});
afterEach(() => harness.close());

/** In the middle of the greeting. */
async function calls(overrides: Parameters<PhoneHarness['answered']>[0] = {}) {
  const call = await harness.answered(overrides);
  await call.caller.heard.waitFor(({ sound }) => sound === 'loud');
  return call;
}

async function answersAgain(): Promise<void> {
  const { caller, id } = await calls();
  await caller.press('**');
  expect(await caller.ended()).toBe('remote');
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
}

const logged = (message: string) => harness.log.waitFor((line) => line.message === message);

describe.skipIf(external)('the media server', () => {
  it('that dies in mid-call: the caller goes back by REFER, new calls get 503 until it is back', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    await harness.engine.stopMedia();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).not.toBe('succeeded');
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row.return_mode).toBe('refer');
    expect(stepsOf(row)).toContain('media server lost');
    const second = await harness.caller();
    const refused = await second.dial((await harness.checkout()).uri);
    expect([refused.status, headerValue(refused, 'Retry-After')]).toEqual([503, '5']);
    await harness.engine.startMedia();
    expect(await harness.phone.ready(30_000)).toBe(true);
    await answersAgain();
  });

  it('that dies during the charge: the charge is settled and recorded', async () => {
    const goOn = harness.holdPayments();
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    await harness.keyCard(caller);
    await harness.payments.waitFor(() => true);
    await harness.engine.stopMedia();
    await logged('media server lost');
    goOn();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
  });
});

describe('the SIP server', () => {
  it('whose connection breaks for a moment keeps its calls: they go on, and a hang-up is noticed', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    const told = harness.log.entries.length;
    harness.drachtioProxy.cut();
    await logged('SIP server connection lost');
    harness.drachtioProxy.restore();
    await harness.log.waitFor(({ message }) => message === 'call goes on after a lost connection');
    expect(harness.log.entries.slice(told).map(({ message }) => message)).not.toContain(
      'call of a lost connection ended',
    );
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    await answersAgain();
  });

  it('whose connection breaks for a moment: a caller that hangs up afterwards has canceled', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    harness.drachtioProxy.cut();
    await logged('SIP server connection lost');
    harness.drachtioProxy.restore();
    await logged('call goes on after a lost connection');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
  });

  it('whose connection stays away: calls end as failed, and are hung up once it is back', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    harness.drachtioProxy.cut();
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'failed', reason: 'error' });
    expect(stepsOf(row)).toContain('SIP server lost');
    expect(harness.phone.connected).toBe(false);
    harness.drachtioProxy.restore();
    expect(await caller.ended()).toBe('remote');
    expect(await harness.phone.ready(30_000)).toBe(true);
    await answersAgain();
  });

  it.skipIf(external)('that dies and comes back: calls are accounted for, new ones are taken', async () => {
    const { id } = await calls();
    await harness.engine.stopSignalling();
    await harness.engine.startSignalling();
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'failed', reason: 'error' });
    expect(stepsOf(row)).toContain('SIP server lost');
    expect(await harness.phone.ready(30_000)).toBe(true);
    await answersAgain();
  });
});

describe('the database', () => {
  it('that is away when a call comes in: 503 with Retry-After, and the session is free afterwards', async () => {
    const { uri } = await harness.checkout();
    harness.databaseProxy.cut();
    const caller = await harness.caller();
    const answer = await caller.dial(uri);
    expect([answer.status, headerValue(answer, 'Retry-After')]).toEqual([503, '5']);
    const told = await harness.registration(false);
    harness.databaseProxy.restore();
    await harness.registration(true, told);
    await answersAgain();
  });

  it('that goes away in mid-call: an apology, back to the agent, and the end is written when it is back', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    await caller.press('4242424242424242');
    await caller.press('0431');
    harness.databaseProxy.cut();
    await caller.press('123');
    const refer = await caller.followRefer();
    expect(harness.said.entries).toContain('unavailable');
    expect(headerValue(refer, 'X-Ringkey-Outcome')).toBe('failed');
    expect(headerValue(refer, 'X-Ringkey-Reason')).toBe('error');
    expect(await caller.ended()).toBe('remote');
    await logged('call not recorded');
    expect((await harness.call(id))?.ended_at).toBeNull();
    harness.databaseProxy.restore();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
  });
});

describe('the process', () => {
  it('that drains lets live calls go on, and takes no new ones', async () => {
    const { caller, id } = await calls();
    const drained = harness.phone.drain(10);
    const second = await harness.caller();
    expect((await second.dial((await harness.checkout()).uri)).status).toBe(503);
    await caller.press('**');
    expect(await caller.ended()).toBe('remote');
    await drained;
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
  });

  it('that has drained long enough apologizes and sends the callers back', async () => {
    const { caller, id } = await calls({ returnTo: UNREACHABLE_AGENT_URI });
    const drained = harness.phone.drain(0);
    await caller.followRefer();
    expect(harness.said.entries).toContain('unavailable');
    await drained;
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
  });

  it('that drains waits for the charge', async () => {
    const goOn = harness.holdPayments();
    const { caller, id } = await calls();
    await harness.keyCard(caller);
    await harness.payments.waitFor(() => true);
    const drained = harness.phone.drain(0);
    goOn();
    expect(await caller.ended()).toBe('remote');
    await drained;
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });

  it('that is closed ends its calls, and writes their outcome', async () => {
    const { caller, id } = await calls();
    await harness.phone.close();
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error' });
  });

  it('that dies: the next one closes its calls, hangs them up, and the session can be called again', async () => {
    const { caller, uri, id } = await calls();
    // Cut off from the SIP server and the database, the first process counts as dead.
    harness.drachtioProxy.cut();
    harness.databaseProxy.cut();
    const next = await PhoneHarness.beside(harness);
    try {
      expect(await next.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error' });
      expect(await caller.ended()).toBe('remote');
      const again = await next.caller();
      expect((await again.dial(uri)).status).toBe(200);
      await again.hangUp();
    } finally {
      await next.close();
    }
  });
});

/** The phone role when a component fails: media server, SIP server, database, the process itself. */
import { describe, expect, it, vi } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { eventually } from '../../support/checkouts.ts';
import { canRestartSipServer, external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

// A test mostly waits. There is only one set of real daemons, which serves one phone process at a time.
vi.setConfig({ maxConcurrency: external ? 1 : 5 });

/** Runs `play` on a separate phone process, and closes it afterwards. */
async function withPhone(play: (harness: PhoneHarness) => Promise<void>, referRingMs = 4_000): Promise<void> {
  const harness = await PhoneHarness.start({ limits: { referMs: 4_000, referRingMs, sipServerMs: 6_000 } });
  await play(harness).finally(() => harness.close());
}

/** Waits for the middle of the greeting. */
async function calls(harness: PhoneHarness, overrides: Parameters<PhoneHarness['answered']>[0] = {}) {
  const call = await harness.answered(overrides);
  await call.caller.heard.waitFor(({ sound }) => sound === 'loud');
  return call;
}

async function answersAgain(harness: PhoneHarness): Promise<void> {
  const { caller, id } = await calls(harness);
  await caller.press('**');
  expect(await caller.ended()).toBe('remote');
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
}

const logged = ({ log }: PhoneHarness, message: string) => log.waitFor((line) => line.message === message);

describe.skipIf(external).concurrent('the media server', () => {
  it('that dies during a call returns the caller by REFER, and new calls get 503 until it is back', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
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
      expect(await harness.phone.ready(180_000)).toBe(true);
      await answersAgain(harness);
    }));

  it('that dies during the charge does not affect the charge', () =>
    withPhone(async (harness) => {
      const goOn = harness.holdPayments();
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      await harness.keyCard(caller);
      await harness.payments.waitFor(() => true);
      await harness.engine.stopMedia();
      await logged(harness, 'media server lost');
      goOn();
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    }));
});

describe.concurrent('the connection to the media server', () => {
  it('that breaks briefly ends no call, because each has its own', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      harness.mediaProxy.cut();
      await logged(harness, 'media server lost');
      harness.mediaProxy.restore();
      expect(await harness.phone.ready(180_000)).toBe(true);
      await harness.keyCard(caller);
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      await caller.hangUp();
      const row = await harness.endedCall(id);
      expect(row).toMatchObject({ outcome: 'succeeded' });
      expect(stepsOf(row)).not.toContain('media server lost');
      await answersAgain(harness);
    }));

  it('that stays away returns the caller by REFER', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      harness.mediaProxy.cut();
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('failed');
      expect(stepsOf(await harness.endedCall(id))).toContain('media server lost');
      harness.mediaProxy.restore();
      expect(await harness.phone.ready(180_000)).toBe(true);
      await answersAgain(harness);
    }));
});

describe.concurrent('the SIP server', () => {
  it('whose connection breaks briefly keeps its calls, and a hang-up is noticed', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      const before = harness.log.entries.length;
      harness.drachtioProxy.cut();
      await logged(harness, 'SIP server connection lost');
      harness.drachtioProxy.restore();
      await harness.log.waitFor(({ message }) => message === 'call continues after a lost connection');
      expect(harness.log.entries.slice(before).map(({ message }) => message)).not.toContain(
        'call of a lost connection ended',
      );
      await harness.keyCard(caller);
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
      await answersAgain(harness);
    }));

  it('whose connection breaks briefly reports a later hang-up as canceled', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      harness.drachtioProxy.cut();
      await logged(harness, 'SIP server connection lost');
      harness.drachtioProxy.restore();
      await logged(harness, 'call continues after a lost connection');
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
    }));

  it('whose connection breaks before the REFER arrives gets it again', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      const lost = harness.drachtioProxy.drop();
      await caller.press('**');
      await lost;
      harness.drachtioProxy.cut();
      await logged(harness, 'SIP server connection lost');
      harness.drachtioProxy.restore();
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('canceled');
      await caller.hangUp();
      const row = await harness.endedCall(id);
      expect(row).toMatchObject({ outcome: 'canceled', return_mode: 'refer' });
      expect(stepsOf(row)).toContain('refer connection_lost');
      await answersAgain(harness);
    }));

  it('whose connection stays away lets callers pay and hear a goodbye, and hangs up once it is back', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      harness.drachtioProxy.cut();
      await harness.keyCard(caller);
      const row = await harness.endedCall(id);
      expect(row).toMatchObject({ outcome: 'succeeded', return_mode: null });
      expect(stepsOf(row)).toContain('waits for the SIP server');
      expect(harness.said.entries.slice(-2)).toEqual(['succeeded', 'goodbye']);
      expect(harness.phone.connected).toBe(false);
      harness.drachtioProxy.restore();
      expect(await caller.ended()).toBe('remote');
      expect(await harness.phone.ready(180_000)).toBe(true);
      await answersAgain(harness);
    }));

  it.runIf(canRestartSipServer)('that dies lets callers pay, and returns them by REFER once it is back', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      await harness.engine.stopSignalling();
      await logged(harness, 'SIP server connection lost');
      await harness.keyCard(caller);
      await harness.said.waitFor((line) => line === 'succeeded');
      await harness.engine.startSignalling();
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
      expect(await harness.phone.ready(180_000)).toBe(true);
      await answersAgain(harness);
    }),
  );

  it.runIf(canRestartSipServer)('that dies during a REFER causes no second call to the agent', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      await harness.engine.stopSignalling();
      await logged(harness, 'SIP server connection lost');
      await harness.engine.startSignalling();
      await logged(harness, 'call continues after a lost connection');
      await harness.keyCard(caller);
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      expect(await caller.ended()).toBe('remote');
      const row = await harness.endedCall(id);
      expect(row).toMatchObject({ return_mode: 'refer' });
      expect(stepsOf(row)).not.toContain('bridge');
    }),
  );

  it.runIf(canRestartSipServer)('that restarts lets a caller who was referred to the agent call again at once', () =>
    withPhone(async (harness) => {
      const { caller, uri, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      await harness.engine.stopSignalling();
      await logged(harness, 'SIP server connection lost');
      await harness.engine.startSignalling();
      await logged(harness, 'call continues after a lost connection');
      await caller.press('**');
      // The agent's phone may ring for an hour: the SIP server answers all news of it.
      (await caller.requested('REFER')).respond(202);
      const again = await harness.caller();
      await eventually(180_000, async () => expect((await again.dial(uri)).status).toBe(200));
      await again.hangUp();
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
    }, 3_600_000),
  );

  it.runIf(canRestartSipServer)('that restarts reports a hang-up meanwhile as canceled', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness);
      await harness.engine.stopSignalling();
      await logged(harness, 'SIP server connection lost');
      const hungUp = caller.hangUp();
      await harness.engine.startSignalling();
      await hungUp;
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
      await answersAgain(harness);
    }),
  );

  it.runIf(canRestartSipServer)('that restarts ends a call without an agent with a BYE', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness);
      await harness.engine.stopSignalling();
      await logged(harness, 'SIP server connection lost');
      await harness.engine.startSignalling();
      expect(await harness.phone.ready(180_000)).toBe(true);
      await caller.press('**');
      expect(await caller.ended()).toBe('remote');
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
    }),
  );
});

describe.concurrent('the database', () => {
  it('that is away when a call arrives causes 503 with Retry-After, and leaves the session free', () =>
    withPhone(async (harness) => {
      const { uri } = await harness.checkout();
      harness.databaseProxy.cut();
      const caller = await harness.caller();
      const answer = await caller.dial(uri);
      expect(answer.status).toBe(503);
      expect(headerValue(answer, 'Retry-After')).toBe('5');
      const since = await harness.registration(false);
      harness.databaseProxy.restore();
      await harness.registration(true, since);
      await answersAgain(harness);
    }));

  it('that goes away during a call causes an apology and a return, and the end is written later', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      await caller.press('4242424242424242');
      await caller.press('0431');
      harness.databaseProxy.cut();
      await caller.press('123');
      const refer = await caller.followRefer();
      expect(harness.said.entries).toContain('unavailable');
      expect(headerValue(refer, 'X-Ringkey-Outcome')).toBe('failed');
      expect(headerValue(refer, 'X-Ringkey-Reason')).toBe('error');
      expect(await caller.ended()).toBe('remote');
      await logged(harness, 'call not recorded');
      expect((await harness.call(id))?.ended_at).toBeNull();
      harness.databaseProxy.restore();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
    }));
});

describe.concurrent('the process', () => {
  it('that drains lets live calls continue, and takes no new ones', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness);
      const drained = harness.phone.drain(10);
      const second = await harness.caller();
      expect((await second.dial((await harness.checkout()).uri)).status).toBe(503);
      await caller.press('**');
      expect(await caller.ended()).toBe('remote');
      await drained;
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
    }));

  it('that has drained long enough apologizes and returns the callers', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness, { returnTo: UNREACHABLE_AGENT_URI });
      const drained = harness.phone.drain(0);
      await caller.followRefer();
      expect(harness.said.entries).toContain('unavailable');
      await drained;
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
    }));

  it('that drains waits for a charge', () =>
    withPhone(async (harness) => {
      const goOn = harness.holdPayments();
      const { caller, id } = await calls(harness);
      await harness.keyCard(caller);
      await harness.payments.waitFor(() => true);
      const drained = harness.phone.drain(0);
      goOn();
      expect(await caller.ended()).toBe('remote');
      await drained;
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    }));

  it('that is closed ends its calls, and writes their outcome', () =>
    withPhone(async (harness) => {
      const { caller, id } = await calls(harness);
      await harness.phone.close();
      expect(await caller.ended()).toBe('remote');
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error' });
    }));

  it('that dies leaves its calls to the next one, which hangs them up and frees the session', () =>
    withPhone(async (harness) => {
      const { caller, uri, id } = await calls(harness);
      // Without the SIP server and the database, the first process counts as dead.
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
    }));
});

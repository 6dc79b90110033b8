/**
 * Two phone processes on one SIP server: one that can take no calls gets none, and one that dies has its callers
 * returned.
 */
import { describe, expect, it, vi } from 'vitest';
import { type CallEvent, FIRST_AFTER_LOSS } from '../../../src/domain/call-progress.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { waitUntil } from '../../../src/lib/concurrency/time-limit.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { eventually } from '../../support/checkouts.ts';
import type { Caller } from './caller-and-agent.ts';
import { canRestartSipServer, external } from './engine.ts';
import { EventLog } from './event-log.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const CALLS = 8;
/** A card whose answer takes long. */
const SLOW_CARD = '4000000000006603';
const limits = { referMs: 3_000, referRingMs: 6_000 };
const WAIT_LIMIT_MS = 180_000;

// A test mostly waits. There is only one set of real daemons, which serves one pair of processes at a time.
vi.setConfig({ maxConcurrency: external ? 1 : 3 });

interface Phones {
  healthy: PhoneHarness;
  /** Takes one call at a time. */
  other: PhoneHarness;
}

/** Runs `play` with two processes on a separate engine and database, and closes them afterwards. */
async function withPhones(play: (phones: Phones) => Promise<void>): Promise<void> {
  const healthy = await PhoneHarness.start({ instance: 'healthy', limits });
  try {
    const other = await PhoneHarness.beside(healthy, { instance: 'other', settings: { maxCalls: 1 } });
    try {
      await play({ healthy, other });
    } finally {
      for (const proxy of [other.databaseProxy, other.drachtioProxy, other.mediaProxy]) proxy.restore();
      await other.close();
    }
  } finally {
    await healthy.close();
  }
}

/** The status of a call to a new checkout. */
async function dial(phone: PhoneHarness): Promise<{ status: number; retryAfter: string | undefined }> {
  const caller = await phone.caller();
  const answer = await caller.dial((await phone.checkout()).uri);
  return { status: answer.status, retryAfter: headerValue(answer, 'Retry-After') };
}

/** The number of calls that a process has answered so far. On a slow machine, calls end by themselves. */
async function answeredBy({ healthy }: Phones, instance: 'healthy' | 'other'): Promise<number> {
  const { rows } = await healthy.db.database.query<{ calls: number }>(
    'select count(*)::int as calls from calls where instance = $1 and answered_at is not null',
    [instance],
  );
  return rows[0]?.calls ?? 0;
}

/** Dials until this many calls in a row are answered. Before that, an unregistering process may get one. */
async function dialUntilAnswered({ healthy }: Phones, inARow: number): Promise<void> {
  for (let answered = 0; answered < inARow; ) {
    const { status } = await dial(healthy);
    expect([200, 503]).toContain(status);
    answered = status === 200 ? answered + 1 : 0;
  }
}

/** Dials until the healthy process has answered this many calls. The other one must get none. */
async function expectOnlyHealthyTakesCalls(phones: Phones, count = CALLS): Promise<void> {
  const { healthy, other } = phones;
  // The processes get calls in turn. By the second call, the SIP server knows that the other process takes none.
  await dialUntilAnswered(phones, 2);
  const [before, logged] = [await answeredBy(phones, 'other'), other.log.entries.length];
  for (let answered = 0; answered < count; ) {
    const { status } = await dial(healthy);
    // If the machine delays its heartbeat, the healthy one is unregistered briefly as well.
    expect([200, 503]).toContain(status);
    if (status === 200) answered += 1;
  }
  expect(await answeredBy(phones, 'other')).toBe(before);
  const refusals = other.log.entries.slice(logged).filter(({ message }) => /^call (refused|not taken)$/.test(message));
  expect(refusals).toEqual([]);
}

/** Dials until the other process, which takes calls again, gets one. */
async function comesBack(phones: Phones, after: number): Promise<void> {
  const before = await answeredBy(phones, 'other');
  await phones.other.registration(true, after);
  while ((await answeredBy(phones, 'other')) === before) await dial(phones.healthy);
}

describe.concurrent('a phone process', () => {
  it('that drains gets no more calls', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const { caller } = await dialOther(phones);
      const drained = other.phone.drain(60);
      await expectOnlyHealthyTakesCalls(phones);
      await caller.hangUp();
      await drained;
    }));

  it('that is full gets no more calls until one has ended', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const { caller } = await dialOther(phones);
      const logged = await other.registration(false);
      // A call that waits for its payment does not end by itself.
      const payNow = other.holdPayments();
      await other.keyCard(caller);
      await expectOnlyHealthyTakesCalls(phones);
      payNow();
      await caller.hangUp();
      await comesBack(phones, logged);
    }));

  it('that has lost PostgreSQL gets no calls until it is back', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const logged = other.log.entries.length;
      other.databaseProxy.cut();
      const withdrawn = await other.registration(false, logged);
      await expectOnlyHealthyTakesCalls(phones);
      other.databaseProxy.restore();
      await comesBack(phones, withdrawn);
    }));

  it('whose PostgreSQL does not answer gets no calls until it does', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const logged = other.log.entries.length;
      other.databaseProxy.stall();
      const withdrawn = await other.registration(false, logged);
      await expectOnlyHealthyTakesCalls(phones);
      other.databaseProxy.restore();
      await comesBack(phones, withdrawn);
    }));

  it('that has lost its media servers gets no calls until they are back', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const logged = other.log.entries.length;
      other.mediaProxy.cut();
      const withdrawn = await other.registration(false, logged);
      await expectOnlyHealthyTakesCalls(phones);
      other.mediaProxy.restore();
      await comesBack(phones, withdrawn);
    }));

  it('stays unregistered if its connection to the SIP server breaks meanwhile', () =>
    withPhones(async (phones) => {
      const { other } = phones;
      const logged = other.log.entries.length;
      other.mediaProxy.cut();
      await other.registration(false, logged);
      other.drachtioProxy.cut();
      other.drachtioProxy.restore();
      await other.log.waitFor(({ message }) => message === 'SIP server connection lost');
      const before = other.log.entries.length;
      await eventually(WAIT_LIMIT_MS, async () =>
        expect(other.log.entries.slice(before).some(({ message }) => message === 'SIP server connected')).toBe(true),
      );
      await expectOnlyHealthyTakesCalls(phones);
    }));
});

it.concurrent('the SIP server refuses calls itself if no phone process can take them', () =>
  withPhones(async ({ healthy, other }) => {
    await Promise.all([healthy.phone.drain(0), other.phone.drain(0)]);
    const refusals = () =>
      [healthy, other].flatMap(({ log }) => log.entries).filter(({ message }) => message === 'call refused').length;
    // The first one refuses calls itself until its heartbeat has seen the other.
    await eventually(WAIT_LIMIT_MS, async () => {
      const before = refusals();
      const { status, retryAfter } = await dial(healthy);
      expect(status).toBe(503);
      expect(refusals()).toBe(before);
      // drachtio-server has no setting for it.
      expect(retryAfter).toBe(external ? undefined : '5');
    });
  }));

describe.concurrent('a phone process that dies', () => {
  /** Like SIGKILL: all its connections are closed. */
  const kill = ({ other }: Phones) => {
    other.drachtioProxy.cut();
    other.databaseProxy.cut();
  };
  /** Like a host that is suspended or has lost power: no connection is closed. */
  const freeze = ({ other }: Phones) => {
    other.drachtioProxy.stall();
    other.databaseProxy.stall();
  };
  const sql = ({ healthy }: Phones, text: string, values: unknown[] = []) => healthy.db.database.query(text, values);

  /** A call on the process that will die, and a healthy process that may judge it, as if it had run for long. */
  const withCall = (
    returnTo: string | null,
    play: (phones: Phones, call: { caller: Caller; id: CheckoutSessionId }) => Promise<void>,
  ) =>
    withPhones(async (phones) => {
      const ago = `now() - interval '1 minute'`;
      await sql(phones, `update process_leases set acquired_at = ${ago} where instance = 'healthy'`);
      await play(phones, await dialOther(phones, { returnTo }));
    });

  it.each([
    ['killed', kill],
    ['frozen', freeze],
  ])('(%s) has its caller returned to the agent with an apology', (_how, die) =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      const { healthy } = phones;
      const events = await progressOf(healthy, id);
      die(phones);
      const refer = await caller.requested('REFER');
      expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('failed');
      expect(headerValue(refer.request, 'X-Ringkey-Reason')).toBe('error');
      expect(headerValue(refer.request, 'Contact')).toMatch(/^<sip:/);
      refer.respond(202);
      // A frozen process answers no BYE.
      caller.dialog?.bye();
      await eventually(WAIT_LIMIT_MS, async () => expect((await healthy.call(id))?.return_mode).toBe('refer'));
      expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error' });
      await events.waitFor(({ type }) => type === 'call.ended');
      expect(events.entries).toMatchObject([
        { type: 'call.returned', sequence: 1001, returnRoute: 'refer' },
        { type: 'call.ended', sequence: 1002, outcome: { kind: 'failed', reason: 'error', chargeId: null } },
      ]);
    }),
  );

  it('while a charge is pending has that reported to the agent', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      await phones.other.keyCard(caller, SLOW_CARD);
      await eventually(WAIT_LIMIT_MS, async () =>
        expect((await sql(phones, 'select status from charges where session_id = $1', [id])).rows).toEqual([
          { status: 'pending' },
        ]),
      );
      kill(phones);
      const refer = await caller.followRefer();
      expect(headerValue(refer, 'X-Ringkey-Outcome')).toBe('pending');
      expect(headerValue(refer, 'X-Ringkey-Charge')).toMatch(/^ch_/);
    }));

  it('after the payment has that reported to the agent', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      const { healthy, other } = phones;
      await other.keyCard(caller, SLOW_CARD);
      const succeeds = `update charges set status = 'succeeded', settled_at = now() where session_id = $1`;
      await eventually(WAIT_LIMIT_MS, async () => expect((await sql(phones, succeeds, [id])).rowCount).toBe(1));
      kill(phones);
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      await eventually(WAIT_LIMIT_MS, async () => expect((await healthy.call(id))?.outcome).toBe('succeeded'));
    }));

  it('has its call hung up if the caller refuses the REFER', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      kill(phones);
      (await caller.requested('REFER')).respond(603);
      expect(await caller.ended()).toBe('remote');
      await eventually(WAIT_LIMIT_MS, async () => expect(await stepsNow(phones, id)).toContain('refer refused 603'));
    }));

  it('has its call hung up after the ringing limit if the caller accepts the REFER but stays', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      kill(phones);
      await caller.followRefer();
      expect(await caller.ended()).toBe('remote');
      await eventually(WAIT_LIMIT_MS, async () => expect(await stepsNow(phones, id)).toContain('refer timeout'));
      const { timeline = [] } = (await phones.healthy.call(id)) ?? {};
      const at = (name: string) => timeline.find(({ step }) => step === name)?.at_ms ?? Number.NaN;
      // Another process gets no NOTIFY, so the ringing limit is the shortest time that the agent gets.
      expect(at('refer timeout') - at('refer')).toBeGreaterThanOrEqual(limits.referRingMs);
    }));

  it.runIf(canRestartSipServer)('together with the SIP server has its caller returned from the database', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      const { healthy } = phones;
      await healthy.engine.stopSignalling();
      kill(phones);
      await healthy.engine.startSignalling();
      const refer = await caller.requested('REFER');
      expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('failed');
      refer.respond(202);
      caller.dialog?.bye();
      await eventually(WAIT_LIMIT_MS, async () => expect((await healthy.call(id))?.return_mode).toBe('refer'));
    }),
  );

  it.runIf(canRestartSipServer)('together with the SIP server has its call hung up if there is no way back', () =>
    withCall(null, async (phones, { caller, id }) => {
      const { healthy } = phones;
      await healthy.engine.stopSignalling();
      kill(phones);
      await healthy.engine.startSignalling();
      expect(await caller.ended()).toBe('remote');
      expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: null });
    }),
  );

  it('has its call hung up if there is no way back', () =>
    withCall(null, async (phones, { caller, id }) => {
      const events = await progressOf(phones.healthy, id);
      kill(phones);
      expect(await caller.ended()).toBe('remote');
      expect(await phones.healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: null });
      await events.waitFor(({ type }) => type === 'call.ended');
      expect(events.entries.map(({ type, sequence }) => [type, sequence])).toEqual([['call.ended', 1001]]);
    }));

  it('and resumes does not write to a call that was taken over', () =>
    withCall(UNREACHABLE_AGENT_URI, async (phones, { caller, id }) => {
      const { healthy, other } = phones;
      freeze(phones);
      (await caller.requested('REFER')).respond(202);
      // Answered when the process is back.
      const bye = caller.dialog?.bye();
      await eventually(WAIT_LIMIT_MS, async () => expect((await healthy.call(id))?.return_mode).toBe('refer'));
      other.databaseProxy.restore();
      other.drachtioProxy.restore();
      await bye?.final;
      await eventually(WAIT_LIMIT_MS, async () => expect(other.phone.calls).toBe(0));
      await other.phone.drain(0);
      expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
    }));
});

/** The events of the session's call that the process sends that takes it over, as a worker gets them. */
async function progressOf({ otherProgress }: PhoneHarness, id: CheckoutSessionId): Promise<EventLog<CallEvent>> {
  const events = new EventLog<CallEvent>();
  await waitUntil(WAIT_LIMIT_MS, 10, () => otherProgress.connected);
  otherProgress.subscribeCalls((event) => {
    if (event.sessionId === id && event.sequence >= FIRST_AFTER_LOSS) events.push(event);
  });
  return events;
}

async function stepsNow({ healthy }: Phones, id: CheckoutSessionId): Promise<string[]> {
  const row = await healthy.call(id);
  return row === undefined ? [] : stepsOf(row);
}

/** A call on the other process. The SIP server distributes calls in turn. */
async function dialOther(
  { healthy, other }: Phones,
  overrides: Parameters<PhoneHarness['answered']>[0] = {},
): Promise<{ caller: Caller; id: CheckoutSessionId }> {
  for (;;) {
    const call = await healthy.answered(overrides);
    if (other.phone.calls === 1) {
      // The row has what another process needs.
      await eventually(WAIT_LIMIT_MS, async () =>
        expect((await healthy.call(call.id))?.answered_at ?? null).not.toBeNull(),
      );
      return call;
    }
    await call.caller.hangUp();
    await eventually(WAIT_LIMIT_MS, async () => expect(healthy.phone.calls).toBe(0));
  }
}

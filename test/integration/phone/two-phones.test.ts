/** Two phone processes on one SIP server: one that can take no calls gets none, one that dies has its callers sent back. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { headerValue } from '../../../src/softswitch/sip/index.ts';
import type { Caller } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness, stepsOf, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

const CALLS = 8;
/** The sandbox takes long to answer. */
const SLOW_CARD = '4000000000006603';
const limits = { referMs: 3_000 };

let healthy: PhoneHarness;
let other: PhoneHarness;
beforeEach(async () => {
  healthy = await PhoneHarness.start({ instance: 'healthy', limits });
  other = await PhoneHarness.beside(healthy, { instance: 'other', settings: { maxCalls: 1 } });
});
afterEach(async () => {
  for (const proxy of [other.databaseProxy, other.drachtioProxy, other.mediaProxy]) proxy.restore();
  await other.close();
  await healthy.close();
});

/** The status of a call to a new checkout. */
async function dial(): Promise<{ status: number; retryAfter: string | undefined; caller: Caller }> {
  const caller = await healthy.caller();
  const answer = await caller.dial((await healthy.checkout()).uri);
  return { status: answer.status, retryAfter: headerValue(answer, 'Retry-After'), caller };
}

async function dialAll(count = CALLS): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await dial()).status);
  return statuses;
}

const allAnswered = Array.from({ length: CALLS }, () => 200);

async function comesBack(after: number): Promise<void> {
  await other.registration(true, after);
  await dialAll(2);
  expect([healthy.phone.calls, other.phone.calls]).toEqual([CALLS + 1, 1]);
}

describe('a phone process', () => {
  it('that drains gets no more calls', async () => {
    const { caller } = await dialFirstTo(other);
    const drained = other.phone.drain(60);
    expect(await dialAll()).toEqual(allAnswered);
    expect(healthy.phone.calls).toBe(CALLS);
    await caller.hangUp();
    await drained;
  });

  it('that is full gets no more calls until one has ended', async () => {
    const { caller } = await dialFirstTo(other);
    const told = await other.registration(false);
    expect(await dialAll()).toEqual(allAnswered);
    expect([healthy.phone.calls, other.phone.calls]).toEqual([CALLS, 1]);
    await caller.hangUp();
    await comesBack(told);
  });

  it('that is cut off from PostgreSQL gets no calls until it is back', async () => {
    const told = other.log.entries.length;
    other.databaseProxy.cut();
    const withdrawn = await other.registration(false, told);
    expect(await dialAll()).toEqual(allAnswered);
    other.databaseProxy.restore();
    await comesBack(withdrawn);
  });

  it('that PostgreSQL no longer answers gets no calls until it does', async () => {
    const told = other.log.entries.length;
    other.databaseProxy.stall();
    const withdrawn = await other.registration(false, told);
    expect(await dialAll()).toEqual(allAnswered);
    other.databaseProxy.restore();
    await comesBack(withdrawn);
  });

  it('that is cut off from its media servers gets no calls until it is back', async () => {
    const told = other.log.entries.length;
    other.mediaProxy.cut();
    const withdrawn = await other.registration(false, told);
    expect(await dialAll()).toEqual(allAnswered);
    other.mediaProxy.restore();
    await comesBack(withdrawn);
  });

  it('stays withdrawn when its connection to the SIP server breaks meanwhile', async () => {
    const told = other.log.entries.length;
    other.mediaProxy.cut();
    await other.registration(false, told);
    other.drachtioProxy.cut();
    other.drachtioProxy.restore();
    await other.log.waitFor(({ message }) => message === 'SIP server connection lost');
    const before = other.log.entries.length;
    await expect
      .poll(() => other.log.entries.slice(before).some(({ message }) => message === 'SIP server connected'))
      .toBe(true);
    expect(await dialAll()).toEqual(allAnswered);
  });
});

it('without any phone process that can take calls the SIP server refuses them itself', async () => {
  await Promise.all([healthy.phone.drain(0), other.phone.drain(0)]);
  const { status, retryAfter } = await dial();
  expect(status).toBe(503);
  // drachtio-server has no setting for it.
  expect(retryAfter).toBe(external ? undefined : '5');
  expect([...healthy.log.entries, ...other.log.entries].map(({ message }) => message)).not.toContain('call refused');
});

describe('a phone process that dies', () => {
  /** As SIGKILL: all its connections are closed. */
  const kill = () => {
    other.drachtioProxy.cut();
    other.databaseProxy.cut();
  };
  /** As a host that is suspended or lost its power: nothing is closed. */
  const freeze = () => {
    other.drachtioProxy.stall();
    other.databaseProxy.stall();
  };
  const sql = (text: string, values: unknown[] = []) => healthy.db.database.query(text, values);

  beforeEach(async () => {
    // As if it had run for long: it may judge others.
    await sql(`update process_leases set acquired_at = now() - interval '1 minute' where instance = 'healthy'`);
  });

  it.each([
    ['killed', kill],
    ['frozen', freeze],
  ])('(%s): its caller goes back to the agent, and hears why', async (_how, die) => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    die();
    const refer = await caller.requested('REFER');
    expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('failed');
    expect(headerValue(refer.request, 'X-Ringkey-Reason')).toBe('error');
    expect(headerValue(refer.request, 'Contact')).toMatch(/^<sip:/);
    refer.respond(202);
    await caller.hangUp();
    await expect.poll(async () => (await healthy.call(id))?.return_mode).toBe('refer');
    expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error' });
  });

  it('while a charge is pending: the agent hears that', async () => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    await other.keyCard(caller, SLOW_CARD);
    await expect
      .poll(async () => (await sql('select status from charges where session_id = $1', [id])).rows)
      .toEqual([{ status: 'pending' }]);
    kill();
    const refer = await caller.followRefer();
    expect(headerValue(refer, 'X-Ringkey-Outcome')).toBe('pending');
    expect(headerValue(refer, 'X-Ringkey-Charge')).toMatch(/^ch_/);
  });

  it('after the payment: the agent hears that, too', async () => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    await other.keyCard(caller, SLOW_CARD);
    const paid = () => sql(`update charges set status = 'succeeded', settled_at = now() where session_id = $1`, [id]);
    await expect.poll(async () => (await paid()).rowCount).toBe(1);
    kill();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await expect.poll(async () => (await healthy.call(id))?.outcome).toBe('succeeded');
  });

  it('whose caller refuses the REFER: BYE', async () => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    kill();
    (await caller.requested('REFER')).respond(603);
    expect(await caller.ended()).toBe('remote');
    await expect.poll(() => stepsNow(id)).toContain('refer refused 603');
  });

  it('whose caller takes the REFER and stays: BYE', async () => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    kill();
    await caller.followRefer();
    expect(await caller.ended()).toBe('remote');
    await expect.poll(() => stepsNow(id)).toContain('refer timeout');
  });

  it('whose call has no way back: BYE', async () => {
    const { caller, id } = await dialFirstTo(other);
    kill();
    expect(await caller.ended()).toBe('remote');
    expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: null });
  });

  it('and comes back to life writes no more to the call that was taken over', async () => {
    const { caller, id } = await dialFirstTo(other, { returnTo: UNREACHABLE_AGENT_URI });
    freeze();
    (await caller.requested('REFER')).respond(202);
    await caller.hangUp();
    await expect.poll(async () => (await healthy.call(id))?.return_mode).toBe('refer');
    other.databaseProxy.restore();
    other.drachtioProxy.restore();
    await expect.poll(() => other.phone.calls).toBe(0);
    await other.phone.drain(0);
    expect(await healthy.call(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
  });
});

async function stepsNow(id: CheckoutSessionId): Promise<string[]> {
  const row = await healthy.call(id);
  return row === undefined ? [] : stepsOf(row);
}

/** A call that this process has taken; the SIP server sends calls to each in turn. */
async function dialFirstTo(
  phone: PhoneHarness,
  overrides: Parameters<PhoneHarness['answered']>[0] = {},
): Promise<{ caller: Caller; id: CheckoutSessionId }> {
  for (;;) {
    const call = await healthy.answered(overrides);
    if (phone.phone.calls === 1) {
      // What another process needs of the call is in its row.
      await expect.poll(async () => (await healthy.call(call.id))?.answered_at ?? null).not.toBeNull();
      return call;
    }
    await call.caller.hangUp();
    await expect.poll(() => healthy.phone.calls).toBe(0);
  }
}

/**
 * A user of the account ends a call: what the caller hears and the agent learns, also without a message to the process.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markEndRequested } from '../../../src/db/calls/calls.ts';
import type { CallId, CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { DEMO_ACCOUNT, DEMO_SIGNING_SECRET } from '../../../src/local/standalone/demo-data.ts';
import { phoneProcess } from '../../../src/notifications/progress/ports.ts';
import { verifyOutcomeHeaders } from '../../support/outcome-headers.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const DECLINED = '4000000000000002';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ limits: { referMs: 4_000, ringMs: 5_000 } });
});
afterAll(() => harness.close());

/** A live call. `said`: the lines of this call. */
async function onTheLine(returnTo: string | null = UNREACHABLE_AGENT_URI) {
  const from = harness.said.entries.length;
  const { caller, id, uri } = await harness.answered({ returnTo });
  const said = () => harness.said.entries.slice(from);
  const hears = (line: string) => harness.said.waitFor(() => said().includes(line));
  await hears('greeting');
  return { caller, id, uri, said, hears };
}

/** Requests the end like the REST operation, in another process. @param isDelivered whether its message arrives */
async function requestEnd(id: CheckoutSessionId, isDelivered = true): Promise<void> {
  const { database } = harness.db;
  const { rows } = await database.query<{ id: CallId }>('select id from calls where session_id = $1', [id]);
  const marked = await markEndRequested(database, DEMO_ACCOUNT, rows[0]?.id as CallId);
  if (marked === null) throw new Error('there is no such call on the line');
  if (isDelivered) harness.otherProgress.publish(phoneProcess(marked.leaseId), 'end_requested');
}

const headersOf = ({ headers }: SipRequest) => Object.fromEntries(headers.map(({ name, value }) => [name, value]));
const statusOf = async (id: CheckoutSessionId) => {
  const { rows } = await harness.db.database.query('select status from checkout_sessions where id = $1', [id]);
  return rows[0] as { status: string };
};

describe('a call that is ended', () => {
  it('during the greeting says so, and returns to the agent as canceled', async () => {
    const { caller, id, said, hears } = await onTheLine();
    await requestEnd(id);
    await hears('call_ended');
    const headers = headersOf(await caller.followRefer());
    expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'canceled', 'X-Ringkey-Session': id });
    expect(headers).not.toHaveProperty('X-Ringkey-Reason');
    expect(verifyOutcomeHeaders(headers, DEMO_SIGNING_SECRET, new Date())).toBe(true);
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'canceled', reason: null, charge_id: null, return_mode: 'refer' });
    expect(stepsOf(row).filter((step) => step === 'end requested')).toHaveLength(1);
    expect(said()).toEqual(['greeting', 'call_ended']);
    expect(await statusOf(id)).toEqual({ status: 'open' });
    const { fields } = await harness.log.waitFor(
      ({ message, fields }) => message === 'call ended' && fields.sessionId === id,
    );
    expect(fields).toMatchObject({ outcome: 'canceled', reason: null, endRequested: true });
  });

  it('without an agent hangs up, and the checkout can be called and paid again', async () => {
    const { caller, id, uri, hears } = await onTheLine(null);
    await caller.press('4242424242424242');
    await hears('ask expiry');
    await requestEnd(id);
    await hears('call_ended');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: null });
    const { rowCount } = await harness.db.database.query('select from charges where session_id = $1', [id]);
    expect(rowCount).toBe(0);
    const again = await harness.caller();
    expect((await again.dial(uri)).status).toBe(200);
    await harness.said.waitFor((line) => line === 'greeting after_call');
    await again.press('42424242424242420431123');
    expect(await again.ended()).toBe('remote');
    expect(await statusOf(id)).toEqual({ status: 'complete' });
  });

  it('ends also without a message, because its process looks by itself', async () => {
    const { caller, id, hears } = await onTheLine();
    await requestEnd(id, false);
    await hears('call_ended');
    await caller.followRefer();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
  });

  it('ends also without Redis', async () => {
    const { caller, id, hears } = await onTheLine();
    harness.redisProxy.cut();
    try {
      await requestEnd(id);
      await hears('call_ended');
    } finally {
      harness.redisProxy.restore();
    }
    await caller.followRefer();
    await harness.endedCall(id);
  });

  it('does not affect another call of the process', async () => {
    const other = await onTheLine();
    const { caller, id, hears } = await onTheLine();
    await requestEnd(id);
    await hears('call_ended');
    await caller.followRefer();
    await harness.endedCall(id);
    expect((await harness.call(other.id))?.ended_at).toBeNull();
    await other.caller.hangUp();
    expect(await harness.endedCall(other.id)).toMatchObject({ outcome: 'canceled' });
    expect(stepsOf(await harness.endedCall(other.id))).not.toContain('end requested');
  });
});

describe('a call that is ended during a charge', () => {
  /** Requests the end after the charge has started. */
  async function charging(number: string) {
    const call = await onTheLine();
    const paymentCount = harness.payments.entries.length;
    const release = harness.holdPayments();
    await call.caller.press(`${number}0431123`);
    await harness.payments.waitForCount('asked', paymentCount + 1);
    await requestEnd(call.id);
    await stepOf(call.id, 'end requested');
    return { ...call, release };
  }

  /** Waits until the timeline in the database has the step. */
  async function stepOf(id: CheckoutSessionId, step: string): Promise<void> {
    await expect.poll(async () => (await harness.call(id))?.timeline.map((each) => each.step)).toContain(step);
  }

  it('says that it was paid, and ends as paid', async () => {
    const { caller, id, release, hears, said } = await charging('4242424242424242');
    expect(said()).not.toContain('call_ended');
    release();
    await hears('succeeded');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    expect(said()).not.toContain('call_ended');
    expect(await statusOf(id)).toEqual({ status: 'complete' });
  });

  it('says that it was declined, asks for nothing more, and the agent learns so', async () => {
    const { caller, id, release, hears, said } = await charging(DECLINED);
    release();
    await hears('call_ended');
    expect(headersOf(await caller.followRefer())).toMatchObject({
      'X-Ringkey-Outcome': 'failed',
      'X-Ringkey-Reason': 'declined',
      'X-Ringkey-Charge': expect.any(String),
    });
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'declined' });
    expect(said()).not.toContain('declined');
    expect(await statusOf(id)).toEqual({ status: 'open' });
  });
});

describe('a caller who has returned to the agent', () => {
  it('over a bridge is not disturbed', async () => {
    const agent = await harness.agent();
    const { caller, id } = await onTheLine(agent.uri);
    await harness.db.database.query(`update merchants set return_mode = 'bridge' where id = 'mer_demo_diner'`);
    await caller.press('**');
    await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
    await requestEnd(id);
    await expect.poll(async () => stepsOf((await harness.call(id)) ?? failed())).toContain('end requested');
    expect((await harness.call(id))?.ended_at).toBeNull();
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: 'bridge' });
    await harness.db.database.query(`update merchants set return_mode = null where id = 'mer_demo_diner'`);
  });
});

function failed(): never {
  throw new Error('there is no call');
}

/** How payment calls end: every return to the agent, and every fallback. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnMode } from '../../../src/domain/merchant.ts';
import { headerValue, type SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { DEMO_SIGNING_SECRET } from '../../../src/local/standalone/demo-data.ts';
import { MAX_DECLINES_A_SESSION } from '../../../src/payments/rules/velocity.ts';
import { verifyOutcomeHeaders } from '../../support/outcome-headers.ts';
import { type Caller, type DialOptions, noise } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf, timelineTexts } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ limits: { referMs: 4_000, ringMs: 5_000 } });
});
afterAll(() => harness.close());

/** A call that ends at once: the shortest way to any ending. */
async function givesUp(returnTo: string | null, options: DialOptions = {}) {
  const { caller, id } = await harness.answered({ returnTo }, options);
  await caller.press('**');
  return { caller, id };
}

function outcomeHeadersOf(request: SipRequest): Record<string, string> {
  const ours = request.headers.filter(({ name }) => /^(x-ringkey-|user-to-user)/i.test(name));
  return Object.fromEntries(ours.map(({ name, value }) => [name, value]));
}

async function withMode(mode: ReturnMode, work: () => Promise<void>): Promise<void> {
  const set = (value: string | null) =>
    harness.db.database.query(`update merchants set return_mode = $1 where id = 'mer_demo_diner'`, [value]);
  await set(mode);
  await work().finally(() => set(null));
}

describe('a payment', () => {
  it('without a return_to is charged, said and hung up', async () => {
    const { caller, id } = await harness.answered();
    await harness.keyCard(caller);
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded', reason: null, return_mode: null });
    expect(row.charge_id).toMatch(/^ch_/);
    expect(timelineTexts(row)).not.toMatch(/4242|0431/);
    const question = row.timeline.find(({ step }) => step === 'say ask expiry 1');
    expect(question).toMatchObject({ said: { text: expect.any(String), language: expect.any(String) } });
    const { at_ms: asked, said, answer_ms: answered } = question ?? { at_ms: Number.NaN };
    expect(said?.until_ms).toBeGreaterThanOrEqual(asked);
    expect(answered).toBeGreaterThanOrEqual(asked);
    const { rows } = await harness.db.database.query('select status from checkout_sessions where id = $1', [id]);
    expect(rows).toEqual([{ status: 'complete' }]);
  });

  it('returns to the agent by REFER, with the signed outcome', async () => {
    const { caller, id } = await harness.answered({ returnTo: `${UNREACHABLE_AGENT_URI};transport=tcp` });
    await harness.keyCard(caller);
    const refer = await caller.requested('REFER');
    const headers = outcomeHeadersOf(refer.request);
    expect(headers).toMatchObject({
      'X-Ringkey-Outcome': 'succeeded',
      'X-Ringkey-Session': id,
      'X-Ringkey-Amount': '4250',
    });
    expect(verifyOutcomeHeaders(headers, DEMO_SIGNING_SECRET, new Date())).toBe(true);
    const referTo = headerValue(refer.request, 'Refer-To') ?? '';
    expect(referTo).toContain(`<${UNREACHABLE_AGENT_URI};transport=tcp?X-Ringkey-Outcome=succeeded&`);
    expect(headerValue(refer.request, 'Contact')).toContain('sip:');
    refer.respond(202);
    await caller.notify('SIP/2.0 100 Trying', 'active;expires=60');
    await caller.notify('SIP/2.0 200 OK');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
  });
});

it('a payment that was declined too often is not tried, and the caller and the agent learn so', async () => {
  const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
  await harness.db.database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor, source,
                          status, decline_code, settled_at, resolve_at)
     select s.id || '-' || n, s.id, s.account_id, s.mode, s.merchant_id, s.amount_cents, s.currency, 'sandbox', 'phone',
            'failed', 'do_not_honor', now(), now()
       from checkout_sessions s, generate_series(1, $2) n where s.id = $1`,
    [id, MAX_DECLINES_A_SESSION],
  );
  const caller = await harness.caller();
  await caller.dial(uri);
  await harness.keyCard(caller);
  const refer = await caller.followRefer();
  expect(harness.said.entries.at(-1)).toBe('too_many_attempts');
  expect(outcomeHeadersOf(refer)).toMatchObject({
    'X-Ringkey-Outcome': 'failed',
    'X-Ringkey-Reason': 'too_many_attempts',
  });
  expect(await harness.endedCall(id)).toMatchObject({
    outcome: 'failed',
    reason: 'too_many_attempts',
    charge_id: null,
  });
  const { rows } = await harness.db.database.query('select status from charges where session_id = $1', [id]);
  expect(rows).toEqual(Array.from({ length: MAX_DECLINES_A_SESSION }, () => ({ status: 'failed' })));
});

describe('a REFER', () => {
  it('counts as accepted if the caller leaves after the 202', async () => {
    const { caller, id } = await givesUp(UNREACHABLE_AGENT_URI);
    (await caller.requested('REFER')).respond(202);
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: 'refer' });
  });

  it.each([
    [
      'is refused',
      (caller: Caller) => caller.requested('REFER').then((refer) => refer.respond(603)),
      'refer refused 603',
    ],
    [
      'fails in its NOTIFY',
      async (caller: Caller) => {
        (await caller.requested('REFER')).respond(202);
        await caller.notify('SIP/2.0 486 Busy Here');
      },
      'refer failed 486',
    ],
    [
      'gets no answer in time',
      (caller: Caller) => caller.requested('REFER').then((refer) => refer.respond(202)),
      'refer timeout',
    ],
  ])('that %s becomes a bridge', async (_how, act, step) => {
    const agent = await harness.agent();
    const { caller, id } = await givesUp(agent.uri);
    await act(caller);
    const invite = await agent.calls.waitFor(() => true);
    expect(outcomeHeadersOf(invite.request)).toMatchObject({ 'X-Ringkey-Outcome': 'canceled' });
    await agent.acked.waitFor(() => true);
    invite.dialog?.bye();
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'canceled', return_mode: 'bridge' });
    expect(stepsOf(row)).toContain(step);
  });

  it('without a response becomes a bridge if the phone answers OPTIONS', async () => {
    const agent = await harness.agent();
    const { caller, id } = await givesUp(agent.uri);
    await caller.requested('REFER');
    const invite = await agent.calls.waitFor(() => true);
    await agent.acked.waitFor(() => true);
    invite.dialog?.bye();
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: 'bridge' });
  });

  it('to a caller who has vanished ends the call, and the agent is not called', async () => {
    const agent = await harness.agent();
    const { caller, id } = await givesUp(agent.uri);
    await caller.requested('REFER');
    await caller.close();
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'canceled', return_mode: null });
    expect(stepsOf(row)).toContain('refer leg_gone');
    expect(agent.calls.entries).toEqual([]);
  });

  it('is the only attempt in mode refer', () =>
    withMode('refer', async () => {
      const agent = await harness.agent();
      const { caller, id } = await givesUp(agent.uri, { takesRefer: false });
      (await caller.requested('REFER')).respond(405);
      expect(await caller.ended()).toBe('remote');
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: null });
      expect(agent.calls.entries).toEqual([]);
    }));
});

describe('a bridge', () => {
  it('plays ringing to the caller, then joins both, without digits', async () => {
    const agent = await harness.agent((_agent, invite) => invite.respond(180));
    const hears = (sound: string) =>
      caller.heard.waitFor((entry) => entry === caller.heard.entries.at(-1) && entry.sound === sound);
    const { caller, id } = await givesUp(agent.uri, { takesRefer: false });
    const invite = await agent.calls.waitFor(() => true);
    // After that nothing is said: it rings.
    await hears('loud');
    agent.answer(invite);
    await agent.acked.waitFor(() => true);
    void caller.audio.play(noise());
    await agent.heard.waitFor(() => true);
    // Silence first, because noise right after the ringing would be no audible change.
    await hears('still');
    void agent.audio.play(noise());
    await hears('loud');
    await caller.press('123456');
    expect(agent.audio.events).toBe(0);
    await caller.hangUp();
    expect(await agent.ended.waitFor(() => true)).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row.return_mode).toBe('bridge');
    expect(row.return_sip_call_id).toBe(invite.dialog?.callId);
  });

  it('hangs up the caller when the agent hangs up', async () => {
    const agent = await harness.agent();
    const { caller, id } = await givesUp(agent.uri, { takesRefer: false });
    await agent.acked.waitFor(() => true);
    (await agent.calls.waitFor(() => true)).dialog?.bye();
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: 'bridge' });
  });

  it('is abandoned when the caller hangs up while the agent rings', async () => {
    const agent = await harness.agent((_agent, invite) => invite.respond(180));
    const { caller, id } = await givesUp(agent.uri, { takesRefer: false });
    const invite = await agent.calls.waitFor(() => true);
    const canceled = new Promise((resolve) => invite.once('cancel', resolve));
    await caller.hangUp();
    await canceled;
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: null });
  });

  it.each([
    ['is busy', (invite: { respond(status: number): void }) => invite.respond(486)],
    ['answers without a usable codec', (invite: { respond(status: number): void }) => invite.respond(200)],
    ['only rings', (invite: { respond(status: number): void }) => invite.respond(180)],
  ])('to an agent who %s ends with a goodbye', async (_how, take) => {
    const agent = await harness.agent((_agent, invite) => take(invite));
    const { caller, id } = await givesUp(agent.uri, { takesRefer: false });
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'canceled', return_mode: null });
    expect(stepsOf(row)).toContain('say goodbye');
  });

  it('is the only attempt in mode bridge', () =>
    withMode('bridge', async () => {
      const agent = await harness.agent();
      const { caller } = await givesUp(agent.uri);
      (await agent.calls.waitFor(() => true)).dialog?.bye();
      expect(await caller.ended()).toBe('remote');
      expect(caller.incidents.entries.some((item) => item.kind === 'request' && item.method === 'REFER')).toBe(false);
    }));
});

it.each(['https://example.com/thanks', '+15550199999'])(
  'return_to %s can not be reached by phone: goodbye',
  async (to) => {
    const { caller, id } = await givesUp(to, { takesRefer: false });
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: null });
  },
);

it('endings leave no media behind', async () => {
  // The last BYE of an endpoint is answered before its leg counts as ended.
  if (!external) await expect.poll(() => harness.engine.portsInUse()).toBe(0);
});

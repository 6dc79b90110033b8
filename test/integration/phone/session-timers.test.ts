/** Session timers (RFC 4028): offered to both sides, refreshed, and ending a call whose other side is gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerValue, type ServerTransaction } from '../../../src/local/softswitch/sip/index.ts';
import type { Agent } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const TIMER = { Supported: 'timer' };

let harness: PhoneHarness;

/** Answers an INVITE or re-INVITE, and agrees on this timer. */
function answerWith(agent: Agent, invite: ServerTransaction, sessionExpires: string): void {
  const body = agent.audio.answer(invite.request.body) ?? '';
  const headers = { 'Content-Type': 'application/sdp', 'Session-Expires': sessionExpires };
  invite.respond(200, { headers, body });
  invite.dialog?.once('ended', ({ by }) => agent.ended.push(by));
  invite.dialog?.once('ack', () => agent.acked.push('ack'));
}

describe('default session timers', () => {
  beforeAll(async () => {
    harness = await PhoneHarness.start();
  });
  afterAll(() => harness.close());

  async function dialed(headers: Record<string, string>) {
    const caller = await harness.caller();
    const answer = await caller.dial((await harness.checkout()).uri, { headers });
    if (answer.status === 200) await caller.hangUp();
    return [answer.status, ...['Session-Expires', 'Require', 'Min-SE'].map((name) => headerValue(answer, name))];
  }

  it('agree on half an hour with a caller who supports them, and on none with others', async () => {
    expect(await dialed(TIMER)).toEqual([200, '1800;refresher=uac', 'timer', undefined]);
    expect(await dialed({ ...TIMER, Require: 'timer' })).toEqual([200, '1800;refresher=uac', 'timer', undefined]);
    expect(await dialed({})).toEqual([200, undefined, undefined, undefined]);
  });

  it("accept the caller's shorter interval, longer minimum, and refresher", async () => {
    const headers = { ...TIMER, 'Session-Expires': '600;refresher=uas' };
    expect(await dialed(headers)).toEqual([200, '600;refresher=uas', 'timer', undefined]);
    const least = { ...TIMER, 'Session-Expires': '7200', 'Min-SE': '3600' };
    expect(await dialed(least)).toEqual([200, '3600;refresher=uac', 'timer', undefined]);
  });

  it('refuse an interval below 90 s with 422', async () => {
    expect(await dialed({ ...TIMER, 'Session-Expires': '60' })).toEqual([422, undefined, undefined, '90']);
  });

  it('are refreshed by a re-INVITE and by an UPDATE without an SDP', async () => {
    const { caller } = await harness.answered({}, { headers: TIMER });
    const headers = { ...TIMER, 'Session-Expires': '1800;refresher=uac' };
    const sdp = { 'Content-Type': 'application/sdp' };
    const body = caller.audio.offer();
    const again = await caller.dialog?.request({ method: 'INVITE', headers: { ...headers, ...sdp }, body }).final;
    const update = await caller.dialog?.request({ method: 'UPDATE', headers }).final;
    for (const answer of [again, update]) {
      expect(answer?.status).toBe(200);
      expect(answer && headerValue(answer, 'Session-Expires')).toBe('1800;refresher=uac');
      expect(answer && headerValue(answer, 'Require')).toBe('timer');
      expect(answer && headerValue(answer, 'Contact')).toContain('sip:');
    }
    expect(again?.body).toContain('m=audio');
    expect(update?.body).toBe('');
    const short = { ...TIMER, 'Session-Expires': '30;refresher=uac' };
    expect((await caller.dialog?.request({ method: 'UPDATE', headers: short }).final)?.status).toBe(422);
    await caller.hangUp();
  });

  it('are offered to the agent, who is called again with a longer minimum if needed', async () => {
    const agent = await harness.agent((self, invite) => {
      if (headerValue(invite.request, 'Session-Expires') === '3600;refresher=uac') self.answer(invite);
      else invite.respond(422, { headers: { 'Min-SE': '3600' } });
    });
    const { caller } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
    await caller.press('**');
    await agent.acked.waitFor(() => true);
    const offered = agent.calls.entries.map(({ request }) =>
      ['Session-Expires', 'Min-SE', 'Supported'].map((name) => headerValue(request, name)),
    );
    expect(offered).toEqual([
      ['1800;refresher=uac', '90', 'timer'],
      ['3600;refresher=uac', '3600', 'timer'],
    ]);
    await caller.hangUp();
  });

  it('do not call an agent with ever longer minimums forever', async () => {
    let seconds = 3_600;
    const agent = await harness.agent((_self, invite) => {
      seconds += 100;
      invite.respond(422, { headers: { 'Min-SE': `${seconds}` } });
    });
    const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
    await caller.press('**');
    expect(await caller.ended()).toBe('remote');
    expect(stepsOf(await harness.endedCall(id))).toContain('bridge failed 422');
    expect(agent.calls.entries).toHaveLength(2);
  });
});

/** drachtio-server accepts no timer below 90 s. */
describe.skipIf(external)('short session timers', () => {
  beforeAll(async () => {
    const sessionTimer = { intervalSeconds: 2, minSeconds: 1 };
    harness = await PhoneHarness.start({ engine: { minSessionSeconds: 1 }, sessionTimer });
  });
  afterAll(() => harness.close());

  it('hang up a caller who never refreshes, and record the call', async () => {
    const { caller, id } = await harness.answered({}, { headers: TIMER });
    expect(await caller.ended()).toBe('remote');
    expect(stepsOf(await harness.endedCall(id))).toContain('session timer expired');
  });

  it.each(['INVITE', 'UPDATE'])('wait longer after an %s', async (method) => {
    const { caller, id } = await harness.answered({}, { headers: TIMER });
    const headers = { ...TIMER, 'Session-Expires': '4;refresher=uac', 'Content-Type': 'application/sdp' };
    await caller.dialog?.request({ method, headers, body: caller.audio.offer() }).final;
    expect(await caller.ended()).toBe('remote');
    const { timeline } = await harness.endedCall(id);
    const at = (step: string) => timeline.find((item) => item.step === step)?.at_ms ?? Number.NaN;
    // Not after the earlier two seconds. A busy process records the answer some time after the timer has started.
    expect(at('session timer expired') - at('answered')).toBeGreaterThan(3_000);
  });

  it('make us refresh with an unchanged SDP if we are the refresher', async () => {
    const headers = { ...TIMER, 'Session-Expires': '2;refresher=uas' };
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const answer = await caller.dial(uri, { headers });
    const { request } = await caller.requested('INVITE');
    expect(headerValue(request, 'Session-Expires')).toBe('2; refresher=uac');
    expect(request.body).toBe(answer.body);
    await caller.hangUp();
    expect(stepsOf(await harness.endedCall(id))).toContain('caller hung up');
  });

  it('hang up a caller who refuses our refresh', async () => {
    const headers = { ...TIMER, 'Session-Expires': '2;refresher=uas' };
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    caller.takesOffers = false;
    await caller.dial(uri, { headers });
    expect(await caller.ended()).toBe('remote');
    expect(stepsOf(await harness.endedCall(id))).toContain('session timer expired');
  });

  it('refresh the agent, or hang up if the agent does not refresh', async () => {
    let refreshes = 0;
    const agent = await harness.agent((self, invite) => {
      const isRefresh = self.acked.entries.length > 0;
      if (isRefresh) refreshes += 1;
      answerWith(self, invite, `2;refresher=${isRefresh ? 'uas' : 'uac'}`);
    });
    const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
    await caller.press('**');
    expect(await agent.ended.waitFor(() => true)).toBe('remote');
    expect(refreshes).toBe(1);
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row.return_mode).toBe('bridge');
    expect(stepsOf(row)).toContain('agent lost');
  });
});

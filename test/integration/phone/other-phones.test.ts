/** Real phones: holds, suppressed silence, and session descriptions and requests that few phones send. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { audioSessions, type Caller, isLoud } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

/** Longer than half a minute, the former limit of calls without RTP on either engine. */
const SILENCE_MS = 33_000;

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

const SDP = { 'Content-Type': 'application/sdp' };

/** Sends a re-INVITE with this direction. @returns the answer's status and body */
async function reinvite(caller: Caller, direction: string): Promise<{ status: number; body: string }> {
  const body = caller.audio.offer().replace('a=sendrecv', `a=${direction}`);
  const answer = await caller.dialog?.request({ method: 'INVITE', headers: SDP, body }).final;
  return { status: answer?.status ?? 0, body: answer?.body ?? '' };
}

/** A caller on a bridge to an agent. */
async function bridged() {
  const agent = await harness.agent();
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  await agent.acked.waitFor(() => true);
  await expect.poll(() => harness.call(id)).toMatchObject({ return_mode: 'bridge' });
  return { caller, id };
}

it(
  'a bridge outlasts a caller who sends no sound: on hold, muted, or with silence suppressed',
  async () => {
    const [held, muted] = await Promise.all([bridged(), bridged()]);
    expect((await reinvite(held.caller, 'sendonly')).status).toBe(200);
    for (const { caller } of [held, muted]) caller.audio.close();
    await delay(SILENCE_MS);
    for (const { caller, id } of [held, muted]) {
      expect(caller.incidents.entries.filter(({ kind }) => kind === 'ended')).toEqual([]);
      await caller.hangUp();
      expect(stepsOf(await harness.endedCall(id))).toContain('caller hung up');
    }
  },
  SILENCE_MS + 20_000,
);

describe('a caller', () => {
  it('may put the line on hold, and then hears the question again', async () => {
    const { caller, id } = await harness.answered();
    await caller.nextSound();
    const hold = await reinvite(caller, 'sendonly');
    expect([hold.status, hold.body]).toEqual([200, expect.stringContaining('a=recvonly')]);
    expect((await reinvite(caller, 'sendrecv')).status).toBe(200);
    await harness.keyCard(caller);
    const row = await harness.endedCall(id);
    expect(row.outcome).toBe('succeeded');
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['on hold', 'back from hold']));
  });

  it('may move its audio to another address right after the ACK', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const { promise: heardThere, resolve } = deferred<void>();
    const there = await audioSessions.openSession((samples) => isLoud(samples) && resolve());
    const invite = caller.sendInvite(uri);
    expect((await invite.final).status).toBe(200);
    // The ACK and the re-INVITE reach the app together.
    harness.drachtioProxy.stall();
    const moving = invite.dialog?.request({ method: 'INVITE', headers: SDP, body: there.offer() });
    // The SIP server answers this one itself, after reading the earlier ones.
    expect((await caller.sip.request({ method: 'UPDATE', uri }).final).status).toBe(481);
    harness.drachtioProxy.restore();
    const moved = await moving?.final;
    expect(moved?.status).toBe(200);
    // Sends no audio, from which the engine would learn the address.
    there.connect(moved?.body.replace('a=sendrecv', 'a=sendonly') ?? '');
    await heardThere;
    await invite.dialog?.bye().final;
    there.close();
    await harness.endedCall(id);
  });

  it('whose audio must go to a host name gets 488, and the session stays free', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const body = caller.audio.offer().replace('c=IN IP4 127.0.0.1', 'c=IN IP4 localhost');
    const answer = await caller.dial(uri, { body });
    expect([answer.status, headerValue(answer, 'Warning')]).toEqual([488, expect.stringMatching(/^301 /)]);
    await harness.endedCall(id);
    const again = await harness.caller();
    expect((await again.dial(uri)).status).toBe(200);
    await again.nextSound();
    const moved = await again.dialog?.request({ method: 'INVITE', headers: SDP, body }).final;
    expect(moved?.status).toBe(488);
    await again.hangUp();
    await harness.endedCall(id);
  });

  it('with Opus alone is answered if the engine has it, and Opus is removed if G.711 is offered', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const offer = (types: string) =>
      caller.audio.offer().replace('AVP 0 8 101', `AVP ${types} 101\r\na=rtpmap:111 opus/48000/2`);
    const beside = await caller.dial(uri, { body: offer('111 8') });
    expect([beside.status, beside.body]).toEqual([200, expect.stringMatching(/^m=audio \d+ RTP\/AVP 8 101\r$/m)]);
    await caller.hangUp();
    await harness.endedCall(id);
    const { uri: next } = await harness.checkout();
    const other = await harness.caller();
    const alone = await other.dial(next, { body: offer('111') });
    expect([alone.status, /opus/i.test(alone.body)]).toEqual(external ? [200, true] : [488, false]);
    if (external) await other.hangUp();
  });

  it('cannot transfer us: a REFER gets 405, a call with Replaces 420', async () => {
    const { caller, id } = await harness.answered();
    const headers = { 'Refer-To': '<sip:somebody@127.0.0.1>' };
    const refused = await caller.dialog?.request({ method: 'REFER', headers }).final;
    expect(refused?.status).toBe(405);
    expect(refused && headerValue(refused, 'Allow')).not.toMatch(/REFER/);
    const other = await harness.caller();
    const replaces = `${caller.dialog?.callId};to-tag=${caller.dialog?.remoteTag};from-tag=${caller.dialog?.localTag}`;
    const { uri } = await harness.checkout();
    const answer = await other.dial(uri, { headers: { Require: 'replaces', Replaces: replaces } });
    expect([answer.status, headerValue(answer, 'Unsupported')]).toEqual([420, 'replaces']);
    await caller.hangUp();
    await harness.endedCall(id);
  });
});

it('an OPTIONS gets our capabilities, outside a call and in one', async () => {
  const { caller, id } = await harness.answered();
  const outside = await caller.sip.request({ method: 'OPTIONS', uri: harness.uri('anybody') }).final;
  const inside = await caller.dialog?.request({ method: 'OPTIONS' }).final;
  for (const answer of [outside, inside]) {
    expect(answer?.status).toBe(200);
    expect(answer && headerValue(answer, 'Allow')).toMatch(/INVITE.*BYE/);
    expect(answer && headerValue(answer, 'Accept')).toBe('application/sdp');
  }
  await caller.hangUp();
  await harness.endedCall(id);
});

/** Bodies that are not, or not only, an SDP: SIP-I, locations, text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerValue, type ServerTransaction } from '../../../src/local/softswitch/sip/index.ts';
import type { Agent } from './caller-and-agent.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

const MULTIPART = { 'Content-Type': 'multipart/mixed;boundary="unique-boundary-1"' };
const TEXT = { 'Content-Type': 'text/plain' };

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** As in SIP-I (ITU-T Q.1912.5) and RFC 6442: ISUP before the SDP, a location after it. */
function multipart(sdp: string): string {
  const parts = [
    'Content-Type: application/ISUP;version=itu-t92+;base=itu-t92+\r\nContent-Disposition: signal;handling=required\r\n\r\n\u0001\u0010\u0049',
    `Content-Type: application/sdp\r\nContent-Disposition: session\r\n\r\n${sdp}`,
    'Content-Type: application/pidf+xml\r\n\r\n<presence/>',
  ];
  return `${parts.map((part) => `--unique-boundary-1\r\n${part}\r\n`).join('')}--unique-boundary-1--\r\n`;
}

describe('a multipart body', () => {
  it('of an INVITE or a re-INVITE is searched for its SDP, and the caller pays', async () => {
    const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
    const caller = await harness.caller();
    const offer = multipart(caller.audio.offer());
    expect((await caller.dial(uri, { headers: MULTIPART, body: offer })).status).toBe(200);
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    const again = multipart(caller.audio.offer());
    const answer = await caller.dialog?.request({ method: 'INVITE', headers: MULTIPART, body: again }).final;
    expect([answer?.status, /^m=audio [1-9]/m.test(answer?.body ?? '')]).toEqual([200, true]);
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });

  it('of an ACK to an INVITE without an offer is searched for its SDP', async () => {
    const { uri } = await harness.checkout();
    const caller = await harness.caller();
    const invite = caller.sendInvite(uri, { body: null });
    const answer = await invite.final;
    const sdp = caller.audio.answer(answer.body) ?? '';
    if (invite.dialog) caller.follow(invite.dialog);
    invite.dialog?.ack({ headers: MULTIPART, body: multipart(sdp) });
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.hangUp();
  });

  it("of the agent's answer is searched for its SDP, and both hear each other", async () => {
    const agent = await harness.agent((it, call) => answerInParts(it, call));
    const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
    await caller.press('**');
    await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ return_mode: 'bridge' });
  });
});

function answerInParts(agent: Agent, call: ServerTransaction): void {
  call.respond(200, { headers: MULTIPART, body: multipart(agent.audio.answer(call.request.body) ?? '') });
}

describe('a body without an SDP', () => {
  it.each([
    ['text', TEXT, 'hello'],
    ['ISUP alone', { 'Content-Type': 'application/ISUP' }, '\u0001\u0010'],
    [
      'parts without one',
      MULTIPART,
      '--unique-boundary-1\r\nContent-Type: text/plain\r\n\r\nhi\r\n--unique-boundary-1--',
    ],
  ])('of an INVITE (%s) gets 415 with the accepted types', async (_what, headers, body) => {
    const { uri } = await harness.checkout();
    const caller = await harness.caller();
    const answer = await caller.dial(uri, { headers, body });
    expect([answer.status, headerValue(answer, 'Accept')]).toEqual([415, 'application/sdp']);
  });

  it('of a re-INVITE gets 415, and the call continues', async () => {
    const { caller } = await harness.answered();
    const answer = await caller.dialog?.request({ method: 'INVITE', headers: TEXT, body: 'hello' }).final;
    expect([answer?.status, answer && headerValue(answer, 'Accept')]).toEqual([415, 'application/sdp']);
    await caller.nextSound();
    await caller.hangUp();
  });

  it('that claims to be one gets 488', async () => {
    const { uri } = await harness.checkout();
    const caller = await harness.caller();
    expect((await caller.dial(uri, { body: 'hello' })).status).toBe(488);
  });
});

/** With RINGKEY_SRTP=required: SRTP keys by SIP in the clear protect nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const KEYS = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}`;

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ refusesOpenKeys: true });
});
afterAll(() => harness.close());

it.each(['udp', 'tcp'])('an INVITE with SRTP keys over %s gets 488 with the reason', async (transport) => {
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  const body = `${caller.audio.offer().replace('RTP/AVP', 'RTP/SAVP')}${KEYS}\r\n`;
  const answer = await caller.dial(`${uri};transport=${transport}`, { body });
  expect(answer.status).toBe(488);
  expect(headerValue(answer, 'Warning')).toMatch(/^305 ringkey "Keys for the audio must come by SIP over TLS/);
});

it('an INVITE without an offer gets 488, too, because our offer would expose the keys', async () => {
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  const invite = caller.sendInvite(uri, { body: null });
  expect((await invite.final).status).toBe(488);
});

it('a re-INVITE with SRTP keys gets 488', async () => {
  const { caller } = await harness.answered();
  const body = `${caller.audio.offer()}${KEYS}\r\n`;
  const headers = { 'Content-Type': 'application/sdp' };
  const answer = await caller.dialog?.request({ method: 'INVITE', headers, body }).final;
  expect([answer?.status, answer && headerValue(answer, 'Warning')]).toEqual([
    488,
    expect.stringContaining('SIP over TLS'),
  ]);
  await caller.hangUp();
});

it("an agent's answer with SRTP keys ends the call to the agent, and no audio is joined", async () => {
  const agent = await harness.agent((it, call) => {
    const body = `${it.audio.answer(call.request.body) ?? ''}${KEYS}\r\n`;
    call.respond(200, { headers: { 'Content-Type': 'application/sdp' }, body });
    call.dialog?.once('ended', ({ by }) => it.ended.push(by));
  });
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  expect(await agent.ended.waitFor(() => true)).toBe('remote');
  expect(await caller.ended()).toBe('remote');
  const row = await harness.endedCall(id);
  expect(row).toMatchObject({ return_mode: null });
  expect(stepsOf(row)).toContain('bridge failed 488');
});

it("an agent's answer without keys is bridged", async () => {
  const agent = await harness.agent();
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
  await caller.hangUp();
  await harness.endedCall(id);
});

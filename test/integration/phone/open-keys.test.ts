/** With RINGKEY_SRTP=required: keys for the audio that travel by SIP in the clear protect nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { PhoneHarness } from './phone-harness.ts';

const KEYS = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}`;

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ refusesOpenKeys: true });
});
afterAll(() => harness.close());

it.each(['udp', 'tcp'])('an INVITE that brings them over %s gets 488, which says why', async (transport) => {
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  const body = `${caller.audio.offer().replace('RTP/AVP', 'RTP/SAVP')}${KEYS}\r\n`;
  const answer = await caller.dial(`${uri};transport=${transport}`, { body });
  expect(answer.status).toBe(488);
  expect(headerValue(answer, 'Warning')).toMatch(/^305 ringkey "Keys for the audio must come by SIP over TLS/);
});

it('one without an offer does, too: our offer would send them the same way', async () => {
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  const invite = caller.sendInvite(uri, { body: null });
  expect((await invite.final).status).toBe(488);
});

it('so does a re-INVITE', async () => {
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

/**
 * Encryption on the phone: complete payments by SIP over TLS and SRTP, and refused calls, for each RINGKEY_SRTP. Only
 * on real engines whose SIP server accepts TLS: `RINGKEY_TEST_TLS_PORT`, and `RINGKEY_TEST_TLS_CA`, the file of the
 * authority that signed its certificate.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { waitForEndedCall, waitForSettledCharges } from '../support/checkouts.ts';
import { EncryptedAudioSessions } from '../support/encrypted-audio.ts';
import { runFreeswitchCommand } from '../support/event-socket.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { cardKeys } from '../support/sipp-calls.ts';
import { TestCaller, type TestCallerOptions } from '../support/test-caller.ts';
import { startTlsTunnel, type TlsTunnel } from '../support/tls-tunnel.ts';

const { RINGKEY_ENGINE, RINGKEY_TEST_TLS_PORT: tlsPort = '', RINGKEY_TEST_TLS_CA: authority = '' } = process.env;
const canRun = RINGKEY_ENGINE === 'external' && tlsPort !== '';
const HOST = '127.0.0.1';

vi.setConfig({ testTimeout: 75_000 });

/** The call of one test, with a separate tunnel and caller. */
interface Call {
  caller: TestCaller;
  tunnel: TlsTunnel;
  audio: EncryptedAudioSessions;
}

let product: TestProduct;
const closers: (() => Promise<void>)[] = [];

async function newCall(audio: 'encrypted' | 'plain', options: TestCallerOptions = {}): Promise<Call> {
  const tunnel = await startTlsTunnel({ host: HOST, port: Number(tlsPort), ca: readFileSync(authority, 'utf8') });
  const sessions = new EncryptedAudioSessions();
  const caller = await TestCaller.create(product, {
    uriOf: tunnel.uriOf,
    ...(audio === 'encrypted' && { audio: sessions }),
    ...options,
  });
  closers.push(() => caller.close(), tunnel.close);
  return { caller, tunnel, audio: sessions };
}

/** A caller with encrypted audio follows a REFER only to such an agent. */
const encryptedAgent = () => ({ agentAudio: new EncryptedAudioSessions() });

/** Enters the card during the greeting and the questions, until the card is charged. */
async function keysTheCard({ caller }: Call): Promise<void> {
  await caller.dial();
  await caller.press(cardKeys('visa'));
  expect(await caller.outcomeHeaders()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
}

/** The caller hears the line, enters a card, hears the result and returns to the agent. */
async function pays(call: Call): Promise<void> {
  const { caller } = call;
  await keysTheCard(call);
  await caller.over;
  expect(caller.heard.join(' ')).toMatch(/Your payment went through/);
  const { testDatabase } = product;
  expect(await waitForSettledCharges(testDatabase, caller.checkout.id)).toMatchObject([{ status: 'succeeded' }]);
  await waitForEndedCall(testDatabase, caller.checkout.id);
}

/** Expects a refusal with 488 and a Warning with the reason. */
async function isRefused({ caller, tunnel }: Call): Promise<void> {
  await expect(caller.dial()).rejects.toThrow('488');
  expect(sent(tunnel, 'SIP/2.0 488')).toMatch(/^Warning: 305 ringkey "Encryption of the audio/m);
}

/** The first message over TLS that starts with `start`. */
function sent(tunnel: TlsTunnel, start: string): string {
  return tunnel.messages.find((text) => text.startsWith(start)) ?? '';
}

/** Expects that all media was encrypted with the keys of the SDP. */
function expectOnlyEncrypted({ audio, tunnel }: Call): void {
  expect(tunnel.protocol).toMatch(/^TLSv1\.[23]$/);
  expect(sent(tunnel, 'SIP/2.0 200')).toMatch(
    /^m=audio \d+ RTP\/SAVP .*\r\n(?:.*\r\n)*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/m,
  );
  expect(audio.packets.decrypted).toBeGreaterThan(200);
  expect(audio.packets.refused).toBe(0);
}

/** Starts the product for the tests of a `describe`, with the media server configured as by FREESWITCH_SRTP. */
function useLine(srtp: 'forbidden' | 'optional' | 'required', scheme: 'sip' | 'sips'): void {
  const domain = { sip: `${HOST}:${tlsPort};transport=tls`, sips: `${HOST}:${tlsPort}` }[scheme];
  let before = '';
  beforeAll(async () => {
    before = await runFreeswitchCommand('global_getvar rtp_secure_media');
    await runFreeswitchCommand(`global_setvar rtp_secure_media=${srtp === 'required' ? 'mandatory' : srtp}`);
    const sip = { RINGKEY_SIP_SCHEME: scheme, RINGKEY_SIP_DOMAIN: domain };
    product = await startProduct({ RINGKEY_SRTP: srtp, RINGKEY_SYNTHESIZER: 'none', ...sip });
  });
  afterAll(async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
    await product.close();
    await runFreeswitchCommand(`global_setvar rtp_secure_media=${before}`);
  });
}

describe.runIf(canRun)('a caller over TLS', () => {
  describe('with RINGKEY_SRTP=required and sips:', () => {
    useLine('required', 'sips');

    test.concurrent('pays, and follows a REFER', async () => {
      const call = await newCall('encrypted', encryptedAgent());
      expect(call.caller.checkout.transferTo).toMatch(/^sips:[^;]+$/);
      await pays(call);
      expectOnlyEncrypted(call);
      expect(sent(call.tunnel, 'SIP/2.0 200')).toMatch(/^Contact: <sips:/m);
      expect(sent(call.tunnel, 'REFER sips:')).toMatch(/^Refer-To: <sip:agent@/m);
    });

    test.concurrent('pays at the same time as four others, without losing keys', async () => {
      const calls = await Promise.all(Array.from({ length: 4 }, () => newCall('encrypted', encryptedAgent())));
      await Promise.all(calls.map(keysTheCard));
      for (const call of calls) expectOnlyEncrypted(call);
    });

    test.concurrent('is refused with plain audio', async () => isRefused(await newCall('plain')));

    test.concurrent('hears the result and is not bridged to the agent if its side takes no REFER', async () => {
      const call = await newCall('encrypted', { takesRefer: false, ...encryptedAgent() });
      const { caller } = call;
      await caller.dial();
      await caller.press(cardKeys('visa'));
      await caller.over;
      expect(caller.heard.join(' ')).toMatch(/Your payment went through/);
      expect(caller.heard).not.toContain('(the agent)');
      const { testDatabase } = product;
      expect(await waitForSettledCharges(testDatabase, caller.checkout.id)).toMatchObject([{ status: 'succeeded' }]);
      const { steps } = await waitForEndedCall(testDatabase, caller.checkout.id);
      expect(steps).toContain('bridge failed encryption');
      expectOnlyEncrypted(call);
    });
  });

  describe('with RINGKEY_SRTP=optional and ;transport=tls', () => {
    useLine('optional', 'sip');

    test.concurrent.each(['encrypted', 'plain'] as const)(
      'pays with %s audio, and is bridged to an agent whose audio is plain',
      async (audio) => {
        const call = await newCall(audio, { takesRefer: false });
        expect(call.caller.checkout.transferTo).toMatch(/^sip:.*;transport=tls$/);
        await pays(call);
        expect(call.caller.heard).toContain('(the agent)');
        expect(sent(call.tunnel, 'SIP/2.0 200')).toMatch(/^Contact: <sip:/m);
        if (audio === 'encrypted') expectOnlyEncrypted(call);
        else expect(sent(call.tunnel, 'SIP/2.0 200')).toMatch(/^m=audio \d+ RTP\/AVP /m);
      },
    );
  });

  describe('with RINGKEY_SRTP=forbidden', () => {
    useLine('forbidden', 'sip');

    test.concurrent('pays with plain audio', async () => pays(await newCall('plain')));

    test.concurrent('is refused with encrypted audio', async () => isRefused(await newCall('encrypted')));
  });
});

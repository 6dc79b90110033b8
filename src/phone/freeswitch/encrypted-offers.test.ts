import { describe, expect, it } from 'vitest';
import { audioOffered, EncryptedOffers, offerOfAnswer, withoutIdleKeys } from './encrypted-offers.ts';

const HEAD = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n';
const CRYPTO = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n';

describe('audioOffered', () => {
  it.each([
    ['m=audio 4000 RTP/AVP 0\r\n', true, false],
    [`m=audio 4000 RTP/SAVP 0\r\n${CRYPTO}`, false, true],
    [`m=audio 4000 RTP/SAVP 0\r\n${CRYPTO}m=audio 4002 RTP/AVP 0\r\n`, true, true],
    ['m=audio 4000 RTP/SAVP 0\r\n', false, false],
    ['m=audio 4000 UDP/TLS/RTP/SAVPF 0\r\na=fingerprint:sha-256 00\r\n', false, false],
    [`m=audio 0 RTP/SAVP 0\r\n${CRYPTO}m=audio 4002 RTP/AVP 0\r\n`, true, false],
    [`m=audio 4000 RTP/AVP 0\r\nm=video 4002 RTP/SAVP 96\r\n${CRYPTO}`, true, false],
  ])('reads %j as plain %s, encrypted %s', (media, plain, sdes) => {
    expect(audioOffered(HEAD + media)).toEqual({ plain, sdes });
  });
});

it('removes keys from plain audio, and keeps them for encrypted audio', () => {
  const plain = 'm=audio 4000 RTP/AVP 0\r\na=ptime:20\r\n';
  const encrypted = `m=audio 4000 RTP/SAVP 0\r\n${CRYPTO}`;
  expect(withoutIdleKeys(`${HEAD}${plain}${CRYPTO}${encrypted}`)).toBe(HEAD + plain + encrypted);
  expect(withoutIdleKeys(HEAD + plain)).toBe(HEAD + plain);
});

it('turns the answer to the placeholder into an offer of both codecs', () => {
  const rest = 'a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
  const offer = offerOfAnswer(`${HEAD}m=audio 4000 RTP/AVP 0 101\r\n${rest}`);
  expect(offer).toBe(`${HEAD}m=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:8 PCMA/8000\r\n${rest}`);
});

it('an INVITE gets its hidden offer once, and no header of ours', async () => {
  const sent: unknown[] = [];
  const offers = new EncryptedOffers();
  const srf = offers.wrap({
    createUAC: (_uri: string, options: object) => Promise.resolve(sent.push(options)),
  }) as { createUAC(uri: string, options: object): Promise<unknown> };
  const headers = { 'User-Agent': 'x', ...offers.hide('v=0 offer') };
  await srf.createUAC('sip:a@b', { headers });
  await srf.createUAC('sip:a@b', { headers });
  expect(sent[0]).toEqual({ headers: { 'User-Agent': 'x' }, localSdp: 'v=0 offer' });
  expect(sent[1]).toEqual({ headers });
});

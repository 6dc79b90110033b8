import { describe, expect, it } from 'vitest';
import { digitInInfo } from './dtmf-info.ts';
import { readSdp, SdpSession } from './sdp.ts';

const sdp = (...media: string[]): string =>
  ['v=0', 'o=x 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...media, ''].join('\r\n');

const SIPP = sdp(
  'm=audio 26050 RTP/AVP 8 0 96',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:96 telephone-event/8000',
  'a=fmtp:96 0-16',
);

describe('a session description', () => {
  it('has a media address, a first common codec and a payload type for events', () => {
    expect(readSdp(SIPP)).toMatchObject({
      address: '192.0.2.1',
      port: 26050,
      codec: 'PCMA',
      codecs: ['PCMA', 'PCMU'],
      telephoneEvent: 96,
      direction: 'sendrecv',
    });
  });

  it('of a phone with wide-band codecs is read with events at 8 kHz', () => {
    const wide = sdp(
      'm=audio 4000 RTP/AVP 111 0 110 126',
      'a=rtpmap:111 opus/48000/2',
      'a=rtpmap:110 telephone-event/48000',
      'a=rtpmap:126 telephone-event/8000',
    );
    expect(readSdp(wide)).toMatchObject({ codec: 'PCMU', telephoneEvent: 126 });
  });

  it('that offers events only at 48 kHz is answered with events at 48 kHz', () => {
    const offer = readSdp(sdp('m=audio 4000 RTP/AVP 0 110', 'a=rtpmap:110 telephone-event/48000'));
    expect(offer).toMatchObject({ telephoneEvent: 110, telephoneEventRate: 48_000 });
    if (offer) expect(new SdpSession().answer('127.0.0.1', 20_000, offer)).toContain('110 telephone-event/48000');
  });

  it('may have its address and direction in the stream’s section', () => {
    const held = sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 192.0.2.9', 'a=sendonly');
    expect(readSdp(held)).toMatchObject({ address: '192.0.2.9', direction: 'sendonly', telephoneEvent: null });
  });

  it.each([
    ['no codec of ours', sdp('m=audio 4000 RTP/AVP 18 101')],
    ['encrypted audio only', sdp('m=audio 4000 RTP/SAVP 0')],
    ['video only', sdp('m=video 4000 RTP/AVP 96')],
    ['no media at all', sdp()],
    ['a host name', sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 media.example.com')],
    ['garbage', 'hello\r\n\r\nworld'],
    ['too much of it', sdp('m=audio 4000 RTP/AVP 0', ...Array(10_000).fill('a=x-padding:1'))],
  ])('is refused with %s', (_name, text) => {
    expect(readSdp(text)).toBeNull();
  });

  it('is answered with one codec, the peer’s payload type, and every other stream refused', () => {
    const offer = readSdp(
      sdp('m=audio 5000 RTP/SAVP 0', 'm=audio 4000 RTP/AVP 8 0 97', 'a=rtpmap:97 telephone-event/8000', 'a=sendonly'),
    );
    if (!offer) throw new Error('The offer was refused');
    const answer = new SdpSession().answer('127.0.0.1', 20_000, offer);
    expect(answer).toContain('m=audio 0 RTP/SAVP 0\r\nm=audio 20000 RTP/AVP 8 97\r\n');
    expect(answer).toContain('a=rtpmap:97 telephone-event/8000\r\na=fmtp:97 0-15\r\na=ptime:20\r\na=recvonly\r\n');
    expect(readSdp(answer)).toMatchObject({ codec: 'PCMA', port: 20_000, mediaIndex: 1 });
  });

  it('has a new version in each answer', () => {
    const session = new SdpSession();
    const versions = [session.offer('127.0.0.1', 2), session.offer('127.0.0.1', 2)].map((text) =>
      /o=\S+ (\d+) (\d+)/.exec(text),
    );
    expect(versions[0]?.[1]).toBe(versions[1]?.[1]);
    expect(Number(versions[1]?.[2])).toBe(Number(versions[0]?.[2]) + 1);
  });
});

describe('a digit in INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', { key: '5', durationSamples: 1280 }],
    ['application/dtmf-relay', 'Signal= *\r\nDuration= 100', { key: '*', durationSamples: 800 }],
    ['application/dtmf-relay; charset=utf-8', 'signal=11', { key: '#', durationSamples: 2000 }],
    ['application/dtmf', '7', { key: '7', durationSamples: 2000 }],
    ['application/dtmf', 'd\r\n', { key: 'D', durationSamples: 2000 }],
  ])('%s %j', (type, body, digit) => {
    expect(digitInInfo(type, body)).toEqual(digit);
  });

  it.each([
    ['application/dtmf-relay', 'Signal=flash'],
    ['application/dtmf-relay', ''],
    ['application/dtmf', '16'],
    ['application/dtmf', '12345'],
    ['text/plain', '5'],
  ])('is not in %s %j', (type, body) => {
    expect(digitInInfo(type, body)).toBeNull();
  });
});

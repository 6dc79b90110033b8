import { describe, expect, it } from 'vitest';
import { isOnHold, namesHost, withoutNeedlessOpus } from './session-description.ts';

const sdp = (...lines: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 pbx.example.com', 's=-', 't=0 0', ...lines, ''].join('\r\n');
const CONNECTION = 'c=IN IP4 192.0.2.1';
const AUDIO = 'm=audio 4000 RTP/AVP 0';

describe('isOnHold', () => {
  it.each([
    ['sendonly', sdp(CONNECTION, AUDIO, 'a=sendonly')],
    ['inactive', sdp(CONNECTION, AUDIO, 'a=inactive')],
    ['inactive as a whole', sdp(CONNECTION, 'a=inactive', AUDIO)],
    ['at address 0.0.0.0', sdp('c=IN IP4 0.0.0.0', AUDIO)],
    ['with audio at 0.0.0.0', sdp(CONNECTION, AUDIO, 'c=IN IP4 0.0.0.0')],
  ])('is true for a phone that is %s', (_how, text) => {
    expect(isOnHold(text)).toBe(true);
  });

  it.each([
    ['without a direction', sdp(CONNECTION, AUDIO)],
    ['that only listens', sdp(CONNECTION, AUDIO, 'a=recvonly')],
    ['with audio in both directions', sdp(CONNECTION, 'a=sendonly', AUDIO, 'a=sendrecv')],
    ['with video on hold', sdp(CONNECTION, AUDIO, 'm=video 4002 RTP/AVP 96', 'a=inactive')],
    ['without an SDP', ''],
  ])('is false for a phone %s', (_how, text) => {
    expect(isOnHold(text)).toBe(false);
  });
});

describe('the address of the sound', () => {
  it('may be an IPv4 or IPv6 address, with a multicast scope', () => {
    const addresses = ['c=IN IP4 192.0.2.1', 'c=IN IP6 2001:db8::1', 'c=IN IP4 224.2.1.1/127', 'c=IN IP4 0.0.0.0'];
    expect(addresses.map((line) => namesHost(sdp(line, AUDIO)))).toEqual([false, false, false, false]);
    expect(namesHost('')).toBe(false);
  });

  it('may be a host name, of the session or of one stream', () => {
    expect(namesHost(sdp('c=IN IP4 localhost', AUDIO))).toBe(true);
    expect(namesHost(sdp(CONNECTION, AUDIO, 'c=IN IP4 sbc.example.com'))).toBe(true);
    expect(namesHost(sdp('c=IN IP4 192.0.2.1.example.com', AUDIO))).toBe(true);
  });
});

describe('Opus', () => {
  const maps = ['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 useinbandfec=1', 'a=rtpmap:110 telephone-event/48000'];

  it('is removed if there is G.711', () => {
    expect(withoutNeedlessOpus(sdp(CONNECTION, 'm=audio 4000 RTP/AVP 111 110 8', ...maps))).toBe(
      sdp(CONNECTION, 'm=audio 4000 RTP/AVP 110 8', 'a=rtpmap:110 telephone-event/48000'),
    );
    expect(withoutNeedlessOpus(sdp('m=audio 4000 RTP/AVP 0 111', ...maps))).not.toMatch(/opus|AVP 0 111/);
  });

  it('stays if there is no other codec, and in other streams', () => {
    const alone = sdp(CONNECTION, 'm=audio 4000 RTP/AVP 111 110', ...maps, 'm=video 4002 RTP/AVP 96 0');
    expect(withoutNeedlessOpus(alone)).toBe(alone);
    expect(withoutNeedlessOpus('')).toBe('');
  });
});

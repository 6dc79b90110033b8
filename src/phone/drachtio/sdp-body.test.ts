import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sdpOf } from './sdp-body.ts';

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';
const ISUP = 'Content-Type: application/ISUP;version=itu-t92+\r\nContent-Disposition: signal;handling=optional';
const PART = `Content-Type: application/sdp\r\nContent-Disposition: session`;

const multipart = (boundary: string, ...parts: string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

describe('the session description', () => {
  it('is the body of type application/sdp', () => {
    expect(sdpOf(SDP, 'application/sdp')).toBe(SDP);
    expect(sdpOf(SDP, 'Application/SDP ;charset=utf-8')).toBe(SDP);
    expect(sdpOf(SDP, undefined)).toBe(SDP);
    expect(sdpOf('', undefined)).toBe('');
    expect(sdpOf('', 'text/plain')).toBe('');
  });

  it.each([
    ['beside ISUP, as in SIP-I', multipart('b1', `${ISUP}\r\n\r\n\u0001\u0010`, `${PART}\r\n\r\n${SDP}`)],
    [
      'before a PIDF location',
      multipart('b1', `${PART}\r\n\r\n${SDP}`, 'Content-Type: application/pidf+xml\r\n\r\n<x/>'),
    ],
    ['after a preamble', `for old readers\r\n${multipart('b1', `${PART}\r\n\r\n${SDP}`)}`],
    ['in a body whose end is lost', `--b1\r\n${PART}\r\n\r\n${SDP}`],
  ])('is taken from a multipart body %s', (_where, body) => {
    for (const type of ['multipart/mixed;boundary=b1', 'multipart/related; type="application/sdp"; boundary="b1"'])
      expect(sdpOf(body, type)?.trimEnd()).toBe(SDP.trimEnd());
  });

  it('is found without the type, too, by the first boundary', () => {
    expect(sdpOf(multipart('b 1'.replace(' ', ''), `${PART}\r\n\r\n${SDP}`), undefined)?.trimEnd()).toBe(SDP.trimEnd());
  });

  it.each([
    ['text', 'hello', 'text/plain'],
    ['a multipart body without one', multipart('b1', `${ISUP}\r\n\r\nx`), 'multipart/mixed;boundary=b1'],
    ['a multipart body without a boundary', multipart('b1', `${PART}\r\n\r\n${SDP}`), 'multipart/mixed'],
    ['a type that only begins like it', SDP, 'application/sdp-x'],
  ])('is not in %s', (_what, body, type) => {
    expect(sdpOf(body, type)).toBeNull();
  });

  it('is looked for in any body without a throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, boundary) => {
        expect(() => sdpOf(`--${boundary}\r\n${body}`, `multipart/mixed;boundary=${boundary}`)).not.toThrow();
        expect(() => sdpOf(body, undefined)).not.toThrow();
      }),
    );
  });
});

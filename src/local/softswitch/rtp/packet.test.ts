import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRtp, writeRtpHeader } from './packet.ts';

const HEADER = { payloadType: 8, marker: true, sequence: 65535, timestamp: 0xfffffff0, ssrc: 0xdeadbeef };

/** A datagram with these numbers of CSRCs, extension words and padding bytes around the payload. */
function datagram(csrcs: number, extensionWords: number | null, padding: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(12);
  writeRtpHeader(head, HEADER);
  head[0] = 0x80 | csrcs | (extensionWords === null ? 0 : 0x10) | (padding > 0 ? 0x20 : 0);
  const extension = extensionWords === null ? Buffer.alloc(0) : Buffer.alloc(4 + 4 * extensionWords);
  if (extensionWords !== null) extension.writeUInt16BE(extensionWords, 2);
  const tail = Buffer.alloc(padding, 0);
  if (padding > 0) tail[padding - 1] = padding;
  return Buffer.concat([head, Buffer.alloc(4 * csrcs), extension, payload, tail]);
}

describe('an RTP header', () => {
  it('is the same after it is written and read', () => {
    expect(parseRtp(datagram(0, null, 0, Buffer.from('sound')))).toEqual({ ...HEADER, payload: Buffer.from('sound') });
  });

  it('may have sources, an extension and padding', () => {
    const shape = fc.tuple(fc.nat(15), fc.option(fc.nat(20)), fc.nat(255), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(shape, ([csrcs, words, padding, payload]) => {
        const packet = parseRtp(datagram(csrcs, words, padding, Buffer.from(payload)));
        expect(packet?.payload).toEqual(Buffer.from(payload));
      }),
    );
  });

  it('is refused without an exception if its lengths are wrong', () => {
    const whole = datagram(3, 5, 4, Buffer.from('sound'));
    for (let length = 0; length < 12 + 12 + 24; length++) expect(parseRtp(whole.subarray(0, length))).toBeNull();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => parseRtp(Buffer.from(bytes)) !== undefined));
  });

  it('is not found in STUN, DTLS and RTCP packets', () => {
    const rtcp = Buffer.from([0x80, 200, 0, 6, ...Array(24).fill(0)]);
    const stun = Buffer.from([0x00, 0x01, 0, 0, ...Array(16).fill(0)]);
    const dtls = Buffer.from([22, 0xfe, 0xfd, ...Array(20).fill(0)]);
    for (const other of [rtcp, stun, dtls]) expect(parseRtp(other)).toBeNull();
  });
});

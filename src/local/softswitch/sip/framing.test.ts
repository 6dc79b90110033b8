import { describe, expect, it } from 'vitest';
import { StreamFramer } from './framing.ts';

const message = (body: string) => `BYE sip:a SIP/2.0\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('StreamFramer', () => {
  it('finds messages for every split of the stream, and skips keepalives', () => {
    const stream = Buffer.from(`\r\n\r\n${message('héllo')}\r\n${message('')}${message('x')}`);
    for (const size of [1, 2, 7, stream.length]) {
      const framer = new StreamFramer();
      const found: string[] = [];
      for (let at = 0; at < stream.length; at += size) {
        found.push(...framer.push(stream.subarray(at, at + size)).messages.map(String));
      }
      expect(found).toEqual([message('héllo'), message(''), message('x')]);
    }
  });

  it('refuses endless headers and enormous bodies', () => {
    expect(new StreamFramer().push(Buffer.from(`BYE sip:a SIP/2.0\r\nX: ${'x'.repeat(70_000)}`)).broken).toBeDefined();
    expect(new StreamFramer().push(Buffer.from('BYE sip:a SIP/2.0\r\nl: 999999999\r\n\r\n')).broken).toBeDefined();
    expect(new StreamFramer().push(Buffer.from(message('x'.repeat(60_000)))).messages).toHaveLength(1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cseqOf, headerList, headerValue, isRequest, parseMessage, serialize, toHeaders } from './message.ts';
import type { SipMessage } from './types.ts';

const lines = (...all: string[]) => Buffer.from([...all, '', ''].join('\r\n'));
const parse = (data: Buffer): SipMessage => {
  const parsed = parseMessage(data);
  if (!parsed) throw new Error('not parsed');
  return parsed.message;
};

describe('parseMessage', () => {
  it('reads a request with compact, folded and repeated headers, and keeps the spelling of names', () => {
    const message = parse(
      lines(
        'INVITE sip:a@b SIP/2.0',
        'v: SIP/2.0/UDP x, SIP/2.0/TCP y',
        'VIA: SIP/2.0/UDP z',
        'x-Odd:  1',
        '\t2',
        'i: c',
      ),
    );
    expect(isRequest(message) && [message.method, message.uri]).toEqual(['INVITE', 'sip:a@b']);
    expect(headerList(message, 'Via')).toEqual(['SIP/2.0/UDP x', 'SIP/2.0/TCP y', 'SIP/2.0/UDP z']);
    expect(headerValue(message, 'call-id')).toBe('c');
    expect(message.headers.map(({ name }) => name)).toEqual(['Via', 'VIA', 'x-Odd', 'Call-ID']);
    expect(headerValue(message, 'X-ODD')).toBe('1 2');
  });

  it('reads a response and its body, whose length is in bytes', () => {
    const message = parse(Buffer.from('SIP/2.0 200 All right\r\nContent-Length: 3\r\n\r\né1 and more'));
    expect(message).toMatchObject({ status: 200, reason: 'All right', body: 'é1' });
  });

  it.each([
    ['a header without a colon', lines('OPTIONS sip:a SIP/2.0', 'nonsense')],
    ['a control character', lines('OPTIONS sip:a SIP/2.0', 'X: a\u0000b')],
    ['a Content-Length that is no number', lines('OPTIONS sip:a SIP/2.0', 'Content-Length: x')],
    ['a body shorter than its Content-Length', lines('OPTIONS sip:a SIP/2.0', 'Content-Length: 9')],
    ['300 headers', lines('OPTIONS sip:a SIP/2.0', ...Array.from({ length: 300 }, (_, n) => `X-${n}: 1`))],
  ])('reports the problem of %s and keeps the readable headers', (_, data) => {
    const parsed = parseMessage(data);
    expect(parsed?.problem).toEqual(expect.any(String));
    expect(parsed?.message).toMatchObject({ method: 'OPTIONS' });
  });

  it.each(['', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'SIP/2.0 700 No\r\n\r\n', 'INVITE sip:a SIP/3.0\r\n\r\n'])(
    'takes %j for no SIP at all',
    (text) => {
      expect(parseMessage(Buffer.from(text))).toBeUndefined();
    },
  );

  it('never throws, and parses its own serialized messages to the same result', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.boolean(), (noise, stream) => {
        const parsed = parseMessage(Buffer.from(`BYE sip:a SIP/2.0\r\nX: 1\r\n${noise}`), stream);
        if (!parsed || parsed.problem) return;
        const again = parse(Buffer.from(serialize(parsed.message)));
        expect(again.body).toBe(parsed.message.body);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('SIP headers', () => {
  it('are split only at commas outside quotes and brackets', () => {
    const message = parse(lines('BYE sip:a SIP/2.0', 'Contact: "A, \\"B" <sip:a@x;p=1,2>;q=1 , <sip:b@y>'));
    expect(headerList(message, 'Contact')).toEqual(['"A, \\"B" <sip:a@x;p=1,2>;q=1', '<sip:b@y>']);
  });

  it('cannot be injected through a value', () => {
    expect(toHeaders({ 'X-A': 'one\r\nX-B: two', gone: undefined, from: ['1', '2'] })).toEqual([
      { name: 'X-A', value: 'one X-B: two' },
      { name: 'From', value: '1' },
      { name: 'From', value: '2' },
    ]);
  });

  it.each(['', '1', 'x INVITE', '4294967296 INVITE', '-1 INVITE'])('have no CSeq in %j', (value) => {
    expect(cseqOf({ method: 'INVITE', uri: '', headers: [{ name: 'CSeq', value }], body: '' })).toBeUndefined();
  });
});

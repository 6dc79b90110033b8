import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allows,
  attestationClaimsOf,
  firstUser,
  infoKey,
  isTerminated,
  sdpOf,
  sipfragStatus,
  urisOf,
  userOf,
} from './messages.ts';

describe('userOf', () => {
  it.each([
    ['sip:cs_abc-tok@pay.example.com', 'cs_abc-tok'],
    ['SIPS:%2B15550101234;phone-context=x:secret@h:5061;transport=tls', '+15550101234'],
    ['tel:+15550101234;ext=5', '+15550101234'],
    ['sip:pay.example.com', null],
    ['sip:%zz@host', null],
    ['', null],
    [`sip:${'a'.repeat(301)}@h`, null],
  ])('%s → %s', (uri, user) => {
    expect(userOf(uri)).toBe(user);
  });
});

describe('the calling number', () => {
  it('is in the first header that has one', () => {
    const from = '"Lee, Ann" <sip:+15550101234@example.com>;tag=8';
    expect(firstUser([undefined, '<sip:+15550109999@t>;party=calling', from])).toBe('+15550109999');
    expect(firstUser(['sip:+15550101234@h;tag=1'])).toBe('+15550101234');
    expect(firstUser(['nonsense', undefined])).toBeNull();
  });

  it('is withheld if the network says so, whatever the caller claims', () => {
    const from = '<sip:+15550101234@example.com>;tag=8';
    expect(firstUser(['<sip:anonymous@anonymous.invalid>', undefined, from])).toBeNull();
    expect(firstUser(['"Anonymous" <sip:Anonymous@anonymous.invalid>', from])).toBeNull();
    expect(firstUser(['<sip:anonymous@anonymous.invalid>, <tel:+15550109999>', from])).toBe('+15550109999');
    expect(firstUser(['<sip:trunk.example.com>', from])).toBe('+15550101234');
  });

  it('is the number among several identities of one header', () => {
    expect(firstUser(['<sip:lee@example.com>,<tel:+15550101234>'])).toBe('+15550101234');
    expect(firstUser(['"Lee, Ann" <sip:+15550101234@h>, <tel:+15550109999>'])).toBe('+15550101234');
    expect(firstUser(['sip:lee@example.com, tel:+1-555-010-1234'])).toBe('+15550101234');
    expect(firstUser(['<sip:lee@example.com>', '<sip:+15550109999@h>'])).toBe('lee');
  });

  it('is not in the display name', () => {
    expect(firstUser(['"<sip:+15550109999@h>" <sip:+15550101234@h>'])).toBe('+15550101234');
    expect(firstUser(['"\\"<sip:+15550109999@h>" <sip:+15550101234@h>'])).toBe('+15550101234');
  });

  it('is read from any text quickly and without an error', () => {
    fc.assert(fc.property(fc.string({ maxLength: 3_000 }), (text) => [urisOf(text), userOf(text)].length === 2));
    const started = performance.now();
    urisOf('a '.repeat(32_000));
    urisOf('<'.repeat(64_000));
    urisOf('"'.repeat(64_000));
    userOf(`sip:${'%'.repeat(64_000)}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('allows', () => {
  it('reads the Allow header as a list', () => {
    expect(allows('INVITE, ACK,refer ,BYE', 'REFER')).toBe(true);
    expect(allows('INVITE, ACK, REFERENCE', 'REFER')).toBe(false);
    expect(allows(undefined, 'REFER')).toBe(false);
  });
});

describe('a NOTIFY of a REFER', () => {
  it.each([
    ['SIP/2.0 100 Trying', 100],
    ['SIP/2.0 200 OK\r\n', 200],
    ['sip/2.0\t603 Decline\r\nContact: x', 603],
    ['SIP/2.0 2000', null],
    ['HTTP/1.1 200 OK', null],
    ['', null],
  ])('%j says %s', (body, status) => {
    expect(sipfragStatus(body)).toBe(status);
  });

  it('says whether it is the last one', () => {
    expect(isTerminated('terminated;reason=noresource')).toBe(true);
    expect(isTerminated('active;expires=60')).toBe(false);
    expect(isTerminated(undefined)).toBe(false);
  });
});

describe('a key in a SIP INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', '5'],
    ['Application/DTMF-Relay; charset=x', 'Signal= *\r\nDuration= 250', '*'],
    ['application/dtmf-relay', 'Signal=11\r\nDuration=160', '#'],
    ['application/dtmf', '7', '7'],
    ['application/dtmf', '10', '*'],
    ['application/dtmf-relay', 'Signal=A\r\n', null],
    ['application/dtmf-relay', 'Signal=42\r\n', null],
    ['text/plain', '5', null],
    [undefined, 'Signal=5', null],
  ])('%s %j is %s', (type, body, key) => {
    expect(infoKey(type, body)).toBe(key);
  });
});

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
    ['without an end', `--b1\r\n${PART}\r\n\r\n${SDP}`],
  ])('is taken from a multipart body %s', (_where, body) => {
    for (const type of ['multipart/mixed;boundary=b1', 'multipart/related; type="application/sdp"; boundary="b1"'])
      expect(sdpOf(body, type)?.trimEnd()).toBe(SDP.trimEnd());
  });

  it('is found by the first boundary if the type is unknown', () => {
    expect(sdpOf(multipart('b 1'.replace(' ', ''), `${PART}\r\n\r\n${SDP}`), undefined)?.trimEnd()).toBe(SDP.trimEnd());
  });

  it.each([
    ['text', 'hello', 'text/plain'],
    ['a multipart body without one', multipart('b1', `${ISUP}\r\n\r\nx`), 'multipart/mixed;boundary=b1'],
    ['a multipart body without a boundary', multipart('b1', `${PART}\r\n\r\n${SDP}`), 'multipart/mixed'],
    ['a type with another ending', SDP, 'application/sdp-x'],
  ])('is not in %s', (_what, body, type) => {
    expect(sdpOf(body, type)).toBeNull();
  });

  it('is searched in any body without an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, boundary) => {
        expect(() => sdpOf(`--${boundary}\r\n${body}`, `multipart/mixed;boundary=${boundary}`)).not.toThrow();
        expect(() => sdpOf(body, undefined)).not.toThrow();
      }),
    );
  });
});

const claims = (headers: Record<string, string>) => attestationClaimsOf({ get: (name: string) => headers[name] });

describe('attestation claims of an INVITE', () => {
  it.each([
    ['<sip:+15550101234;verstat=TN-Validation-Passed@192.0.2.1;user=phone>;tag=1', ['TN-Validation-Passed']],
    ['<tel:+15550101234;verstat=TN-Validation-Failed>', ['TN-Validation-Failed']],
    ['"Ann" <sip:+15550101234@192.0.2.1;verstat=TN-Validation-Passed-B>', ['TN-Validation-Passed-B']],
    ['<sip:+15550101234@192.0.2.1>;verstat=No-TN-Validation;tag=1', ['No-TN-Validation']],
    [
      '<sip:+1;verstat=TN-Validation-Passed@192.0.2.1>, <tel:+1;verstat=TN-Validation-Failed>',
      ['TN-Validation-Passed', 'TN-Validation-Failed'],
    ],
    ['<sip:+15550101234@192.0.2.1>', []],
    // The caller chooses the display name.
    ['";verstat=TN-Validation-Passed" <sip:+15550101234@192.0.2.1>', []],
    ['"\\";verstat=TN-Validation-Passed" <sip:+15550101234@192.0.2.1>', []],
  ])('read the verstat of %s', (value, verstats) => {
    expect(claims({ From: value })).toEqual({ verstats, levels: [], identities: [] });
    expect(claims({ 'P-Asserted-Identity': value })).toEqual({ verstats, levels: [], identities: [] });
  });

  it('read all headers', () => {
    const headers = {
      From: '<tel:+15550101234;verstat=TN-Validation-Passed-A>',
      'X-Twilio-VerStat': 'TN-Validation-Passed-C',
      'Attestation-Info': 'B,C',
    };
    expect(claims(headers)).toEqual({
      verstats: ['TN-Validation-Passed-A', 'TN-Validation-Passed-C'],
      levels: ['B', 'C'],
      identities: [],
    });
  });

  it('read each of several Identity headers', () => {
    const one = 'eyJh.eyJi.c2ln;info=<https://certs.example.com/a,b.pem>;alg=ES256;ppt=shaken';
    const compact = '..c2ln;info=<https://certs.example.com/c.pem>';
    const read = (value: string) => claims({ Identity: value }).identities;
    expect(read(`${one},${compact}`)).toEqual([one, compact]);
    expect(read(`${one}, ${one}`)).toEqual([one, one]);
    expect(read('')).toEqual([]);
    expect(read(`${one},${'x'.repeat(9_000)}`)).not.toContain(one);
    expect(read(Array.from({ length: 9 }, () => one).join(','))).toHaveLength(4);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, firstUser, infoKey, isTerminated, sipfragStatus, urisOf, userOf } from './messages.ts';

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
  it('is the first header that names one, in the order given', () => {
    const from = '"Lee, Ann" <sip:+15550101234@example.com>;tag=8';
    expect(firstUser([undefined, '<sip:+15550109999@t>;party=calling', from])).toBe('+15550109999');
    expect(firstUser(['sip:+15550101234@h;tag=1'])).toBe('+15550101234');
    expect(firstUser(['nonsense', undefined])).toBeNull();
  });

  it('is withheld where the network says so, whatever the caller says', () => {
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

  it('is not what the caller calls itself', () => {
    expect(firstUser(['"<sip:+15550109999@h>" <sip:+15550101234@h>'])).toBe('+15550101234');
    expect(firstUser(['"\\"<sip:+15550109999@h>" <sip:+15550101234@h>'])).toBe('+15550101234');
  });

  it('is read from any text without a throw, fast', () => {
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

  it('tells whether more will come', () => {
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

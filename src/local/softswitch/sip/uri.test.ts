import { describe, expect, it } from 'vitest';
import { parseNameAddr, parseSipUri, parseVia, tagOf, withoutParams } from './uri.ts';

describe('parseSipUri', () => {
  it.each([
    ['sip:a@b', { scheme: 'sip', user: 'a', host: 'b', params: {} }],
    ['sip:b:5070;transport=TCP;lr', { scheme: 'sip', host: 'b', port: 5070, params: { transport: 'TCP', lr: '' } }],
    ['sips:a:pw@[::1]:5061', { scheme: 'sips', user: 'a', host: '::1', port: 5061, params: {} }],
    ['sip:a;x=1@b?X-H=1', { scheme: 'sip', user: 'a;x=1', host: 'b', params: {}, headers: 'X-H=1' }],
  ])('reads %s', (text, parts) => {
    expect(parseSipUri(text)).toEqual(parts);
  });

  it.each(['tel:+1555', 'sip:', 'sip:a@', 'sip:a@b:0', 'sip:a@b:99999', 'http://x', 'sip:a b@c d'])(
    'refuses %s',
    (text) => {
      expect(parseSipUri(text)).toBeUndefined();
    },
  );
});

describe('the name-addr parser', () => {
  it.each([
    ['"A <x>" <sip:a@b;p=1>;tag=t', { display: '"A <x>"', uri: 'sip:a@b;p=1', params: { tag: 't' } }],
    ['sip:a@b;tag=t', { uri: 'sip:a@b', params: { tag: 't' } }],
    ['<sip:a@b>', { uri: 'sip:a@b', params: {} }],
  ])('reads %s', (value, parts) => {
    expect(parseNameAddr(value)).toEqual(parts);
  });

  it('returns the tag, and the address without the tag', () => {
    expect(tagOf('<sip:a;tag=no@b>')).toBeUndefined();
    expect(tagOf('Bob <sip:a@b>;x=1;TAG=yes')).toBe('yes');
    expect(withoutParams('Bob <sip:a@b>;tag=yes')).toBe('Bob <sip:a@b>');
    expect(withoutParams('sip:a@b;tag=yes')).toBe('<sip:a@b>');
  });
});

describe('parseVia', () => {
  it('returns transport, sent-by and parameters', () => {
    expect(parseVia('SIP / 2.0 / UDP host.example:5070 ; branch=z9 ; rport')).toEqual({
      transport: 'udp',
      host: 'host.example',
      port: 5070,
      params: { branch: 'z9', rport: '' },
    });
  });

  it.each(['', 'UDP host', 'SIP/2.0/UDP', 'SIP/1.0/UDP host', 'SIP/2.0/UDP ho st'])('refuses %j', (value) => {
    expect(parseVia(value)).toBeUndefined();
  });
});

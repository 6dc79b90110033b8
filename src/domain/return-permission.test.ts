import { describe, expect, test } from 'vitest';
import { isNumberPrefix, parseReturnHost, type ReturnPermission, returnRefusal } from './return-permission.ts';
import { parseReturnTo } from './return-target.ts';
import type { Mode } from './session.ts';

const NOTHING: ReturnPermission = { hosts: null, numberPrefixes: [] };

function refusalOf(returnTo: string, mode: Mode, permission: Partial<ReturnPermission> = {}) {
  const target = parseReturnTo(returnTo);
  if (target === null) throw new Error('not a target');
  return returnRefusal(
    target,
    { ...NOTHING, ...permission },
    { mode, isOperatorHost: (host) => host === '127.0.0.1', isPublicHost: (host) => !/^(127|10)\./.test(host) },
  );
}

describe('hosts', () => {
  test.each([
    ['agents.example.com', ['agents.example.com']],
    ['Agents.Example.COM.', ['agents.example.com']],
    ['eu.agents.example.com', ['*.example.com']],
    ['203.0.113.7', ['203.0.113.7']],
    ['anything.example.org', ['*']],
  ])('%s is allowed by %j', (host, hosts) => {
    expect(refusalOf(`sip:agent@${host}`, 'live', { hosts })).toBeNull();
  });

  test.each([
    ['agents.example.com', []],
    ['agents.example.com', null],
    ['notexample.com', ['*.example.com']],
    ['example.com', ['*.example.com']],
    ['agents.example.com.evil.example', ['agents.example.com']],
    ['10.0.0.1', ['*']],
    ['10.0.0.1', ['10.0.0.1']],
  ])('%s is not allowed by %j', (host, hosts) => {
    expect(refusalOf(`sip:agent@${host}`, 'live', { hosts })).toBe('host_not_allowed');
  });

  test('test mode can use every public host until the account has a list', () => {
    expect(refusalOf('sip:agent@agents.example.com', 'test')).toBeNull();
    expect(refusalOf('sip:agent@10.0.0.1', 'test')).toBe('host_not_allowed');
    expect(refusalOf('sip:agent@agents.example.com', 'test', { hosts: [] })).toBe('host_not_allowed');
  });

  test('all accounts can use the operator’s hosts', () => {
    expect(refusalOf('sip:agent@127.0.0.1:5090', 'live')).toBeNull();
  });
});

describe('numbers', () => {
  test('are called if they have a prefix of the account', () => {
    expect(refusalOf('+442079460000', 'live', { numberPrefixes: ['+1', '+4420'] })).toBeNull();
    expect(refusalOf('tel:+442079460000', 'live', { numberPrefixes: ['+1'] })).toBe('number_not_allowed');
  });

  test.each([
    ['a short code', '1001'],
    ['an emergency number', '911'],
    ['an emergency number', '112'],
    ['no country code', '2125550123'],
    ['a premium number', '+449098790000'],
    ['a premium number', '+19005550123'],
    ['a satellite phone', '+870773111632'],
    ['a satellite phone', '+881612345678'],
    ['an international premium number', '+979123456789'],
  ])('%s is never called: %s', (_kind, number) => {
    expect(refusalOf(number, 'live', { numberPrefixes: ['+', ''] })).toBe('number_refused');
    expect(refusalOf(number, 'test')).toBe('number_refused');
  });
});

test('a web address is for the pay page only', () => {
  expect(refusalOf('https://example.com/thanks', 'live')).toBeNull();
});

test.each([
  ['*', '*'],
  ['Agents.Example.com', 'agents.example.com'],
  ['*.example.com', '*.example.com'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:DB8::1]', '2001:db8::1'],
  ['', null],
  ['agents.example.com:5060', null],
  ['sip:agents.example.com', null],
  ['*example.com', null],
  ['agents.*.com', null],
  ['-agents.example.com', null],
  ['203.0.113', null],
  ['203.0.113.0/24', null],
  [`${'a'.repeat(64)}.example.com`, null],
  [`${'a.'.repeat(126)}example`, null],
])('the host %j of a list is %j', (text, host) => {
  expect(parseReturnHost(text)).toBe(host);
});

test.each([
  ['+4', true],
  ['+442079460000123', true],
  ['+', false],
  ['44', false],
  ['+4420794600001234', false],
  ['+44 20', false],
  ['+44\n', false],
])('whether %j is a number prefix: %s', (text, is) => {
  expect(isNumberPrefix(text)).toBe(is);
});

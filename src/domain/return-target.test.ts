import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDialable, parseReturnTo } from './return-target.ts';

describe('targets of a call', () => {
  test.each([
    'sip:agent@example.com',
    'sips:agent@example.com:5061',
    'SIP:agent@10.0.0.1;transport=tcp',
    'sip:10.0.0.1',
    'sip:agent@[2001:db8::1]:5060',
    'sip:%2B15550101234@trunk.example.com;user=phone?X-Agent=7',
    "sip:o'brien;day=tuesday@example.com",
  ])('%s', (uri) => {
    expect(parseReturnTo(uri)).toMatchObject({ kind: 'sip', uri });
    expect(isDialable(uri)).toBe(true);
  });

  test.each([
    ['+15550101234', '+15550101234'],
    ['tel:+1-555-010-1234', '+15550101234'],
    ['tel:+15550101234;ext=5', '+15550101234'],
    ['tel:(555)010.1234', '5550101234'],
    ['1001', '1001'],
  ])('%s', (text, number) => {
    expect(parseReturnTo(text)).toEqual({ kind: 'number', number });
    expect(isDialable(text)).toBe(true);
  });
});

test.each([
  ['sip:agent@Example.com.:5070;transport=tcp?X-A=1', 'Example.com.'],
  ['sip:agent@[2001:db8::1]:5060', '2001:db8::1'],
  ['sip:example.com;x=1@10.0.0.1', '10.0.0.1'],
])('the host of %s is %s', (uri, host) => {
  expect(parseReturnTo(uri)).toMatchObject({ host });
});

describe('targets of the pay page only', () => {
  test.each(['https://example.com/thanks?order=1', 'http://127.0.0.1:3000/'])('%s', (url) => {
    expect(parseReturnTo(url)).toEqual({ kind: 'web', url });
    expect(isDialable(url)).toBe(false);
  });
});

describe('not a target', () => {
  test.each([
    '',
    'agent',
    'agent@example.com',
    'sip:',
    'sip:agent@',
    'sip:a@b c',
    'sip:a@b\r\nX-Bad: 1',
    'sip:<a@b>',
    '"a" <sip:a@b>',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'tel:',
    'tel:+1',
    'sip:a@agents.example.com;maddr=127.0.0.1',
    'sip:a@agents.example.com;MADDR=127.0.0.1?X-A=1',
    'sip:a@agents.example.com;x=@127.0.0.1',
    'sip:a@agents.example.com?X-A=@127.0.0.1',
    '+1555',
    '1',
  ])('%j', (text) => {
    expect(parseReturnTo(text)).toBeNull();
    expect(isDialable(text)).toBe(false);
  });

  test('null means that there is no return target', () => {
    expect(isDialable(null)).toBe(false);
  });
});

test('no accepted target can end a header or a URI', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `sip:${text}@a.b`),
      ),
      (text) => {
        if (parseReturnTo(text) !== null) expect(text).not.toMatch(/[\s<>"\\\p{Cc}]/u);
      },
    ),
  );
});

test('a long text is parsed quickly', () => {
  const started = performance.now();
  for (const text of [`sip:${'a.'.repeat(510)}`, `sip:a@${'a'.repeat(1_015)}-`, `tel:${'('.repeat(1_020)}`]) {
    parseReturnTo(text);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});

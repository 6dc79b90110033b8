import { expect, test } from 'vitest';
import { payerAt } from './payer.ts';

const PAGE = 'https://pay.example.com/p/abcdefghjkmn';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
])('tells the whole address %s', (ip, told) => {
  expect(payerAt(PAGE, ip)).toEqual({ pageUrl: PAGE, ip: told });
});

test('tells nothing without an address of the payer or of the page', () => {
  expect(payerAt(PAGE, '')).toBeUndefined();
  expect(payerAt(PAGE, '2001:db8:0:0::/64')).toBeUndefined();
  expect(payerAt(null, '203.0.113.7')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { isAddressRange } from './address-range.ts';

test.each([
  ['192.0.2.0/24', true],
  ['192.0.2.1', true],
  ['2001:db8::/32', true],
  ['192.0.2.0/33', false],
  ['192.0.2.0/', false],
  ['2001:db8::/129', false],
  ['1.2.3.4/8/8', false],
  ['proxy.example.com', false],
  ['127.1', false],
  ['', false],
])('%j is a range: %s', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
});

import { expect, test } from 'vitest';
import { addressMatcher, isAddressRange, isWithinRanges } from './address-range.ts';

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
])('whether %j is a range: %s', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
});

test.each([
  ['192.0.2.200', true],
  ['::ffff:192.0.2.200', true],
  ['198.51.100.7', true],
  ['198.51.100.8', false],
  ['2001:db8:1::1', true],
  ['2001:db9::1', false],
  ['', false],
  ['unknown', false],
])('whether %j is in the ranges: %s', (address, expected) => {
  expect(addressMatcher(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'])(address)).toBe(expected);
});

test.each([
  ['192.0.2.0/24', true],
  ['192.0.2.128/25', true],
  ['192.0.2.7', true],
  ['192.0.0.0/16', false],
  ['198.51.100.7/32', true],
  ['198.51.100.8', false],
  ['2001:db8::/32', false],
  ['0.0.0.0/0', false],
])('whether all of %s is in one of the ranges: %s', (range, expected) => {
  expect(isWithinRanges(range, ['192.0.2.0/24', '198.51.100.7'])).toBe(expected);
});

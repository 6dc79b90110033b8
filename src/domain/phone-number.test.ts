import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCountry, parseE164, parseNetworkNumber } from './phone-number.ts';

test.each(['+15550101234', '+442071838750', '+4915112345678', '+61412345678'])('%s is a number', (text) => {
  expect(parseE164(text)).toBe(text);
});

test.each([
  ['', 'nothing'],
  ['15550101234', 'no plus'],
  ['+1 555 010 1234', 'blanks'],
  ['+1-555-010-1234', 'hyphens'],
  ['+1555010', 'too short for its country'],
  ['+155501012345', 'too long for its country'],
  ['+999123456789', 'no such country'],
  ['tel:+15550101234', 'a URI'],
  ['+15550101234;ext=1', 'an extension'],
  ['+15550101234\n', 'a line end'],
  ['+١٥٥٥٠١٠١٢٣٤', 'other digits'],
  ['anonymous', 'a word'],
])('%j is rejected: %s', (text) => {
  expect(parseE164(text)).toBeNull();
});

test('a number is a plus and seven to fifteen digits', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 ()-]{0,20}$/));
  fc.assert(
    fc.property(text, (candidate) => {
      const number = parseE164(candidate);
      if (number !== null) expect(number).toMatch(/^\+[1-9][0-9]{6,14}$/);
    }),
  );
});

test.each([
  ['+15550101234', null, '+15550101234'],
  ['15550101234', null, '+15550101234'],
  ['5550101234', 'US', '+15550101234'],
  ['15550101234', 'US', '+15550101234'],
  ['011442071838750', 'US', '+442071838750'],
  ['442071838750', 'US', '+442071838750'],
  ['02071838750', 'GB', '+442071838750'],
  ['00442071838750', 'GB', '+442071838750'],
  ['15550101234', 'GB', '+15550101234'],
  ['4915112345678', 'DE', '+4915112345678'],
  ['015112345678', 'DE', '+4915112345678'],
  ['911', 'US', null],
  ['anonymous', 'US', null],
  ['', 'US', null],
] as const)('the number %s from a trunk in %s means %s', (text, country, number) => {
  expect(parseNetworkNumber(text, country)).toBe(number);
});

test('a country is two letters', () => {
  expect(['us', 'GB', 'XX', 'USA', ''].map(parseCountry)).toEqual(['US', 'GB', null, null, null]);
});

import { expect, test } from 'vitest';
import { parseCountry } from '../domain/phone-number.ts';
import { payingCallOf } from './paying-call.ts';

const rules = { trunks: ['192.0.2.0/24'], trunkCountry: parseCountry('US') };
const seen = (callingNumber: string | null, sourceAddress = '192.0.2.7') =>
  payingCallOf({ callingNumber, sourceAddress }, rules);

test.each(['+15550101234', '15550101234', '5550101234', '01115550101234'])('%s is one number', (spelling) => {
  expect(seen(spelling).number).toBe('+15550101234');
});

test.each([
  ['extension-7', 'extension-7'],
  ['anonymous', null],
  [null, null],
])('%j counts as %j', (callingNumber, number) => {
  expect(seen(callingNumber).number).toBe(number);
});

test('a trunk is its block, any other address itself', () => {
  expect(seen(null).source).toBe('192.0.2.0/24');
  expect(seen(null, '198.51.100.7').source).toBe('198.51.100.7');
});

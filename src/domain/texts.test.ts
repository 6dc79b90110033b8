import { expect, test } from 'vitest';
import { canText } from './texts.ts';

const textReach = { countries: [], currencies: ['USD'], merchantNumbers: [] } as const;
const LIVE = { mode: 'live', textsTo: '+15550101234', hasOptedOut: false, textReach } as const;

test.each([
  ['live, with a carrier', LIVE, true, true],
  ['live, without one', LIVE, false, false],
  ['test, which needs none', { ...LIVE, mode: 'test' }, false, true],
  ['without a number', { ...LIVE, textsTo: null }, true, false],
  ['test, without a number', { ...LIVE, mode: 'test', textsTo: null }, true, false],
  ['to a number that said STOP', { ...LIVE, hasOptedOut: true }, true, false],
  ['test, to a number that said STOP', { ...LIVE, mode: 'test', hasOptedOut: true }, true, false],
  ['to a country where the account does no business', { ...LIVE, textsTo: '+447400123456' }, true, false],
  ['test, to a premium number', { ...LIVE, mode: 'test', textsTo: '+19005551234' }, true, false],
] as const)('whether a caller can be promised a text: %s', (_, recipient, hasCarrier, expected) =>
  expect(canText(recipient, hasCarrier)).toBe(expected),
);

import { expect, test } from 'vitest';
import { attestationClaimsOf } from './attestation-headers.ts';

const claims = (headers: Record<string, string>) => attestationClaimsOf({ get: (name: string) => headers[name] });

test.each([
  ['<sip:+15550101234;verstat=TN-Validation-Passed@192.0.2.1;user=phone>;tag=1', ['TN-Validation-Passed']],
  ['<tel:+15550101234;verstat=TN-Validation-Failed>', ['TN-Validation-Failed']],
  ['"Ann" <sip:+15550101234@192.0.2.1;verstat=TN-Validation-Passed-B>', ['TN-Validation-Passed-B']],
  ['<sip:+15550101234@192.0.2.1>;verstat=No-TN-Validation;tag=1', ['No-TN-Validation']],
  [
    '<sip:+1;verstat=TN-Validation-Passed@192.0.2.1>, <tel:+1;verstat=TN-Validation-Failed>',
    ['TN-Validation-Passed', 'TN-Validation-Failed'],
  ],
  ['<sip:+15550101234@192.0.2.1>', []],
  // A name is the caller's to choose.
  ['";verstat=TN-Validation-Passed" <sip:+15550101234@192.0.2.1>', []],
  ['"\\";verstat=TN-Validation-Passed" <sip:+15550101234@192.0.2.1>', []],
])('verstat of %s', (value, verstats) => {
  expect(claims({ From: value })).toEqual({ verstats, levels: [] });
  expect(claims({ 'P-Asserted-Identity': value })).toEqual({ verstats, levels: [] });
});

test('all headers that say something are read', () => {
  const headers = {
    From: '<tel:+15550101234;verstat=TN-Validation-Passed-A>',
    'X-Twilio-VerStat': 'TN-Validation-Passed-C',
    'Attestation-Info': 'B,C',
  };
  expect(claims(headers)).toEqual({
    verstats: ['TN-Validation-Passed-A', 'TN-Validation-Passed-C'],
    levels: ['B', 'C'],
  });
});

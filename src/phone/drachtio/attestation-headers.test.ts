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
  expect(claims({ From: value })).toEqual({ verstats, levels: [], identities: [] });
  expect(claims({ 'P-Asserted-Identity': value })).toEqual({ verstats, levels: [], identities: [] });
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
    identities: [],
  });
});

test('of several Identity headers each is read by itself', () => {
  const one = 'eyJh.eyJi.c2ln;info=<https://certs.example.com/a,b.pem>;alg=ES256;ppt=shaken';
  const compact = '..c2ln;info=<https://certs.example.com/c.pem>';
  const read = (value: string) => claims({ Identity: value }).identities;
  expect(read(`${one},${compact}`)).toEqual([one, compact]);
  expect(read(`${one}, ${one}`)).toEqual([one, one]);
  expect(read('')).toEqual([]);
  expect(read(`${one},${'x'.repeat(9_000)}`)).not.toContain(one);
  expect(read(Array.from({ length: 9 }, () => one).join(','))).toHaveLength(4);
});

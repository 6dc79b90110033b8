import { expect, test } from 'vitest';
import { addressMatcher } from '../domain/address-range.ts';
import { attestationOfCall } from './invite-attestation.ts';

const isDirectTrunk = addressMatcher(['192.0.2.0/24']);
const call = (verstat: string | null, sourceAddress = '192.0.2.7') => ({
  sourceAddress,
  attestation: { verstats: verstat === null ? [] : [verstat], levels: [], identities: [] },
});

test.each([
  ['TN-Validation-Passed', { attestation: 'A' }],
  ['TN-Validation-Passed-C', { attestation: 'C' }],
  ['TN-Validation-Failed', { attestation: 'Failed' }],
  ['No-TN-Validation', { attestation: null, note: 'call_not_attested' }],
  [null, { attestation: null, note: 'call_not_attested' }],
])('a call to the line through a direct trunk with verstat %s is attested as %j', (verstat, answer) => {
  expect(attestationOfCall(call(verstat), 'number', isDirectTrunk)).toEqual(answer);
});

test.each([
  ['TN-Validation-Passed', { attestation: null, note: 'platform_leg_attested_a' }],
  ['TN-Validation-Passed-C', { attestation: null, note: 'platform_leg_attested_c' }],
  ['TN-Validation-Failed-B', { attestation: null, note: 'platform_leg_attested_failed' }],
  ['No-TN-Validation', null],
  [null, null],
])('the leg of a transferring platform with verstat %s is only a note: %j', (verstat, answer) => {
  expect(attestationOfCall(call(verstat), 'token', isDirectTrunk)).toEqual(answer);
});

test.each(['TN-Validation-Passed', 'TN-Validation-Failed', null])(
  'verstat %s from another address is ignored',
  (verstat) => {
    for (const by of ['number', 'token'] as const) {
      expect(attestationOfCall(call(verstat, '198.51.100.7'), by, isDirectTrunk)).toBeNull();
    }
  },
);

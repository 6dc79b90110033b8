import { expect, test } from 'vitest';
import { claimedAttestation } from './invite-attestation.ts';

test.each([
  [['TN-Validation-Passed'], [], 'A'],
  [['TN-Validation-Passed-A'], [], 'A'],
  [['TN-Validation-Passed-B'], [], 'B'],
  [['TN-Validation-Passed-C'], [], 'C'],
  [['tn-validation-passed-c'], [], 'C'],
  [['TN-Validation-Failed'], [], 'Failed'],
  [['TN-Validation-Failed-A'], [], 'Failed'],
  [['No-TN-Validation'], [], null],
  [['TN-Validation-Passed-D'], [], null],
  [['xTN-Validation-Passed'], [], null],
  [[], ['A'], 'A'],
  [[], [' b '], 'B'],
  [[], ['Failed'], null],
  [[], [], null],
  // An added good claim does not cancel a bad one.
  [['TN-Validation-Failed', 'TN-Validation-Passed-A'], ['A'], 'Failed'],
  [['TN-Validation-Passed'], ['A', 'C'], 'C'],
  [['No-TN-Validation', 'TN-Validation-Passed-B'], [], 'B'],
])('verstat %j with Attestation-Info %j is %j', (verstats, levels, attestation) => {
  expect(claimedAttestation({ verstats, levels })).toBe(attestation);
});

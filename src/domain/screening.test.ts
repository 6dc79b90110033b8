import { describe, expect, test } from 'vitest';
import {
  type Attestation,
  claimedAttestation,
  decideScreen,
  isSteppedUp,
  PORT_CHECKS,
  recencyOf,
  type StoredAttestation,
  type StoredLookup,
} from './screening.ts';

const LOOKUP: StoredLookup = {
  adapter: 'sandbox',
  failure: null,
  isAnswered: true,
  checkedAtMs: 1_000,
  portCheck: 'clear',
  lineType: 'mobile',
  carrier: 'Example Wireless',
  notes: [],
};
const attested = (attestation: Attestation | null, note: string | null = null, source = 'http'): StoredAttestation => ({
  source,
  attestation,
  note,
  attestedAtMs: 2_000,
});

test('without results there is no screen, and the caller is not stepped up', () => {
  expect(decideScreen({ lookup: null, attestations: [] })).toBeNull();
  expect(isSteppedUp({ lookup: null, attestations: [] })).toBe(false);
});

test('a lookup alone or an attestation alone creates a screen', () => {
  expect(decideScreen({ lookup: LOOKUP, attestations: [] })).toEqual({
    decision: 'allow',
    reasons: [],
    notes: [],
    attestation: null,
    attestedAtMs: null,

    portedRecently: false,
    portCheck: 'clear',
    lineType: 'mobile',
    carrier: 'Example Wireless',
    checkedAtMs: 1_000,
  });
  expect(decideScreen({ lookup: null, attestations: [attested('A')] })).toEqual({
    decision: 'allow',
    reasons: [],
    notes: [],
    attestation: 'A',
    attestedAtMs: 2_000,
    portedRecently: false,
    portCheck: 'unknown',
    lineType: 'unknown',
    carrier: null,
    checkedAtMs: null,
  });
});

const REASON_OF_PORT = { clear: [], unknown: [], ported: ['ported_recently'], swapped: ['sim_swapped_recently'] };
const REASON_OF_CALL = { A: [], B: [], C: ['attestation_c'], Failed: ['attestation_failed'] };
const EVERY = PORT_CHECKS.flatMap((portCheck) =>
  (['A', 'B', 'C', 'Failed'] as const).map((attestation) => [portCheck, attestation] as const),
);

test.each(EVERY)(
  'port check %s and attestation %s: each positive bad signal is a reason, and nothing else',
  (...both) => {
    const [portCheck, attestation] = both;
    const screen = decideScreen({ lookup: { ...LOOKUP, portCheck }, attestations: [attested(attestation)] });
    const reasons = [...REASON_OF_PORT[portCheck], ...REASON_OF_CALL[attestation]];
    expect(screen).toMatchObject({
      reasons,
      decision: reasons.length > 0 ? 'step_up' : 'allow',
      attestation,
      portCheck,
    });
    expect(screen?.portedRecently).toBe(portCheck === 'ported' || portCheck === 'swapped');
  },
);

test('a missing, late or broken result is a note and does not change the decision', () => {
  const lookup = { ...LOOKUP, isAnswered: false, portCheck: 'unknown', failure: 'number_lookup_timed_out' } as const;
  const facts = { lookup, attestations: [attested(null, 'attestation_timed_out')] };
  expect(decideScreen(facts)).toMatchObject({
    decision: 'allow',
    reasons: [],
    attestation: null,
    attestedAtMs: 2_000,
    notes: ['number_lookup_timed_out', 'attestation_timed_out'],
  });
  const old = { ...LOOKUP, portCheck: 'ported', notes: ['line_type_unavailable'], failure: lookup.failure } as const;
  expect(decideScreen({ ...facts, lookup: old })).toMatchObject({
    decision: 'step_up',
    notes: ['line_type_unavailable', 'number_lookup_timed_out', 'attestation_timed_out'],
  });
});

test.each([
  [['A', 'C'], 'C', ['attestation_c']],
  [['C', 'A'], 'C', ['attestation_c']],
  [['C', 'Failed'], 'Failed', ['attestation_c', 'attestation_failed']],
  [['B', 'A'], 'B', []],
] as const)('if sources disagree (%j), the worst counts and is shown', (values, shown, reasons) => {
  const attestations = [
    ...values.map((value, at) => attested(value, null, `source_${at}`)),
    attested(null, 'no_answer'),
  ];
  expect(decideScreen({ lookup: null, attestations })).toMatchObject({
    attestation: shown,
    reasons,
    notes: ['no_answer'],
  });
});

describe('a date is recent', () => {
  const NOW = new Date('2026-11-22T15:30:00Z');
  test.each([
    ['2026-11-22', 'recent'],
    ['2026-11-16', 'recent'],
    ['2026-11-15', 'recent'],
    ['2026-11-14', 'earlier'],
    ['2019-03-01', 'earlier'],
    ['2026-11-23', 'in_future'],
    ['2026-11-15T15:30:00Z', 'recent'],
    ['2026-11-15T15:29:59.999Z', 'earlier'],
    ['2026-11-15T10:30:00-05:00', 'recent'],
    ['2026-11-15T15:00:00+0000', 'earlier'],
    ['2026-11-22T15:34:00Z', 'recent'],
    ['2026-11-22T15:36:00Z', 'in_future'],
    ['2026-11-15T15:30:00', 'unreadable'],
    ['2026-13-45', 'unreadable'],
    ['2026', 'unreadable'],
    ['yesterday', 'unreadable'],
    ['', 'unreadable'],
  ] as const)('%s: %s', (text, expected) => {
    expect(recencyOf(text, NOW)).toBe(expected);
  });
});

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

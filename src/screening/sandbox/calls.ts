/** The sandbox's test calls, one for each result of an attestation source. Other calls have no attestation. */
import type { AttestationAnswer } from '../../domain/screening.ts';

interface TestCall {
  platformCallId: string;
  /** For the documentation. */
  what: string;
  /** `silent`: no answer until the time limit. */
  behaves: { kind: 'answer'; answer: AttestationAnswer } | { kind: 'silent' };
}

const answer = (said: AttestationAnswer) => ({ kind: 'answer', answer: said }) as const;

export const TEST_CALLS: readonly TestCall[] = [
  { platformCallId: 'test_attested_a', what: 'Attestation `A`', behaves: answer({ attestation: 'A' }) },
  { platformCallId: 'test_attested_b', what: 'Attestation `B`', behaves: answer({ attestation: 'B' }) },
  { platformCallId: 'test_attested_c', what: 'Attestation `C`: a step-up', behaves: answer({ attestation: 'C' }) },
  {
    platformCallId: 'test_attested_failed',
    what: 'The signature does not hold: a step-up',
    behaves: answer({ attestation: 'Failed' }),
  },
  {
    platformCallId: 'test_attestation_missing',
    what: 'Not attested: note `attestation_missing`',
    behaves: answer({ attestation: null, note: 'attestation_missing' }),
  },
  {
    platformCallId: 'test_attestation_unavailable',
    what: 'The source fails: note `attestation_unavailable`',
    behaves: answer({ attestation: null, note: 'attestation_unavailable' }),
  },
  {
    platformCallId: 'test_attestation_silent',
    what: 'It does not answer: note `attestation_timed_out`, once its time is over',
    behaves: { kind: 'silent' },
  },
];

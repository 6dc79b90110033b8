/** The contract suite of all attestation sources. */
import { describe, expect, test } from 'vitest';
import { type AccountId, newId } from '../../../src/domain/ids.ts';
import type { E164 } from '../../../src/domain/phone-number.ts';
import type { AttestationAnswer } from '../../../src/domain/screening.ts';
import type { AttestationQuestion, AttestationSource } from '../../../src/screening/ports.ts';

const NEVER = new AbortController().signal;

interface AttestationSubject {
  source: () => AttestationSource;
  /** A question about a call with this attestation or fault. */
  call: (behavior: 'A' | 'B' | 'C' | 'Failed' | 'missing' | 'unavailable' | 'silent') => Partial<AttestationQuestion>;
  /** A question about an account or call that the source does not know. */
  unknown: () => Partial<AttestationQuestion>;
}

/** A question about a call of a new session. */
export function questionOf(change: Partial<AttestationQuestion>): AttestationQuestion {
  return {
    sessionId: newId('CheckoutSession'),
    accountId: 'acct_demo' as AccountId,
    mode: 'test',
    number: '+15550101234' as E164,
    platformCallId: 'CA1',
    url: null,
    ...change,
  };
}

export function attestationContract(subject: AttestationSubject): void {
  const ask = (change: Partial<AttestationQuestion>, signal = NEVER) =>
    subject.source().ask(questionOf(change), signal);

  describe('the contract of attestation sources', () => {
    test.each<[Parameters<AttestationSubject['call']>[0], AttestationAnswer]>([
      ['A', { attestation: 'A' }],
      ['B', { attestation: 'B' }],
      ['C', { attestation: 'C' }],
      ['Failed', { attestation: 'Failed' }],
      ['missing', { attestation: null, note: 'attestation_missing' }],
      ['unavailable', { attestation: null, note: 'attestation_unavailable' }],
    ])('defines the answer to a call: %s', async (behavior, answer) => {
      expect(await ask(subject.call(behavior))).toEqual(answer);
    });

    test('returns a note when the signal ends the wait', async () => {
      const limit = new AbortController();
      const answer = ask(subject.call('silent'), limit.signal);
      limit.abort();
      expect(await answer).toEqual({ attestation: null, note: 'attestation_timed_out' });
      expect(await ask(subject.call('silent'), limit.signal)).toMatchObject({ note: 'attestation_timed_out' });
    });

    test('returns null for an unknown account or call, without a note', async () => {
      expect(await ask(subject.unknown())).toBeNull();
    });
  });
}

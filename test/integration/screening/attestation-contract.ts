/** What every source of attestations keeps to. */
import { describe, expect, test } from 'vitest';
import { type AccountId, newId } from '../../../src/domain/ids.ts';
import type { E164 } from '../../../src/domain/phone-number.ts';
import type { AttestationAnswer } from '../../../src/domain/screening.ts';
import type { AttestationQuestion, AttestationSource } from '../../../src/screening/ports.ts';

const NEVER = new AbortController().signal;

export interface AttestationSubject {
  source: () => AttestationSource;
  /** What is asked of a call of which the source will say this. */
  call: (said: 'A' | 'B' | 'C' | 'Failed' | 'missing' | 'unavailable' | 'silent') => Partial<AttestationQuestion>;
  /** Of an account, or a call, that is none of the source's. */
  strange: () => Partial<AttestationQuestion>;
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

  describe('keeps to the contract of all sources', () => {
    test.each<[Parameters<AttestationSubject['call']>[0], AttestationAnswer]>([
      ['A', { attestation: 'A' }],
      ['B', { attestation: 'B' }],
      ['C', { attestation: 'C' }],
      ['Failed', { attestation: 'Failed' }],
      ['missing', { attestation: null, note: 'attestation_missing' }],
      ['unavailable', { attestation: null, note: 'attestation_unavailable' }],
    ])('%s', async (said, answer) => {
      expect(await ask(subject.call(said))).toEqual(answer);
    });

    test('no answer: the signal ends the wait, with a note', async () => {
      const limit = new AbortController();
      const asked = ask(subject.call('silent'), limit.signal);
      limit.abort();
      expect(await asked).toEqual({ attestation: null, note: 'attestation_timed_out' });
      expect(await ask(subject.call('silent'), limit.signal)).toMatchObject({ note: 'attestation_timed_out' });
    });

    test('what is none of its own is null: nothing is kept, not even a note', async () => {
      expect(await ask(subject.strange())).toBeNull();
    });
  });
}

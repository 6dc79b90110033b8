/** The sandbox's number lookup for test mode: makes no requests, and knows the test numbers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LookupAnswer, NumberLookup } from '../ports.ts';
import { CLEAR_NUMBER, TEST_NUMBERS, type TestNumber } from './numbers.ts';

export function createSandboxLookup(): NumberLookup {
  return {
    name: 'sandbox',
    async lookUp(number, signal) {
      const known = TEST_NUMBERS.find((test) => test.number === number);
      return known === undefined ? answered(CLEAR_NUMBER) : answerOf(known.behaves, signal);
    },
  };
}

const answered = (facts: typeof CLEAR_NUMBER): LookupAnswer => ({ status: 'answered', facts });
const TIMED_OUT: LookupAnswer = { status: 'failed', failure: 'number_lookup_timed_out' };
/** Longer than any lookup is waited for. */
const SILENT_MS = 120_000;

async function answerOf(behaves: TestNumber['behaves'], signal: AbortSignal): Promise<LookupAnswer> {
  switch (behaves.kind) {
    case 'facts':
      return answered(behaves.facts);
    case 'failure':
      return { status: 'failed', failure: behaves.failure };
    case 'late':
      return (await hasPassed(behaves.seconds * 1_000, signal)) ? answered(behaves.facts) : TIMED_OUT;
    case 'silent':
      await hasPassed(SILENT_MS, signal);
      return TIMED_OUT;
  }
}

/** @returns false if aborted by the signal */
function hasPassed(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, undefined, { signal, ref: false }).then(
    () => true,
    () => false,
  );
}

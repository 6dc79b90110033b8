/** The sandbox's attestation source for test mode: makes no requests, and knows the test calls. */
import { setTimeout as delay } from 'node:timers/promises';
import type { AttestationSource } from '../ports.ts';
import { TEST_CALLS } from './calls.ts';

/** Longer than any source is waited for. */
const SILENT_MS = 120_000;

export function createSandboxAttestations(): AttestationSource {
  return {
    name: 'sandbox',
    async ask({ platformCallId }, signal) {
      const behaves = TEST_CALLS.find((call) => call.platformCallId === platformCallId)?.behaves;
      if (behaves === undefined) return null;
      if (behaves.kind === 'answer') return behaves.answer;
      await delay(SILENT_MS, undefined, { signal, ref: false }).catch(() => undefined);
      return { attestation: null, note: 'attestation_timed_out' };
    },
  };
}

/** The endings of scripts' calls, beyond the scripts' own expectations: the reason, and the records in the database. */
import { expect } from 'vitest';
import type { CallReport } from '../../src/local/scripted-caller/place-call.ts';
import type { ScriptName } from '../../src/local/scripted-caller/scripts.ts';
import { type CallRow, eventually, listCalls, listCharges, readSessionStatus } from '../support/checkouts.ts';
import type { TestProduct } from '../support/product.ts';

/** The reason that the agent receives, and the records of the call and its charges in the database afterwards. */
interface RecordedEnding {
  reason?: string;
  declineCode?: string;
  call: Partial<CallRow>;
  charges: string[];
  /** The session's status. */
  status: 'open' | 'complete';
}

const ENDINGS: Partial<Record<ScriptName, RecordedEnding>> = {
  'decline-then-ok': { call: { outcome: 'succeeded' }, charges: ['failed', 'succeeded'], status: 'complete' },
  declined: {
    reason: 'declined',
    declineCode: 'generic_decline',
    call: { outcome: 'failed', reason: 'declined' },
    charges: ['failed', 'failed', 'failed'],
    status: 'open',
  },
  'star-star': { call: { outcome: 'canceled' }, charges: [], status: 'open' },
  silent: { reason: 'no_input', call: { outcome: 'failed', reason: 'no_input' }, charges: [], status: 'open' },
  'hangup-mid-card': { call: { outcome: 'canceled' }, charges: [], status: 'open' },
  'hangup-while-paying': { call: { outcome: 'succeeded' }, charges: ['succeeded'], status: 'complete' },
  pending: { call: { outcome: 'pending' }, charges: ['pending'], status: 'open' },
};

/** Expects the script's ending, if it has an entry above. */
export async function expectRecorded(
  { testDatabase }: Pick<TestProduct, 'testDatabase'>,
  script: ScriptName,
  { session, headers }: CallReport,
): Promise<void> {
  const ending = ENDINGS[script];
  if (ending === undefined) return;
  expect(headers['X-Ringkey-Reason']).toBe(ending.reason);
  expect(headers['X-Ringkey-Decline-Code']).toBe(ending.declineCode);
  const id = session ?? '';
  // An abandoned call gets its outcome when the line has also ended it.
  await eventually(150_000, async () =>
    expect(await listCalls(testDatabase, id)).toMatchObject([{ ended_at: expect.any(Date), ...ending.call }]),
  );
  const charges = await listCharges(testDatabase, id);
  expect(charges.map(({ status }) => status)).toEqual(ending.charges);
  expect(await readSessionStatus(testDatabase, id)).toBe(ending.status);
}

/** How calls of scripts end, beyond what the scripts themselves expect: the reason, and what the database says. */
import { expect } from 'vitest';
import type { CallReport } from '../../src/local/scripted-caller/place-call.ts';
import type { ScriptName } from '../../src/local/scripted-caller/scripts.ts';
import { type CallRow, eventually, listCalls, listCharges, readSessionStatus } from '../support/checkouts.ts';
import type { TestProduct } from '../support/product.ts';

/** What the agent is told why, and what the database has of the call and its charges afterwards. */
interface Written {
  reason?: string;
  declineCode?: string;
  call: Partial<CallRow>;
  charges: string[];
  /** Of the session. */
  status: 'open' | 'complete';
}

const WRITTEN: Partial<Record<ScriptName, Written>> = {
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

/** Expects it where the script has an entry above. */
export async function expectWritten(
  { testDatabase }: Pick<TestProduct, 'testDatabase'>,
  script: ScriptName,
  { session, headers }: CallReport,
): Promise<void> {
  const written = WRITTEN[script];
  if (written === undefined) return;
  expect(headers['X-Ringkey-Reason']).toBe(written.reason);
  expect(headers['X-Ringkey-Decline-Code']).toBe(written.declineCode);
  const id = session ?? '';
  // A call that was left in the middle gets its outcome when it is over for the line, too.
  await eventually(150_000, async () =>
    expect(await listCalls(testDatabase, id)).toMatchObject([{ ended_at: expect.any(Date), ...written.call }]),
  );
  const charges = await listCharges(testDatabase, id);
  expect(charges.map(({ status }) => status)).toEqual(written.charges);
  expect(await readSessionStatus(testDatabase, id)).toBe(written.status);
}

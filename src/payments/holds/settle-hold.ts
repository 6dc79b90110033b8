/** Writes what became of a hold, in one transaction: its charge, its pending capture or void, and the event. */

import { lockSession } from '../../db/charges/charged-session.ts';
import { releaseDuplicates } from '../../db/charges/late-charges.ts';
import { insertChargeEvents } from '../../db/events/events.ts';
import {
  findLiveChange,
  type HoldEnd,
  lockHold,
  writeChangeOutcome,
  writeHoldEnd,
} from '../../db/holds/hold-changes.ts';
import type { Sql } from '../../db/pool.ts';
import type { Charge } from '../../domain/charge.ts';
import type { HoldChange, HoldChangeFailure } from '../../domain/hold.ts';
import type { HoldAnswer } from '../port/holds.ts';
import { codeOrNull } from '../shared/checked-answers.ts';
import type { PaymentDeps } from '../shared/deps.ts';

export type HoldSettleDeps = Pick<PaymentDeps, 'database' | 'log' | 'onEvents' | 'onHoldEnded'>;

/** The hold's final state, or that its pending change was refused. */
type HoldOutcome = Exclude<HoldAnswer, { status: 'unknown' }> | { status: 'not_received' };

const EVENTS = {
  succeeded: 'charge.captured',
  voided: 'charge.voided',
  expired: 'charge.authorization_expired',
} as const;

/** The hold and its change as in the database now. */
interface SettledHold {
  charge: Charge;
  /** The pending change that the outcome settled; null if there was none. */
  change: HoldChange | null;
}

/** Safe to repeat and to race. @returns null if the charge is gone, or the outcome does not fit it */
export async function settleHold(
  deps: HoldSettleDeps,
  hold: Pick<Charge, 'id' | 'accountId' | 'sessionId' | 'processor'>,
  outcome: HoldOutcome,
): Promise<SettledHold | null> {
  const about = { chargeId: hold.id, processor: hold.processor };
  const settled = await deps.database.transaction(async (sql) => {
    await lockSession(sql, hold.sessionId);
    const charge = await lockHold(sql, hold.accountId, hold.id);
    if (charge === null) return null;
    const live = await findLiveChange(sql, charge.id);
    const pending = live?.status === 'pending' ? live : null;
    const end = endOf(outcome);
    if (end === null || charge.status !== 'authorized') {
      return { charge, ended: false, change: await settleChange(sql, pending, outcome) };
    }
    if (!fits(charge, outcome)) return null;
    const ended = await writeHoldEnd(sql, charge.id, end);
    await insertChargeEvents(sql, charge.id, [EVENTS[end.status]]);
    // It no longer pays for its session, so another charge found paid is no duplicate of it.
    if (end.status !== 'succeeded') await releaseDuplicates(sql, charge.id);
    return { charge: ended ?? charge, ended: ended !== null, change: await settleChange(sql, pending, outcome) };
  });
  if (settled === null) {
    deps.log.error({ ...about, answer: outcome.status }, 'processor reports another capture than was possible');
    return null;
  }
  const { charge, change, ended } = settled;
  if (ended) {
    deps.onEvents?.();
    deps.onHoldEnded?.(charge);
  }
  const end = endOf(outcome);
  if (end !== null && end.capturedCents !== charge.capturedCents) {
    // The outcome is final, but the processor's records differ from ours: a person must correct that.
    const said = { processorSays: outcome.status, processorCents: end.capturedCents };
    deps.log.error({ ...about, status: charge.status, ...said }, 'hold already ended in another way');
  }
  const changed = change && { kind: change.kind, change: change.status, failure: change.failure };
  deps.log.info({ ...about, status: charge.status, ...changed }, 'hold settled');
  return { charge, change };
}

/** Null if the hold is still held. */
function endOf(outcome: HoldOutcome): HoldEnd | null {
  switch (outcome.status) {
    case 'captured':
      return { status: 'succeeded', capturedCents: outcome.captured.amountCents };
    case 'voided':
    case 'expired':
      return { status: outcome.status, capturedCents: null };
    case 'refused':
    case 'not_received':
      return null;
  }
}

function fits({ amount }: Charge, outcome: HoldOutcome): boolean {
  if (outcome.status !== 'captured') return true;
  const { amountCents, currency } = outcome.captured;
  return currency === amount.currency && amountCents >= 1 && amountCents <= amount.amountCents;
}

async function settleChange(sql: Sql, change: HoldChange | null, outcome: HoldOutcome): Promise<HoldChange | null> {
  if (change === null) return null;
  const processorCode = outcome.status === 'refused' ? codeOrNull(outcome.processorCode) : null;
  const reason = failureOf(change, outcome);
  return writeChangeOutcome(sql, change.id, reason === null ? null : { reason, processorCode });
}

/** Null if the outcome is what the change was to do. */
function failureOf({ kind, amount }: HoldChange, outcome: HoldOutcome): HoldChangeFailure | null {
  switch (outcome.status) {
    case 'captured':
      return kind === 'capture' && outcome.captured.amountCents === amount.amountCents ? null : 'captured';
    case 'voided':
      return kind === 'void' ? null : 'voided';
    case 'refused':
      return outcome.reason;
    case 'expired':
    case 'not_received':
      return outcome.status;
  }
}

/**
 * Settles pending captures and voids, and finds holds that have expired or were changed in the processor's dashboard: by
 * the hold's state at the processor. Several processes can do this at once.
 */

import {
  claimDueChanges,
  claimDueHolds,
  type DueChange,
  type DueHold,
  writeStillHeld,
} from '../../db/holds/hold-changes.ts';
import type { Charge } from '../../domain/charge.ts';
import type { HoldChange } from '../../domain/hold.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldState } from '../port/holds.ts';
import { REPEATABLE_MS } from '../port/refunds.ts';
import { checkedHold, paymentIdOf } from '../shared/checked-answers.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from '../shared/resolver.ts';
import { RESOLVE_DELAYS_MS } from '../shared/schedule.ts';
import { chargeOf, type HoldDeps, sendChange } from './change-hold.ts';
import { settleHold } from './settle-hold.ts';

export type HoldResolveDeps = Omit<HoldDeps, 'inFlight' | 'onPending'>;

/** From one reading of a hold whose time is over, but that is still held or could not be read, to the next. */
const HOLD_AGAIN_MS = 600_000;

/** Settles one batch of due captures and voids, all at once. @param stop ends the waits */
export async function resolveDueChanges(deps: HoldResolveDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimDueChanges(deps.database, BATCH, RESOLVE_DELAYS_MS);
  const failure = 'pending capture or void not resolved, will retry';
  return runBatch(deps.log, due, failure, (item) => resolveChange(deps, item, stop));
}

async function resolveChange(deps: HoldResolveDeps, due: DueChange, stop: AbortSignal): Promise<void> {
  const { change, ageMs, attempt, last } = due;
  const charge = await chargeOf(deps.database, change);
  const state = await readState(deps, change, ageMs, stop);
  const answer = state.status === 'held' ? await sendAgain(deps, charge, due, stop) : state;
  if (answer.status !== 'unknown') {
    await settleHold(deps, charge, answer);
    return;
  }
  const about = { chargeId: charge.id, processor: charge.processor, kind: change.kind };
  const fields = { ...about, attempt, cause: answer.cause };
  if (last) deps.log.error(fields, 'pending capture or void given up: look it up at the processor');
  else deps.log.info(fields, 'capture or void still pending');
}

/** It is still held, so the request never arrived. A hold is captured or voided once, however often that is sent. */
function sendAgain(deps: HoldResolveDeps, charge: Charge, { change, ageMs }: DueChange, stop: AbortSignal) {
  if (ageMs >= REPEATABLE_MS) return { status: 'not_received' } as const;
  return sendChange(deps, charge, change, stop);
}

function readState(
  deps: HoldResolveDeps,
  row: Charge | HoldChange,
  ageMs: number,
  stop: AbortSignal,
): Promise<HoldState | Unknown> {
  const [chargeId, processorPaymentId] = ['chargeId' in row ? row.chargeId : row.id, row.processorPaymentId];
  return lookUpAtProcessor<HoldState | Unknown>(
    deps,
    row,
    ageMs,
    async (processor, { mode, credentials }, signal) => {
      if (processorPaymentId === null) return unknown('no payment id');
      const of = { chargeId, mode, processorPaymentId };
      const id = await paymentIdOf(deps.database, processor, of, credentials, signal);
      if (id === null) return unknown('payment id withheld');
      const request = { chargeId, mode, credentials, processorPaymentId: id };
      if (processor.holds === null) return unknown('no holds there');
      return checkedHold(await processor.holds.read(request, signal));
    },
    stop,
  );
}

/** Reads one batch of holds whose time is over, all at once. @param stop ends the waits */
export async function checkDueHolds(deps: HoldResolveDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimDueHolds(deps.database, BATCH, HOLD_AGAIN_MS);
  return runBatch(deps.log, due, 'hold not read, will retry', (item) => checkHold(deps, item, stop));
}

async function checkHold(deps: HoldResolveDeps, { charge, ageMs }: DueHold, stop: AbortSignal): Promise<void> {
  const state = await readState(deps, charge, ageMs, stop);
  if (state.status === 'unknown') {
    deps.log.warn({ chargeId: charge.id, processor: charge.processor, cause: state.cause }, 'hold not read');
  } else if (state.status === 'held') {
    await writeStillHeld(deps.database, charge.id, state.captureBefore);
  } else {
    await settleHold(deps, charge, state);
  }
}

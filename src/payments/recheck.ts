/**
 * Looks again at charges that were called failed because the processor did not have them, after an hour and after a day. One
 * that was paid after all is for a person: its outcome was told and is final, and the caller may have paid another way.
 */
import { claimRechecks, type DueRecheck } from '../db/charges/rechecks.ts';
import type { NotFound, ProcessorAnswer } from './ports.ts';
import type { ResolveDeps } from './resolve.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from './resolver.ts';
import { SECOND_RECHECK_MS } from './schedule.ts';

export type RecheckDeps = Pick<ResolveDeps, 'database' | 'processors' | 'log' | 'credentialsFor'> & {
  /** For the counts: a charge that was called failed was paid. */
  onLateSuccess?: (charge: Pick<DueRecheck, 'processor' | 'source'>) => void;
};

/** Looks at one batch, all at once. @param stop ends the waits */
export async function recheckDueCharges(deps: RecheckDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimRechecks(deps.database, BATCH, SECOND_RECHECK_MS);
  return runBatch(deps.log, due, 'failed charge not looked at again', (charge) => recheckCharge(deps, charge, stop));
}

async function recheckCharge(deps: RecheckDeps, charge: DueRecheck, stop: AbortSignal): Promise<void> {
  const { id: chargeId, processor } = charge;
  const answer = await lookUpAtProcessor<ProcessorAnswer | NotFound>(
    deps,
    charge,
    charge.ageMs,
    (adapter, request, signal) => adapter.lookUp({ ...request, chargeId }, signal),
    stop,
  );
  if (answer.status !== 'succeeded') return;
  const { processorPaymentId } = answer;
  deps.log.error(
    { chargeId, processor, processorPaymentId },
    'a charge that was called failed was paid: refund it there',
  );
  deps.onLateSuccess?.(charge);
}

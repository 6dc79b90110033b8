/**
 * Looks up failed charges again if they failed because the processor did not have them: after an hour and after a day.
 * A lookup without an answer is repeated. If the charge was paid after all, late-success.ts records that.
 */
import { claimRechecks, type DueRecheck, repeatRecheck } from '../../db/charges/rechecks.ts';
import { isVerification } from '../../domain/charge.ts';
import { type Debited, isApproved, type NotFound, type ProcessorAnswer } from '../port/answers.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from '../shared/resolver.ts';
import {
  DEBIT_CHECK_MS,
  DEBIT_LIMIT_MS,
  LAST_RECHECK_AGE_MS,
  REPEATED_RECHECK_MS,
  SECOND_RECHECK_MS,
} from '../shared/schedule.ts';
import { type LateDeps, recordLateSuccess } from './late-success.ts';
import type { ResolveDeps } from './resolve-charges.ts';

export type RecheckDeps = Pick<ResolveDeps, 'database' | 'processors' | 'log' | 'credentialsFor'> & LateDeps;

/**
 * Looks up one batch, all at once.
 * @param stop ends the waits
 */
export async function recheckDueCharges(deps: RecheckDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimRechecks(deps.database, BATCH, SECOND_RECHECK_MS);
  return runBatch(deps.log, due, 'failed charge not checked again, will retry', (charge) =>
    recheckCharge(deps, charge, stop),
  );
}

async function recheckCharge(deps: RecheckDeps, charge: DueRecheck, stop: AbortSignal): Promise<void> {
  const { id: chargeId } = charge;
  const looked = await lookUpAtProcessor<ProcessorAnswer | NotFound>(
    deps,
    charge,
    charge.ageMs,
    (adapter, request, signal) =>
      adapter.lookUp({ ...request, chargeId, isVerification: isVerification(charge) }, signal),
    stop,
  );
  const answer = checkedAnswer(deps.log, charge, looked);
  if (answer.status === 'unknown') return repeatLook(deps, charge, answer.cause);
  if (answer.status === 'debited') return awaitDebit(deps, charge, answer);
  if (isApproved(answer)) await recordLateSuccess(deps, charge, answer);
}

/** The processor has accepted the bank debit after all. Looks again until the bank has settled or returned it. */
async function awaitDebit({ database, log }: RecheckDeps, charge: DueRecheck, answer: Debited): Promise<void> {
  const { id: chargeId, processor, ageMs } = charge;
  const { processorPaymentId } = answer;
  const isOver = ageMs >= DEBIT_LIMIT_MS;
  if (!isOver) await repeatRecheck(database, chargeId, answer.settlesInMs ?? DEBIT_CHECK_MS);
  log.error(
    { chargeId, processor, processorPaymentId },
    isOver
      ? 'a debit of a charge reported as failed has no outcome: look it up at the processor'
      : 'a bank debit was accepted whose charge was reported as failed, will look again',
  );
}

async function repeatLook({ database, log }: RecheckDeps, { id, ageMs }: DueRecheck, cause: string): Promise<void> {
  if (ageMs < LAST_RECHECK_AGE_MS) return repeatRecheck(database, id, REPEATED_RECHECK_MS);
  log.error(
    { chargeId: id, cause },
    'a charge reported as failed could not be checked again: look it up at the processor',
  );
}

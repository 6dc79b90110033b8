/**
 * Looks again at charges that were called failed because the processor did not have them, after an hour and after a day; a look
 * that the processor does not answer is repeated. A charge that was paid after all is for a person: its outcome was told and is
 * final, and the caller may have paid another way. A session that is still open ends then, so that it is not paid twice.
 */
import { insertAuditEvent } from '../db/audit/audit-events.ts';
import { claimRechecks, type DueRecheck, endRechecks, repeatRecheck } from '../db/charges/rechecks.ts';
import { endSessionNow } from '../db/sessions/sessions.ts';
import { SYSTEM } from '../domain/audit.ts';
import type { NotFound, ProcessorAnswer } from './ports.ts';
import type { ResolveDeps } from './resolve.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from './resolver.ts';
import { LAST_RECHECK_AGE_MS, REPEATED_RECHECK_MS, SECOND_RECHECK_MS } from './schedule.ts';

export type RecheckDeps = Pick<ResolveDeps, 'database' | 'processors' | 'log' | 'credentialsFor'> & {
  /** For the counts: a charge that was called failed was paid. */
  onLateSuccess?: (charge: Pick<DueRecheck, 'processor' | 'source' | 'sessionId'>) => void;
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
  if (answer.status === 'unknown') return repeatLook(deps, charge, answer.cause);
  if (answer.status !== 'succeeded') return;
  const { processorPaymentId } = answer;
  if (!(await writeLateSuccess(deps, charge, processorPaymentId))) return;
  deps.log.error(
    { chargeId, processor, processorPaymentId },
    'a charge that was called failed was paid: refund it there',
  );
  deps.onLateSuccess?.(charge);
}

async function repeatLook({ database, log }: RecheckDeps, { id, ageMs }: DueRecheck, cause: string): Promise<void> {
  if (ageMs < LAST_RECHECK_AGE_MS) return repeatRecheck(database, id, REPEATED_RECHECK_MS);
  log.error({ chargeId: id, cause }, 'a charge that was called failed could not be looked at again: ask the processor');
}

/** @returns false where it was written before */
function writeLateSuccess({ database }: RecheckDeps, charge: DueRecheck, processorPaymentId: string): Promise<boolean> {
  return database.transaction(async (sql) => {
    if (!(await endRechecks(sql, charge.id))) return false;
    const { accountId, mode, id: objectId, amount, processor, sessionId } = charge;
    const paid = { processor, processor_payment_id: processorPaymentId };
    const changes = { ...paid, amount_cents: amount.amountCents, currency: amount.currency };
    await insertAuditEvent(sql, SYSTEM, { accountId, mode, action: 'charge.paid_late', objectId, changes });
    await endSessionNow(sql, sessionId);
    return true;
  });
}

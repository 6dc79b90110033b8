/**
 * Bank debits that the bank returns after they were paid, such as one that the payer says was not authorized (R10). The
 * charge fails, with `returnedAt`: its order counts as unpaid again. Nothing is debited again here. Nacha allows that only
 * after R01 and R09, and the payer has authorized one debit.
 */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { lockSession } from '../../db/charges/charged-session.ts';
import {
  checkReturnSoon,
  claimReturnChecks,
  type DueReturnCheck,
  endReturnChecks,
  insertReturnCheck,
  writeReturned,
} from '../../db/charges/debit-returns.ts';
import { releaseDuplicates } from '../../db/charges/late-charges.ts';
import { insertChargeEvents } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { SYSTEM } from '../../domain/audit.ts';
import type { Charge } from '../../domain/charge.ts';
import {
  type Authorized,
  type Declined,
  isApproved,
  type NotFound,
  type ProcessorAnswer,
  type Succeeded,
} from '../port/answers.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import type { PaymentDeps } from '../shared/deps.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from '../shared/resolver.ts';
import { RETURN_CHECK_MS, RETURN_LIMIT_MS } from '../shared/schedule.ts';

type ReturnDeps = Pick<PaymentDeps, 'database' | 'log' | 'onEvents'>;
type ReturnCheckDeps = ReturnDeps & Pick<PaymentDeps, 'processors' | 'credentialsFor'>;

/** A paid bank debit can still be returned. */
export async function expectReturn(sql: Sql, charge: Charge, paid: Succeeded | Authorized): Promise<void> {
  if (charge.paymentMethod !== 'us_bank_account') return;
  await insertReturnCheck(sql, charge, paid.returnCheckInMs ?? RETURN_CHECK_MS);
}

/** Looks up one batch of paid debits, all at once. @param stop ends the waits */
export async function checkDueReturns(deps: ReturnCheckDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimReturnChecks(deps.database, BATCH, RETURN_CHECK_MS);
  const failure = 'paid bank debit not looked up, will retry';
  return runBatch(deps.log, due, failure, (item) => checkReturn(deps, item, stop));
}

async function checkReturn(deps: ReturnCheckDeps, due: DueReturnCheck, stop: AbortSignal): Promise<void> {
  const { charge, ageMs, paidForMs } = due;
  const { id: chargeId, processorPaymentId } = charge;
  const looked = await lookUpAtProcessor<ProcessorAnswer | NotFound>(
    deps,
    charge,
    ageMs,
    (adapter, request, signal) => adapter.lookUp({ ...request, chargeId, processorPaymentId }, signal),
    stop,
  );
  const answer = checkedAnswer(deps.log, charge, looked);
  if (answer.status === 'declined') {
    await recordReturn(deps, charge, answer);
    return;
  }
  // An answer that is missing or unclear says nothing: the next lookup is as good, until the limit.
  if (paidForMs >= RETURN_LIMIT_MS) return endReturnChecks(deps.database, chargeId);
  const soonMs = isApproved(answer) ? answer.returnCheckInMs : undefined;
  if (soonMs !== undefined) await checkReturnSoon(deps.database, chargeId, soonMs);
}

/**
 * Safe to repeat and to race.
 * @param declined checked, see checked-answers.ts
 * @returns null if the charge is no paid debit (any more)
 */
export async function recordReturn(deps: ReturnDeps, charge: Charge, declined: Declined): Promise<Charge | null> {
  const { id: chargeId, processor } = charge;
  const returned = await deps.database.transaction(async (sql) => {
    await lockSession(sql, charge.sessionId);
    const written = await writeReturned(sql, charge, declined);
    if (written === null) return null;
    const { accountId, mode, processorCode } = written;
    const changes = { status: { from: 'succeeded', to: 'failed' }, processor_code: processorCode };
    await insertAuditEvent(sql, SYSTEM, { accountId, mode, action: 'charge.returned', objectId: chargeId, changes });
    await insertChargeEvents(sql, chargeId, ['charge.returned']);
    // It no longer pays for its order, so another charge found paid is no duplicate of it.
    await releaseDuplicates(sql, chargeId);
    return written;
  });
  if (returned === null) return null;
  deps.onEvents?.();
  deps.log.warn({ chargeId, processor, processorCode: returned.processorCode }, 'paid bank debit was returned');
  return returned;
}

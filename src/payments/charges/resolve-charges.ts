/** Settles pending charges: looks them up at the processor. Several processes can do this at once. */

import { claimDueCharges, type DueCharge, scheduleResolve } from '../../db/charges/charges.ts';
import { awaitsBank, awaitsPayer, isVerification } from '../../domain/charge.ts';
import {
  type Debited,
  isApproved,
  type NotFound,
  type NotOrdered,
  type ProcessorAnswer,
  type Settlement,
  type Unknown,
  unknown,
} from '../port/answers.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import { type PaymentDeps, processorOf, timingsOf } from '../shared/deps.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from '../shared/resolver.ts';
import { DEBIT_CHECK_MS, DEBIT_LIMIT_MS, RESOLVE_DELAYS_MS } from '../shared/schedule.ts';
import { endWaiting, goOnWaiting, readWaiting } from './resolve-waiting.ts';
import { leaveDebited, leavePending, NOT_RECEIVED, type SettleDeps, settleCharge } from './settle-charge.ts';

export type ResolveDeps = SettleDeps & Pick<PaymentDeps, 'processors' | 'timings' | 'credentialsFor'>;

/** For safety: a request may wait in a queue of the network or the processor. */
const MARGIN_MS = 60_000;

/**
 * Looks up one batch of due charges, all at once.
 * @param stop ends the waits; an interrupted lookup is repeated at the charge's next time
 */
export async function resolveDueCharges(deps: ResolveDeps, stop: AbortSignal): Promise<Batch> {
  const due = await claimDueCharges(deps.database, BATCH, RESOLVE_DELAYS_MS);
  const failure = 'pending charge not resolved, will retry';
  return runBatch(deps.log, due, failure, (item) => resolveCharge(deps, item, stop));
}

async function resolveCharge(deps: ResolveDeps, due: DueCharge, stop: AbortSignal): Promise<void> {
  const { charge, ageMs, attempt } = due;
  const waited = awaitsPayer(charge);
  const said = checkedAnswer(deps.log, charge, await (waited ? readWaiting : lookUp)(deps, due, stop));
  if (said.status === 'debited') return keepDebited(deps, due, said);
  // The processor had accepted the debit, so a list without it says nothing.
  const isMissing = said.status === 'not_found' && awaitsBank(charge);
  const answer = isMissing ? unknown('debit_not_found') : said;
  if (answer.status === 'action_required') return goOnWaiting(deps, due, answer, stop);
  const lostInMs = lostAfterMs(deps, charge.processor) - ageMs;
  const settlement = settlementOf(answer, lostInMs <= 0);
  // A process may have died, or lost the database, before it wrote `checkout.pending`. It is always written before a
  // failure, because only a caller with that event is texted that nothing was charged. The outcome of a charge that
  // waited for its payer is not in doubt.
  if (!waited && (settlement === null ? attempt === 1 : !isApproved(settlement))) {
    await leavePending(deps, charge, RESOLVE_DELAYS_MS[0] ?? 0);
    deps.onEvents?.();
  }
  if (waited && settlement === null) await endWaiting(deps, due);
  if (settlement !== null) {
    await settleCharge(deps, charge, settlement);
    return;
  }
  // The next lookup runs when `not_found` means "never", not minutes later.
  if (answer.status === 'not_found') await scheduleResolve(deps.database, charge.id, Math.ceil(lostInMs));
  const cause = 'cause' in answer ? { cause: answer.cause } : {};
  const fields = { chargeId: charge.id, processor: charge.processor, attempt, answer: answer.status, ...cause };
  if (due.last) deps.log.error(fields, 'pending charge given up: look it up at the processor and settle it');
  else deps.log.info(fields, 'charge still pending');
}

/** The bank has not answered yet. */
async function keepDebited(deps: ResolveDeps, { charge, ageMs }: DueCharge, answer: Debited): Promise<void> {
  const isOver = ageMs >= DEBIT_LIMIT_MS;
  const checkAfterMs = answer.settlesInMs ?? DEBIT_CHECK_MS;
  await leaveDebited(deps, charge, answer.processorPaymentId, isOver ? null : checkAfterMs);
  if (charge.debitedAt === null) deps.onEvents?.();
  const fields = { chargeId: charge.id, processor: charge.processor };
  if (isOver) deps.log.error(fields, 'bank debit without an outcome: look it up at the processor and settle it');
}

function lookUp(deps: ResolveDeps, { charge, ageMs }: DueCharge, stop: AbortSignal) {
  return lookUpAtProcessor<ProcessorAnswer | NotFound>(
    deps,
    charge,
    ageMs,
    (processor, request, signal) =>
      processor.lookUp(
        {
          ...request,
          chargeId: charge.id,
          isVerification: isVerification(charge),
          processorPaymentId: charge.processorPaymentId,
          settles: charge.amount,
        },
        signal,
      ),
    stop,
  );
}

/** @param isLost the charge is so old that `not_found` means "never" */
function settlementOf(answer: Settlement | Unknown | NotOrdered | NotFound, isLost: boolean): Settlement | null {
  if (answer.status === 'not_found') return isLost || answer.never === true ? NOT_RECEIVED : null;
  return answer.status === 'unknown' || answer.status === 'not_ordered' ? null : answer;
}

/**
 * The age at which `not_found` means "never": the window in which we send, the request's time limit, and the lag of the
 * processor's lookup.
 */
function lostAfterMs(deps: ResolveDeps, processor: string): number {
  const { sendWindowMs, processorLimitMs } = timingsOf(deps);
  return sendWindowMs + processorLimitMs + (processorOf(deps, processor)?.lookUpLagMs ?? 0) + MARGIN_MS;
}

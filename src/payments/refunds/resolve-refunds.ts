/** Settles pending refunds: looks them up at the processor, and resends those that it never received. */

import { claimDueRefunds, type DueRefund } from '../../db/refunds/refund-lists.ts';
import type { RefundSettlement } from '../../db/refunds/refunds.ts';
import type { RefundFailure } from '../../domain/refund.ts';
import { stopwatch } from '../../lib/concurrency/time-limit.ts';
import { type NotFound, unknown } from '../port/answers.ts';
import { REPEATABLE_MS, type RefundAnswer } from '../port/refunds.ts';
import { paymentIdOf } from '../shared/checked-answers.ts';
import { processorOf } from '../shared/deps.ts';
import { BATCH, type Batch, lookUpAtProcessor, runBatch } from '../shared/resolver.ts';
import { REFUND_RESOLVE_DELAYS_MS } from '../shared/schedule.ts';
import { type RefundDeps, sendRefund, withRefundLimits } from './refund.ts';
import { writeRefundAnswer } from './settle-refund.ts';

export type RefundResolveDeps = Pick<
  RefundDeps,
  'database' | 'processors' | 'log' | 'timings' | 'credentialsFor' | 'onRefund'
>;

/** The refund was resent for half a day, and the processor never received it. */
const NOT_RECEIVED: RefundSettlement = { status: 'failed', reason: 'not_received', processorCode: null };

/**
 * Looks up one batch of due refunds, all at once.
 * @param stop ends the waits; an interrupted lookup is repeated at the refund's next time
 */
export async function resolveDueRefunds(deps: RefundResolveDeps, stop: AbortSignal): Promise<Batch> {
  const sinceClaimMs = stopwatch();
  const due = await claimDueRefunds(deps.database, BATCH, REFUND_RESOLVE_DELAYS_MS);
  const limited = withRefundLimits(deps);
  const failure = 'pending refund not resolved, will retry';
  return runBatch(deps.log, due, failure, (item) => resolveRefund(limited, item, sinceClaimMs, stop));
}

async function resolveRefund(
  deps: RefundResolveDeps,
  due: DueRefund,
  sinceClaimMs: () => number,
  stop: AbortSignal,
): Promise<void> {
  const { refund, ageMs, attempt, last } = due;
  const { processorRefundId } = refund;
  const found = await lookUpAtProcessor<RefundAnswer | NotFound>(
    deps,
    refund,
    ageMs,
    async (processor, request, signal) => {
      const processorPaymentId = await paymentIdOf(deps.database, processor, refund, request.credentials, signal);
      if (processorPaymentId === null) return unknown('payment id withheld');
      const { id: refundId, chargeId, amount } = refund;
      const lookup = { ...request, refundId, chargeId, amount, processorPaymentId, processorRefundId };
      return processor.refunds?.lookUp(lookup, signal) ?? unknown('no refunds there');
    },
    stop,
  );
  const answer = found.status === 'not_found' ? await sendAgain(deps, due, sinceClaimMs, stop) : found;
  const { status } = await writeRefundAnswer(deps, refund, answer, null);
  if (status === 'pending' && last) {
    const fields = { refundId: refund.id, processor: refund.processor, attempt };
    deps.log.error(fields, 'pending refund given up: look it up at the processor and settle it');
  }
}

/** Resends a refund that the processor does not have. */
async function sendAgain(
  deps: RefundResolveDeps,
  { refund, ageMs }: DueRefund,
  sinceClaimMs: () => number,
  stop: AbortSignal,
): Promise<RefundAnswer | RefundSettlement> {
  // The processor has given it an ID, so it must exist there.
  if (refund.processorRefundId !== null) return unknown('vanished');
  if (ageMs >= REPEATABLE_MS) return NOT_RECEIVED;
  const answer = await sendRefund(deps, refund, sinceClaimMs, stop);
  const lagMs = processorOf(deps, refund.processor)?.lookUpLagMs ?? 0;
  const isTooMuch = answer.status === 'failed' && TOO_MUCH.includes(answer.reason);
  // The first attempt may already have refunded the money without showing in the processor's list yet.
  return isTooMuch && ageMs < lagMs ? unknown(answer.reason) : answer;
}

const TOO_MUCH: readonly RefundFailure[] = ['already_refunded', 'amount_too_large'];

/** Settles the refunds that were left pending: looks them up at the processor, and sends again what it never got. */
import type { RefundFailure } from '../domain/refund.ts';
import { isConnectedSince } from '../db/merchants/merchant-processors.ts';
import { claimDueRefunds, type DueRefund } from '../db/refunds/refund-lists.ts';
import type { RefundSettlement } from '../db/refunds/refunds.ts';
import { stopwatch, withinLimit } from '../concurrency/time-limit.ts';
import { REPEATABLE_MS, type RefundAnswer } from './ports.ts';
import { meansFor, type RefundDeps, requestOf, sendRefund, withRefundLimits } from './refund.ts';
import { REFUND_RESOLVE_DELAYS_MS } from './schedule.ts';
import { writeRefundAnswer } from './settle-refund.ts';

export type RefundResolveDeps = Pick<
  RefundDeps,
  'database' | 'processors' | 'log' | 'timings' | 'credentialsFor' | 'onRefund'
>;

const BATCH = 20;
const LOOK_UP_LIMIT_MS = 10_000;

/** The refund was sent again for half a day, and the processor never took it. */
const NOT_RECEIVED: RefundSettlement = { status: 'failed', reason: 'not_received', processorCode: null };

/**
 * Looks up one batch of due refunds, all at once.
 * @param stop ends the waits; what is cut short is looked up again at its next time
 * @returns how many were due, and whether there may be more
 */
export async function resolveDueRefunds(
  deps: RefundResolveDeps,
  stop: AbortSignal,
): Promise<{ claimed: number; more: boolean }> {
  const sinceClaimMs = stopwatch();
  const due = await claimDueRefunds(deps.database, BATCH, REFUND_RESOLVE_DELAYS_MS);
  const limited = withRefundLimits(deps);
  const results = await Promise.allSettled(due.map((item) => resolveRefund(limited, item, sinceClaimMs, stop)));
  for (const result of results) {
    if (result.status === 'rejected') {
      deps.log.warn({ err: result.reason }, 'pending refund not resolved, will be tried again');
    }
  }
  return { claimed: due.length, more: due.length === BATCH };
}

async function resolveRefund(
  deps: RefundResolveDeps,
  due: DueRefund,
  sinceClaimMs: () => number,
  stop: AbortSignal,
): Promise<void> {
  const { refund, attempt, last } = due;
  const found = await lookUpRefund(deps, due, stop);
  const answer = found.status === 'not_found' ? await sendAgain(deps, due, sinceClaimMs, stop) : found;
  const { status } = await writeRefundAnswer(deps, refund, answer, null);
  if (status === 'pending' && last) {
    const fields = { refundId: refund.id, processor: refund.processor, attempt };
    deps.log.error(fields, 'pending refund given up: ask the processor and settle it by hand');
  }
}

type LookUp = RefundAnswer | { status: 'not_found' };

async function lookUpRefund(deps: RefundResolveDeps, { refund, ageMs }: DueRefund, stop: AbortSignal): Promise<LookUp> {
  try {
    const means = await meansFor(deps, refund);
    // Even where the credentials are gone by now: the refund may have been made with earlier ones.
    if ('status' in means) return { status: 'unknown', cause: 'processor or its credentials not there' };
    const { processorRefundId, createdAt: begunAt } = refund;
    const askedAt = new Date(begunAt.getTime() + ageMs);
    const request = { ...requestOf(refund, means.credentials), processorRefundId, begunAt, askedAt };
    const answer = await withinLimit(LOOK_UP_LIMIT_MS, (signal) => means.refunds.lookUp(request, signal), stop);
    if (answer.status !== 'not_found' || !means.needsCredentials) return answer;
    // Another account, or another place of it, knows nothing of the refund, whatever became of it.
    const isElsewhere = await isConnectedSince(deps.database, refund);
    return isElsewhere ? { status: 'unknown', cause: 'connected anew' } : answer;
  } catch (error) {
    deps.log.error({ err: error, refundId: refund.id, processor: refund.processor }, 'refund look-up failed');
    return { status: 'unknown', cause: 'adapter' };
  }
}

/** Sends a refund again that the processor says it does not have. */
async function sendAgain(
  deps: RefundResolveDeps,
  { refund, ageMs }: DueRefund,
  sinceClaimMs: () => number,
  stop: AbortSignal,
): Promise<RefundAnswer | RefundSettlement> {
  // The processor gave it an id before, so it must be there.
  if (refund.processorRefundId !== null) return { status: 'unknown', cause: 'vanished' };
  if (ageMs >= REPEATABLE_MS) return NOT_RECEIVED;
  const answer = await sendRefund(deps, refund, sinceClaimMs, stop);
  const lagMs = deps.processors.find(({ name }) => name === refund.processor)?.lookUpLagMs ?? 0;
  const isTooMuch = answer.status === 'failed' && TOO_MUCH.includes(answer.reason);
  // The refund's own first try may have taken the money already, and not show in the processor's list yet.
  return isTooMuch && ageMs < lagMs ? { status: 'unknown', cause: answer.reason } : answer;
}

const TOO_MUCH: readonly RefundFailure[] = ['already_refunded', 'amount_too_large'];

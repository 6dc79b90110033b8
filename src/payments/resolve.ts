/** Settles the charges that were left pending: looks them up at the processor. Several may run at once. */
import { claimDueCharges, type DueCharge } from '../db/charges/charges.ts';
import { isConnectedSince } from '../db/merchants/merchant-processors.ts';
import { withinLimit } from '../concurrency/time-limit.ts';
import { credentialsOf, type PaymentDeps, timingsOf } from './deps.ts';
import type { Processor, ProcessorAnswer, Settlement } from './ports.ts';
import { RESOLVE_DELAYS_MS } from './schedule.ts';
import { leavePending, NOT_RECEIVED, settleCharge } from './settle-charge.ts';

export type ResolveDeps = Pick<
  PaymentDeps,
  'database' | 'processors' | 'log' | 'timings' | 'credentialsFor' | 'vault' | 'onCard' | 'onEvents' | 'onSettled'
>;

const BATCH = 20;
const LOOK_UP_LIMIT_MS = 10_000;
/** Added for safety: a request may wait for a while in a queue of the network or the processor. */
const MARGIN_MS = 60_000;

/**
 * Looks up one batch of due charges, all at once.
 * @param stop ends the waits; what is cut short is looked up again at its next time
 * @returns how many were due, and whether there may be more
 */
export async function resolveDueCharges(
  deps: ResolveDeps,
  stop: AbortSignal,
): Promise<{ claimed: number; more: boolean }> {
  const due = await claimDueCharges(deps.database, BATCH, RESOLVE_DELAYS_MS);
  const failed = (await Promise.allSettled(due.map((item) => resolveCharge(deps, item, stop)))).filter(
    (result) => result.status === 'rejected',
  );
  for (const { reason } of failed) deps.log.warn({ err: reason }, 'pending charge not resolved, will be tried again');
  return { claimed: due.length, more: due.length === BATCH };
}

async function resolveCharge(deps: ResolveDeps, due: DueCharge, stop: AbortSignal): Promise<void> {
  const { charge, attempt } = due;
  const processor = deps.processors.find((candidate) => candidate.name === charge.processor);
  const answer = processor === undefined ? UNKNOWN_PROCESSOR : await lookUpCharge(deps, processor, due, stop);
  const settlement = settlementOf(answer, due, lostAfterMs(deps, processor));
  // `checkout.pending` is written also for a charge whose process died, or lost the database, before it could write it;
  // and always before a failure: only a caller with that event is texted that nothing was taken.
  if (settlement === null ? attempt === 1 : settlement.status === 'declined') {
    await leavePending(deps.database, charge.id, RESOLVE_DELAYS_MS[0] ?? 0);
    deps.onEvents?.();
  }
  if (settlement !== null) {
    await settleCharge(deps, charge, settlement);
    return;
  }
  const cause = answer.status === 'unknown' ? { cause: answer.cause } : {};
  const fields = { chargeId: charge.id, processor: charge.processor, attempt, answer: answer.status, ...cause };
  if (due.last) deps.log.error(fields, 'pending charge given up: ask the processor and settle it by hand');
  else deps.log.info(fields, 'charge still pending');
}

const UNKNOWN_PROCESSOR: ProcessorAnswer = { status: 'unknown', cause: 'processor not configured' };

const WITHOUT_CREDENTIALS: ProcessorAnswer = { status: 'unknown', cause: 'no usable credentials' };

type LookUp = ProcessorAnswer | { status: 'not_found' };

async function lookUpCharge(
  deps: ResolveDeps,
  processor: Processor,
  { charge, ageMs }: DueCharge,
  stop: AbortSignal,
): Promise<LookUp> {
  try {
    const credentials = await credentialsOf(deps, processor, charge);
    if (credentials === null) return WITHOUT_CREDENTIALS;
    const { id: chargeId, mode, createdAt: begunAt } = charge;
    const askedAt = new Date(begunAt.getTime() + ageMs);
    const request = { chargeId, mode, begunAt, askedAt, credentials };
    const answer = await withinLimit(LOOK_UP_LIMIT_MS, (signal) => processor.lookUp(request, signal), stop);
    if (answer.status !== 'not_found' || !processor.needsCredentials) return answer;
    // Another account, or another place of it, knows nothing of the charge, whatever became of it.
    const isElsewhere = await isConnectedSince(deps.database, charge);
    return isElsewhere ? { status: 'unknown', cause: 'connected anew' } : answer;
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id, processor: processor.name }, 'processor look-up failed');
    return { status: 'unknown', cause: 'adapter' };
  }
}

function settlementOf(answer: LookUp, due: DueCharge, lostMs: number): Settlement | null {
  switch (answer.status) {
    case 'succeeded':
    case 'declined':
      return answer;
    case 'not_found':
      return due.ageMs >= lostMs ? NOT_RECEIVED : null;
    case 'unknown':
      return null;
  }
}

/**
 * The age from which `not_found` means "never": after the window in which we send, the time the request may be under
 * way, and the time the processor's own look-up lags behind.
 */
function lostAfterMs(deps: ResolveDeps, processor: Processor | undefined): number {
  const { sendWindowMs, processorLimitMs } = timingsOf(deps);
  return sendWindowMs + processorLimitMs + (processor?.lookUpLagMs ?? 0) + MARGIN_MS;
}

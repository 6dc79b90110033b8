/**
 * Refunds: the one path that gives money back, built like take-payment.ts.
 *
 * 1. A short transaction locks the charge, judges it and writes the `pending` refund: never more than is left.
 * 2. The processor is asked once, with the refund id as its idempotency key.
 * 3. One transaction writes the outcome and its event.
 *
 * A crash anywhere leaves a `pending` refund, which the resolver settles (refund-resolve.ts). There is no card in a refund,
 * so unlike a charge it may be sent again, under its key.
 */
import { newId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import { isDuplicate } from '../db/duplicate.ts';
import { isTransient } from '../db/transient.ts';
import { withRetries } from '../concurrency/retries.ts';
import { stopwatch, withinLimit } from '../concurrency/time-limit.ts';
import { type BegunRefund, beginRefund, type RefundRefusal, type RefundToBegin } from './begin-refund.ts';
import { credentialsOf, type Log, type PaymentDeps, timingsOf } from './deps.ts';
import type { Credentials, RefundAnswer, Refunds } from './ports.ts';
import { RESOLVE_AFTER_MS } from './schedule.ts';
import { type RefundSettleDeps, writeRefundAnswer } from './settle-refund.ts';

export type RefundOrder = Omit<RefundToBegin, 'id' | 'processors' | 'resolveAfterMs'> & {
  /** Names the request that the refund is made for; the process's own log where not given. */
  log?: Log;
};

export type RefundDeps = Omit<PaymentDeps, 'fingerprint' | 'velocity' | 'vault' | 'onCard'> & RefundSettleDeps;

export type RefundResult =
  /** As it is in the database. Pending and without the processor's id: not known whether the processor has it. */
  | { type: 'refund'; refund: Refund }
  /** Nothing was begun. `unavailable`: the database is away. */
  | { type: 'refused'; reason: RefundRefusal | 'unavailable' };

/** Together no longer than an HTTP request may take. */
const LIMITS = { processorLimitMs: 18_000, recordLimitMs: 5_000 };

/** `deps` with the limits of refunds, where they have none of their own. */
export function withRefundLimits<T extends Pick<PaymentDeps, 'timings'>>(deps: T): T {
  return { ...deps, timings: { ...LIMITS, ...deps.timings } };
}

/** Makes a refund. Goes on to its end whatever becomes of the request; `deps.inFlight` knows of it. */
export function refundCharge(deps: RefundDeps, { log = deps.log, ...order }: RefundOrder): Promise<RefundResult> {
  return deps.inFlight.track(beginAndSendRefund(withRefundLimits({ ...deps, log }), order));
}

async function beginAndSendRefund(deps: RefundDeps, order: Omit<RefundOrder, 'log'>): Promise<RefundResult> {
  const sinceStartMs = stopwatch();
  const begun = await beginRefundWithRetries(deps, order);
  if (begun === 'unavailable') return { type: 'refused', reason: begun };
  if (begun.type === 'refused') return begun;
  if (begun.type === 'earlier') return { type: 'refund', refund: begun.refund };
  const { refund } = begun;
  const answer = await sendRefund(deps, refund, sinceStartMs);
  return { type: 'refund', refund: await writeAnswerWithRetries(deps, refund, answer) };
}

/** The pending row. Trying again is safe: the refund keeps its id, and nothing has been sent. */
async function beginRefundWithRetries(
  deps: RefundDeps,
  order: Omit<RefundOrder, 'log'>,
): Promise<BegunRefund | 'unavailable'> {
  const { beginLimitMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const processors = deps.processors.filter(({ refunds }) => refunds !== null).map(({ name }) => name);
  const resolveAfterMs = beginLimitMs + processorLimitMs + recordLimitMs;
  const refund: RefundToBegin = { ...order, id: newId('Refund'), processors, resolveAfterMs };
  // A refund that the unique index on idempotency keys refused finds the other one when it is tried again.
  const mayRetry = (error: unknown) => isTransient(error) || isDuplicate(error);
  try {
    return await withRetries(beginLimitMs, mayRetry, () => beginRefund(deps.database, refund));
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.log.warn({ err: error, chargeId: order.chargeId }, 'refund not begun: the database is away');
    return 'unavailable';
  }
}

/**
 * Asks the processor for a refund that is in the database.
 * @param sinceMs time since the refund was read: past the window it may have been given up, and is not sent
 */
export async function sendRefund(
  deps: Pick<RefundDeps, 'processors' | 'credentialsFor' | 'timings' | 'log'>,
  refund: Refund,
  sinceMs: () => number,
  stop?: AbortSignal,
): Promise<RefundAnswer> {
  const { sendWindowMs, processorLimitMs } = timingsOf(deps);
  try {
    const means = await meansFor(deps, refund);
    if ('status' in means) return means;
    if (sinceMs() > sendWindowMs) return { status: 'unknown', cause: 'not sent: too late' };
    const request = { ...requestOf(refund, means.credentials), amount: refund.amount, reason: refund.reason };
    return await withinLimit(processorLimitMs, (signal) => means.refunds.refund(request, signal), stop);
  } catch (error) {
    deps.log.error(
      { err: error, refundId: refund.id, processor: refund.processor },
      'refund not sent, or not understood',
    );
    return { status: 'unknown', cause: 'adapter' };
  }
}

/** The fields that every request to the processor about this refund has. */
export function requestOf(refund: Refund, credentials: Credentials) {
  const { id: refundId, chargeId, processorPaymentId, mode } = refund;
  return { refundId, chargeId, processorPaymentId, mode, credentials };
}

interface Means {
  refunds: Refunds;
  credentials: Credentials;
  needsCredentials: boolean;
}

/** The refund's processor and credentials; or the answer that follows where there are none. */
export async function meansFor(
  deps: Pick<RefundDeps, 'processors' | 'credentialsFor'>,
  refund: Refund,
): Promise<Means | Extract<RefundAnswer, { status: 'failed' | 'unknown' }>> {
  const processor = deps.processors.find(({ name }) => name === refund.processor);
  if (processor === undefined || processor.refunds === null) {
    return { status: 'unknown', cause: 'processor not configured' };
  }
  const credentials = await credentialsOf(deps, processor, refund);
  if (credentials === null) return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
  return { refunds: processor.refunds, credentials, needsCredentials: processor.needsCredentials };
}

/** When the database stays away the answer is lost to us, not the money: the resolver asks again. */
async function writeAnswerWithRetries(deps: RefundDeps, refund: Refund, answer: RefundAnswer): Promise<Refund> {
  try {
    const { recordLimitMs } = timingsOf(deps);
    return await withRetries(recordLimitMs, isTransient, () =>
      writeRefundAnswer(deps, refund, answer, RESOLVE_AFTER_MS),
    );
  } catch (error) {
    deps.log.error({ err: error, refundId: refund.id }, 'refund outcome not recorded, left to the resolver');
    return refund;
  } finally {
    if (answer.status === 'pending' || answer.status === 'unknown') deps.onPending();
  }
}

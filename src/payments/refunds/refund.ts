/**
 * Refunds: the one path that refunds a charge, built like take-payment.ts.
 *
 * 1. A short transaction locks the charge, judges it and writes the `pending` refund, for no more than the charge has
 * left.
 * 2. The processor is asked once, with the refund ID as its idempotency key.
 * 3. One transaction writes the outcome and its event.
 *
 * A crash anywhere leaves a `pending` refund, which the resolver settles (resolve-refunds.ts). Unlike a charge, a refund
 * can be resent under its key, because it contains no card.
 */
import { newId, refundIdOf } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import { stopwatch, withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { RefundAnswer } from '../port/refunds.ts';
import type { RefundRefusal } from '../rules/rules.ts';
import { paymentIdOf } from '../shared/checked-answers.ts';
import { credentialsOf, type Log, type PaymentDeps, processorOf, timingsOf } from '../shared/deps.ts';
import { RESOLVE_AFTER_MS } from '../shared/schedule.ts';
import { askOrUnknown, recordWithRetries, startWithRetries } from '../shared/steps.ts';
import { type RefundSettleDeps, writeRefundAnswer } from './settle-refund.ts';
import { type NewRefund, type RefundableAmount, startRefund } from './start-refund.ts';

export type RefundOrder = Omit<NewRefund, 'id' | 'freshId' | 'isRetry' | 'processors' | 'resolveAfterMs'> & {
  /** The request's log. By default, the process's. */
  log?: Log;
};

export type RefundDeps = Omit<PaymentDeps, 'fingerprint' | 'velocity' | 'vault' | 'onCard'> & RefundSettleDeps;

export type RefundResult =
  /** As in the database. If it is pending without the processor's ID, the processor may not have it. */
  | { type: 'refund'; refund: Refund }
  /** Nothing was created. `unavailable`: the database could not be reached. */
  | { type: 'refused'; reason: RefundRefusal | 'unavailable'; refundable?: RefundableAmount };

/** Together shorter than the time limit of an HTTP request. */
const LIMITS = { startLimitMs: 4_000, processorLimitMs: 18_000, recordLimitMs: 5_000 };

/** Adds the time limits of refunds that `deps` does not set. */
export function withRefundLimits<T extends Pick<PaymentDeps, 'timings'>>(deps: T): T {
  return { ...deps, timings: { ...LIMITS, ...deps.timings } };
}

/** Makes a refund. It runs to its end even if the request is aborted; `deps.inFlight` tracks it. */
export function refundCharge(deps: RefundDeps, { log = deps.log, ...order }: RefundOrder): Promise<RefundResult> {
  return deps.inFlight.track(startAndSendRefund(withRefundLimits({ ...deps, log }), order));
}

async function startAndSendRefund(deps: RefundDeps, order: Omit<RefundOrder, 'log'>): Promise<RefundResult> {
  const sinceStartMs = stopwatch();
  const details = newRefund(deps, order);
  const about = { chargeId: order.chargeId };
  const { startLimitMs } = timingsOf(deps);
  let tries = 0;
  const started = await startWithRetries(deps, about, startLimitMs, 'refund not started: the database is away', () => {
    tries += 1;
    return startRefund(deps.database, { ...details, isRetry: tries > 1 });
  });
  if (started === null) return { type: 'refused', reason: 'unavailable' };
  if (started.type === 'refused') return started;
  const { refund } = started;
  if (started.type === 'earlier') return { type: 'refund', refund };
  const answer = await sendRefund(deps, refund, sinceStartMs);
  const failure = 'refund outcome not recorded, left to the resolver';
  const written = await recordWithRetries(deps, { refundId: refund.id }, failure, () =>
    writeRefundAnswer({ ...deps, idempotency: order.idempotency }, refund, answer, RESOLVE_AFTER_MS),
  );
  if (answer.status === 'pending' || answer.status === 'unknown') deps.onPending();
  return { type: 'refund', refund: written ?? refund };
}

function newRefund(deps: RefundDeps, order: Omit<RefundOrder, 'log'>): Omit<NewRefund, 'isRetry'> {
  const { startLimitMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const processors = deps.processors.filter(({ refunds }) => refunds !== null).map(({ name }) => name);
  const [freshId, { idempotency, scope }] = [newId('Refund'), order];
  const id = idempotency === null ? freshId : refundIdOf(scope.accountId, scope.mode, idempotency);
  return { ...order, id, freshId, processors, resolveAfterMs: startLimitMs + processorLimitMs + recordLimitMs };
}

/**
 * Sends a refund that is in the database to the processor.
 * @param sinceMs time since the refund was read. After `sendWindowMs` it may have been given up, and is not sent.
 */
export function sendRefund(
  deps: Pick<RefundDeps, 'database' | 'processors' | 'credentialsFor' | 'timings' | 'log'>,
  refund: Refund,
  sinceMs: () => number,
  stop?: AbortSignal,
): Promise<RefundAnswer> {
  const { sendWindowMs, processorLimitMs } = timingsOf(deps);
  const { id: refundId, processor: name, mode, amount, reason } = refund;
  const failure = 'refund not sent, or its response not understood';
  return askOrUnknown<RefundAnswer>(deps, { refundId, processor: name }, failure, async () => {
    const processor = processorOf(deps, name);
    const refunds = processor?.refunds;
    if (processor === undefined || refunds == null) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, refund);
    if (credentials === null) return { status: 'failed', reason: 'credentials_rejected', processorCode: null };
    if (sinceMs() > sendWindowMs) return unknown('not sent: too late');
    const request = { refundId, chargeId: refund.chargeId, mode, amount, reason, credentials };
    const send = async (signal: AbortSignal) => {
      const processorPaymentId = await paymentIdOf(deps.database, processor, refund, credentials, signal);
      if (processorPaymentId === null) return unknown('payment id withheld');
      return refunds.refund({ ...request, processorPaymentId }, signal);
    };
    return withinLimit(processorLimitMs, send, stop);
  });
}

/** Refunds at the sandbox processor. Some test cards make a refund slow, unanswered or rejected. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../db/pool.ts';
import { randomToken } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundRequest, Refunds } from '../port/refunds.ts';
import { returnsInMsOf, unreachable } from './answers.ts';
import { type RefundBehaviour, TEST_CARDS } from './cards.ts';
import { notifyLateFailure } from './later-refunds.ts';
import { findSettledPayment } from './ledger.ts';
import { findSandboxRefund, insertSandboxRefund, type NewSandboxRefund, type SandboxRefund } from './refund-ledger.ts';
import type { SandboxTimings } from './timings.ts';

export function sandboxRefunds(sql: Sql, times: SandboxTimings): Refunds {
  return {
    async refund(request, signal) {
      if (signal.aborted) return TIMED_OUT;
      return refundSandboxPayment(sql, times, request, signal).catch(unreachable);
    },
    lookUp: ({ refundId, processorRefundId }) =>
      findSandboxRefund(sql, refundId, processorRefundId)
        .then((found) => (found === null ? NOT_FOUND : answerOf(found)))
        .catch(unreachable),
  };
}

const TIMED_OUT = unknown('timeout');
const NOT_FOUND = { status: 'not_found' } as const;

async function refundSandboxPayment(
  sql: Sql,
  times: SandboxTimings,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { refundId: reference, processorPaymentId: paymentId, amount } = request;
  const earlier = await findSandboxRefund(sql, reference);
  if (earlier !== null) return answerOf(earlier);
  const payment = await findSettledPayment(sql, paymentId);
  if (payment === null) return refused('not_refundable', 'no_payment');
  if (returnsInMsOf(payment) === 0) return refused('not_refundable', 'returned');
  const behaviour = TEST_CARDS.find(({ name }) => name === payment.cardName)?.refund;
  if (behaviour?.kind === 'refuses') return refused('refused', 'refund_refused');
  const outcome = { refundId: `sandbox_refund_${randomToken()}`, ...outcomeOf(behaviour, times) };
  const made = await insertSandboxRefund(sql, { ...outcome, reference, paymentId, amount });
  if (made === null) return tooMuch(sql, paymentId);
  if (behaviour?.kind === 'fails_later') await notifyLateFailure(sql, made.refund.refundId);
  if (behaviour?.kind !== 'hangs' || made.repeated) return answerOf(made.refund);
  await delay(times.hangMs, undefined, { signal }).catch(() => undefined);
  return TIMED_OUT;
}

function outcomeOf(
  behaviour: RefundBehaviour | undefined,
  { settleMs }: SandboxTimings,
): Pick<NewSandboxRefund, 'status' | 'settlesInMs' | 'succeedsForMs'> {
  switch (behaviour?.kind) {
    case 'slow':
      return { status: behaviour.ends, settlesInMs: settleMs, succeedsForMs: null };
    case 'fails_later':
      return { status: 'failed', settlesInMs: 0, succeedsForMs: settleMs };
    default:
      return { status: 'succeeded', settlesInMs: 0, succeedsForMs: null };
  }
}

function answerOf({ refundId, status, settlesInMs }: SandboxRefund): RefundAnswer {
  if (settlesInMs > 0) return { status: 'pending', processorRefundId: refundId };
  return status === 'succeeded' ? { status, processorRefundId: refundId } : refused('refused', 'refund_failed');
}

async function tooMuch(sql: Sql, paymentId: string): Promise<RefundAnswer> {
  const left = (await findSettledPayment(sql, paymentId))?.leftCents;
  return refused(left === 0 ? 'already_refunded' : 'amount_too_large', 'too_much');
}

type Failed = Extract<RefundAnswer, { status: 'failed' }>;

function refused(reason: Failed['reason'], processorCode: string): Failed {
  return { status: 'failed', reason, processorCode };
}

/** The last step of a refund: one transaction that writes the outcome and its event. */

import type { Sql } from '../../db/pool.ts';
import {
  findRefund,
  insertRefundEvent,
  leaveRefundPending,
  lockChargeToRefund,
  type RefundIdempotency,
  type RefundSettlement,
  restoreRefund,
  writeRefundOutcome,
} from '../../db/refunds/refunds.ts';
import type { Refund } from '../../domain/refund.ts';
import type { RefundAnswer } from '../port/refunds.ts';
import { checkedRefundAnswer } from '../shared/checked-answers.ts';
import type { ManualGuard, PaymentDeps } from '../shared/deps.ts';

export interface RefundSettleDeps extends Pick<PaymentDeps, 'database' | 'log'> {
  /** For metrics: a refund was settled, or its outcome is unknown. */
  onRefund?: (outcome: Refund['status']) => void;
  /** For a manual settlement. */
  manual?: ManualGuard;
  /** From the request that created the refund, for a refund that must be restored. Absent if unknown. */
  idempotency?: RefundIdempotency | null;
}

/**
 * Writes the processor's answer. Safe to repeat and to race.
 * @param resolveAfterMs null if the resolver's next time is set already
 * @returns the refund as in the database
 */
export async function writeRefundAnswer(
  deps: RefundSettleDeps,
  refund: Refund,
  given: RefundAnswer | Extract<RefundSettlement, { status: 'failed' }>,
  resolveAfterMs: number | null,
): Promise<Refund> {
  const answer = checkedRefundAnswer(refund.id, given);
  if (answer.status === 'succeeded' || answer.status === 'failed') {
    return (await settleRefund(deps, refund, answer)).refund;
  }
  const processorRefundId = answer.status === 'pending' ? answer.processorRefundId : null;
  await deps.database.transaction(async (sql) => {
    await lockChargeToRefund(sql, refund.accountId, refund.chargeId);
    const leave = () => leaveRefundPending(sql, refund.id, { processorRefundId, resolveAfterMs });
    return writeOrRestore(sql, deps, refund, leave);
  });
  if (resolveAfterMs !== null) deps.onRefund?.('pending');
  const cause = answer.status === 'unknown' ? { cause: answer.cause } : {};
  const fields = { refundId: refund.id, processor: refund.processor, answer: answer.status, ...cause };
  deps.log.info(fields, 'refund is pending');
  return { ...refund, processorRefundId: processorRefundId ?? refund.processorRefundId };
}

interface SettledRefund {
  /** As in the database: it has another outcome if another settlement was first. */
  refund: Refund;
  /** False if it was settled before, even with the same outcome. */
  isWritten: boolean;
}

/** Settles once; safe to repeat and to race. @throws what `manual.check` throws */
export async function settleRefund(
  deps: RefundSettleDeps,
  refund: Refund,
  settlement: RefundSettlement,
): Promise<SettledRefund> {
  const written = await writeSettlement(deps, refund, settlement);
  const settled = written ?? (await findRefund(deps.database, refund.id));
  if (settled === null) throw new Error('a refund to settle is not in the database');
  const { id: refundId, chargeId, status, failure, processorCode } = settled;
  const fields = { refundId, chargeId, status, ...(failure !== null && { failure, processorCode }) };
  if (written !== null) {
    deps.onRefund?.(status);
    deps.log.info(fields, 'refund settled');
  } else if (status !== settlement.status) {
    // The outcome is final, but the processor's records differ from ours: a person must correct that.
    deps.log.error({ ...fields, processorSays: settlement.status }, 'refund already settled with another outcome');
  }
  return { refund: settled, isWritten: written !== null };
}

/** @returns null if the refund was settled before */
function writeSettlement(deps: RefundSettleDeps, refund: Refund, settlement: RefundSettlement): Promise<Refund | null> {
  const { database, manual } = deps;
  const { id, accountId, chargeId } = refund;
  return database.transaction(async (sql) => {
    await lockChargeToRefund(sql, accountId, chargeId);
    await manual?.check(sql);
    const settled = await writeOrRestore(sql, deps, refund, () => writeRefundOutcome(sql, id, settlement));
    if (settled === null) return null;
    await insertRefundEvent(sql, id);
    await manual?.audit(sql, settled);
    return settled;
  });
}

/** Restores a row that a failover of the database has lost, and writes it. */
async function writeOrRestore(
  sql: Sql,
  { log, idempotency = null }: Pick<RefundSettleDeps, 'log' | 'idempotency'>,
  started: Refund,
  write: () => Promise<Refund | null>,
): Promise<Refund | null> {
  const written = await write();
  if (written !== null || !(await restoreRefund(sql, started, idempotency))) return written;
  log.error({ refundId: started.id }, 'the database lost a refund, writing it again');
  return write();
}

/**
 * Records what became of a payment at its processor: refunds that the merchant made there, and refunds and captures that
 * failed after they had succeeded. Safe to repeat and to race: the charge is locked, and each refund has one row.
 */
import { insertAuditEvent } from '../db/audit/audit-events.ts';
import { lockSession } from '../db/charges/charged-session.ts';
import { writeCaptureFailure } from '../db/charges/failed-captures.ts';
import { releaseDuplicates } from '../db/charges/late-charges.ts';
import { insertChargeEvents } from '../db/events/events.ts';
import type { Sql } from '../db/pool.ts';
import { insertRefundEvent, lockChargeToRefund } from '../db/refunds/refunds.ts';
import {
  findRefundOfCharge,
  hasUnnamedRefund,
  insertRefundElsewhere,
  writeLateFailure,
} from '../db/refunds/refunds-elsewhere.ts';
import { SYSTEM } from '../domain/audit.ts';
import type { Charge } from '../domain/charge.ts';
import { newId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import { codeOrNull, idOrNull } from './checked-answers.ts';
import type { PaymentDeps } from './deps.ts';
import type { PaymentHistory, RefundThere } from './history-port.ts';

export interface HistoryDeps extends Pick<PaymentDeps, 'database' | 'log' | 'onEvents'> {
  onRefund?: (outcome: Refund['status']) => void;
}

/** After this many attempts, our process that made a refund has certainly written it, or never will. */
const COMMIT_ATTEMPTS = 3;

/**
 * @param attempt how often the history was read
 * @returns false if it must be read again: a refund may be one of ours that is still under way
 */
export async function recordHistory(
  deps: HistoryDeps,
  charge: Charge,
  history: PaymentHistory,
  attempt: number,
): Promise<boolean> {
  let isDone = true;
  for (const there of history.refunds) {
    const result = await recordRefund(deps, charge, there, attempt > COMMIT_ATTEMPTS);
    if (result === 'later') isDone = false;
  }
  if (history.captureFailure !== undefined) await recordCaptureFailure(deps, charge, history.captureFailure);
  return isDone;
}

type Recorded = 'found' | 'failed_late' | 'known' | 'later' | 'ignored' | 'differs';

/** @param isLate no process of ours can still be writing a refund that names our ID */
export async function recordRefund(
  deps: HistoryDeps,
  { id, accountId, processor }: Pick<Charge, 'id' | 'accountId' | 'processor'>,
  there: RefundThere,
  isLate: boolean,
): Promise<Recorded> {
  const { processorRefundId } = there;
  const written = await deps.database.transaction(async (sql) => {
    const locked = await lockChargeToRefund(sql, accountId, id);
    return locked === null ? { result: 'ignored' as const } : writeRefund(sql, locked, there, isLate);
  });
  const about = { chargeId: id, processor, processorRefundId: idOrNull(processorRefundId) };
  if (written.result === 'found') deps.log.info(about, 'refund made at the processor found');
  if (written.result === 'failed_late') deps.log.error(about, 'a refund that had succeeded has failed');
  if (written.result === 'differs') deps.log.error(about, 'refund at the processor differs from ours');
  if ('refund' in written && written.refund.status !== 'pending') {
    deps.onRefund?.(written.refund.status);
    deps.onEvents?.();
  }
  return written.result;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockChargeToRefund>>>;
type Written =
  | { result: 'found' | 'failed_late'; refund: Refund }
  | { result: Exclude<Recorded, 'found' | 'failed_late'> };

async function writeRefund(sql: Sql, locked: Locked, there: RefundThere, isLate: boolean): Promise<Written> {
  const refund = await findRefundOfCharge(sql, locked.charge.id, there);
  return refund === null ? writeNew(sql, locked, there, isLate) : compare(sql, refund, there);
}

async function compare(sql: Sql, refund: Refund, there: RefundThere): Promise<Written> {
  // The resolver settles it.
  if (refund.status === 'pending' || refund.status === there.status) return { result: 'known' };
  if (refund.status === 'failed') return { result: there.status === 'succeeded' ? 'differs' : 'known' };
  if (there.status !== 'failed') return { result: 'known' };
  const failed = await writeLateFailure(sql, refund.id, codeOrNull(there.processorCode));
  await insertRefundEvent(sql, failed.id);
  const { accountId, mode, id: objectId, processorCode } = failed;
  const changes = { status: { from: 'succeeded', to: 'failed' }, processor_code: processorCode };
  await insertAuditEvent(sql, SYSTEM, { accountId, mode, action: 'refund.failed_late', objectId, changes });
  return { result: 'failed_late', refund: failed };
}

/** A refund without a row: it was made at the processor, or it is ours and its row or its ID is not written yet. */
async function writeNew(
  sql: Sql,
  { charge, leftCents }: Locked,
  { processorRefundId, refundId, status, amountCents, currency }: RefundThere,
  isLate: boolean,
): Promise<Written> {
  if (status === 'failed') return { result: 'ignored' };
  if (charge.status !== 'succeeded') return { result: charge.status === 'pending' ? 'later' : 'ignored' };
  if (await hasUnnamedRefund(sql, charge.id)) return { result: 'later' };
  if (refundId !== null && !isLate) return { result: 'later' };
  const isPossible = currency === charge.amount.currency && amountCents >= 1 && amountCents <= leftCents;
  const reference = idOrNull(processorRefundId);
  if (!isPossible || reference === null) return { result: 'differs' };
  const found = { processorRefundId: reference, status, amountCents };
  const refund =
    (refundId === null ? null : await insertRefundElsewhere(sql, charge, { ...found, id: refundId })) ??
    (await insertRefundElsewhere(sql, charge, { ...found, id: newId('Refund') }));
  if (refund === null) return { result: 'differs' };
  await auditFound(sql, refund);
  if (refund.status === 'succeeded') await insertRefundEvent(sql, refund.id);
  return { result: 'found', refund };
}

function auditFound(sql: Sql, refund: Refund): Promise<void> {
  const { accountId, mode, id: objectId, chargeId: charge, amount, processorRefundId, origin } = refund;
  const reference = { processor_refund_id: processorRefundId, origin };
  const changes = { charge, amount_cents: amount.amountCents, currency: amount.currency, ...reference };
  return insertAuditEvent(sql, SYSTEM, { accountId, mode, action: 'refund.created', objectId, changes });
}

/** The amount was not taken after all. The session stays complete, but its order can be paid again. */
async function recordCaptureFailure(
  deps: HistoryDeps,
  { id, sessionId, accountId, mode, processor }: Charge,
  processorCode: string,
): Promise<void> {
  const written = await deps.database.transaction(async (sql) => {
    await lockSession(sql, sessionId);
    const code = codeOrNull(processorCode);
    const result = await writeCaptureFailure(sql, id, code);
    if (result !== 'written') return result;
    const changes = { status: { from: 'succeeded', to: 'failed' }, processor_code: code };
    await insertAuditEvent(sql, SYSTEM, { accountId, mode, action: 'charge.capture_failed', objectId: id, changes });
    await insertChargeEvents(sql, id, ['charge.capture_failed']);
    await releaseDuplicates(sql, id);
    return result;
  });
  const about = { chargeId: id, processor };
  if (written === 'refunded') deps.log.error(about, 'the capture of a refunded charge has failed at the processor');
  if (written !== 'written') return;
  deps.log.error(about, 'the capture of a charge has failed after it had succeeded');
  deps.onEvents?.();
}

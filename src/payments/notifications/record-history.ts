/**
 * Records what became of a payment at its processor: refunds that the merchant made there, and refunds and captures that
 * failed after they had succeeded. Safe to repeat and to race: the charge is locked, and each refund has one row.
 */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { lockSession } from '../../db/charges/charged-session.ts';
import { writeCaptureFailure } from '../../db/charges/failed-captures.ts';
import { releaseDuplicates } from '../../db/charges/late-charges.ts';
import { deleteDifference, insertDifference } from '../../db/charges/processor-differences.ts';
import { insertChargeEvents } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { insertRefundEvent, lockChargeToRefund } from '../../db/refunds/refunds.ts';
import {
  findRefundOfCharge,
  hasUnnamedRefund,
  insertRefundElsewhere,
  writeLateFailure,
  writeMadeAfterAll,
} from '../../db/refunds/refunds-elsewhere.ts';
import { SYSTEM } from '../../domain/audit.ts';
import type { Charge } from '../../domain/charge.ts';
import { newId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import type { PaymentHistory, RefundThere } from '../port/history.ts';
import { codeOrNull, idOrNull } from '../shared/checked-answers.ts';
import type { PaymentDeps } from '../shared/deps.ts';

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

type Recorded = Changed | 'known' | 'later' | 'ignored' | 'differs';

/** `made_after_all`: it was reported as failed. */
type Changed = 'found' | 'failed_late' | 'made_after_all';

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
    if (locked === null) return { result: 'ignored' as const };
    const refund = await writeRefund(sql, locked, there, isLate);
    await writeDifference(sql, locked.charge, there, refund.result === 'differs');
    return refund;
  });
  const about = { chargeId: id, processor, processorRefundId: idOrNull(processorRefundId) };
  if (written.result === 'found') deps.log.info(about, 'refund made at the processor found');
  if (written.result === 'failed_late') deps.log.error(about, 'a refund that had succeeded has failed');
  if (written.result === 'made_after_all') deps.log.error(about, 'a refund that was reported as failed was made');
  if (written.result === 'differs') deps.log.error(about, 'refund at the processor differs from ours');
  if ('refund' in written && written.refund.status !== 'pending') {
    deps.onRefund?.(written.refund.status);
    deps.onEvents?.();
  }
  return written.result;
}

/** A refund that cannot be recorded needs a person, until it can be. */
async function writeDifference(
  sql: Sql,
  charge: Charge,
  { processorRefundId, amountCents, currency }: RefundThere,
  differs: boolean,
): Promise<void> {
  const difference = { kind: 'refund', reference: idOrNull(processorRefundId) ?? '' } as const;
  if (!differs) return deleteDifference(sql, charge.id, difference);
  const isSameCurrency = currency === charge.amount.currency;
  await insertDifference(sql, charge, { ...difference, amountCents: isSameCurrency ? amountCents : null });
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockChargeToRefund>>>;
type Written = { result: Changed; refund: Refund } | { result: Exclude<Recorded, Changed> };

async function writeRefund(sql: Sql, locked: Locked, there: RefundThere, isLate: boolean): Promise<Written> {
  const refund = await findRefundOfCharge(sql, locked.charge.id, there);
  return refund === null ? writeNew(sql, locked, there, isLate) : compare(sql, refund, there, locked.leftCents);
}

async function compare(sql: Sql, refund: Refund, there: RefundThere, leftCents: number): Promise<Written> {
  // The resolver settles it.
  if (refund.status === 'pending' || refund.status === there.status || there.status === 'pending') {
    return { result: 'known' };
  }
  return there.status === 'failed' ? writeFailed(sql, refund, there) : writeMade(sql, refund, there, leftCents);
}

async function writeFailed(sql: Sql, { id }: Refund, { processorCode }: RefundThere): Promise<Written> {
  const refund = await writeLateFailure(sql, id, codeOrNull(processorCode));
  await tellChange(sql, refund, 'refund.failed_late', 'succeeded');
  return { result: 'failed_late', refund };
}

async function writeMade(
  sql: Sql,
  { id, amount }: Refund,
  { processorRefundId }: RefundThere,
  leftCents: number,
): Promise<Written> {
  const reference = idOrNull(processorRefundId);
  if (reference === null || amount.amountCents > leftCents) return { result: 'differs' };
  const refund = await writeMadeAfterAll(sql, id, reference);
  if (refund === null) return { result: 'differs' };
  await tellChange(sql, refund, 'refund.settled', 'failed');
  return { result: 'made_after_all', refund };
}

/** A settled refund has another outcome now. */
async function tellChange(
  sql: Sql,
  refund: Refund,
  action: 'refund.failed_late' | 'refund.settled',
  before: Refund['status'],
): Promise<void> {
  const { id: objectId, accountId, mode, status, processorCode } = refund;
  const changes = { status: { from: before, to: status }, processor_code: processorCode };
  await insertAuditEvent(sql, SYSTEM, { accountId, mode, action, objectId, changes });
  await insertRefundEvent(sql, objectId);
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

const CAPTURE = { kind: 'capture', reference: '' } as const;

/** The amount was not taken after all. The session stays complete, but its order can be paid again. */
async function recordCaptureFailure(deps: HistoryDeps, charge: Charge, processorCode: string): Promise<void> {
  const { id, sessionId, accountId, mode, processor, amount } = charge;
  const written = await deps.database.transaction(async (sql) => {
    await lockSession(sql, sessionId);
    const code = codeOrNull(processorCode);
    const result = await writeCaptureFailure(sql, id, code);
    if (result === 'refunded') await insertDifference(sql, charge, { ...CAPTURE, amountCents: amount.amountCents });
    if (result !== 'written') return result;
    await deleteDifference(sql, id, CAPTURE);
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

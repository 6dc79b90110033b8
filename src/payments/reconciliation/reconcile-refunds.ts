/** Compares a merchant's refunds with its processor's list: see reconcile.ts. */
import { findChargesOf, listRefundsOf } from '../../db/reconciliation.ts';
import type { RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import { recordRefund } from '../notifications/record-history.ts';
import type { RefundThere } from '../port/history.ts';
import type { RecordedRefund } from '../port/records.ts';
import { writeRefundAnswer } from '../refunds/settle-refund.ts';
import { idOrNull } from '../shared/checked-answers.ts';
import { type Finding, type Reconciliation, recordsRequest, type Span } from './reconciliation.ts';

/** A refund can fail weeks after it succeeded (docs.stripe.com/refunds#failed-refunds). */
const REFUNDS_BACK_MS = 30 * 24 * 3_600_000;
/** Much longer than the clocks differ, and than a refund is resent. */
const MARGIN_MS = 13 * 3_600_000;

/** The processor may record a refund of ours as this much older than we do. */
const EDGE_MS = 3_600_000;

/** @throws RecordsUnreadable */
export async function reconcileRefunds(work: Reconciliation): Promise<void> {
  const { deps, connection, records, options, since, stop } = work;
  const earliest = Math.min(options.until.getTime() - REFUNDS_BACK_MS, options.from.getTime());
  const from = new Date(Math.max(earliest, since.getTime()));
  if (from >= options.until) return;
  const until = new Date(options.until.getTime() + MARGIN_MS);
  const ours = await listRefundsOf(deps.database, connection, new Date(from.getTime() - MARGIN_MS), until);
  // A void has the processor's ID only.
  const byProcessorId = new Map([...ours.values()].map((refund) => [refund.processorRefundId, refund]));
  const listed = new Set<RefundId>();
  const others: RecordedRefund[] = [];
  for await (const refund of records.refunds(recordsRequest(work, { from, until }), stop)) {
    const known = refund.refundId === null ? byProcessorId.get(refund.processorRefundId) : ours.get(refund.refundId);
    const refundId = refund.refundId ?? known?.id;
    if (refundId !== undefined) listed.add(refundId);
    if (known !== undefined) await compareRefund(work, refund, known);
    else if (refund.createdAt >= options.from && refund.status !== 'failed') others.push(refund);
  }
  await judgeOthers(work, others);
  const missing = [...ours.values()].filter(({ id, status }) => status === 'succeeded' && !listed.has(id));
  for (const refund of missing) checkMissing(work, refund, { from, until: options.until });
}

function findingOf(refund: Refund, there: RecordedRefund | null): Omit<Finding, 'kind'> {
  const { id: refundId, chargeId, amount, processorPaymentId, processorRefundId } = refund;
  return {
    chargeId,
    refundId,
    processorPaymentId,
    processorRefundId,
    fixed: false,
    hereCents: amount.amountCents,
    thereCents: there?.amountCents ?? null,
    currency: amount.currency,
  };
}

async function compareRefund({ deps, findings, options }: Reconciliation, there: RecordedRefund, refund: Refund) {
  const { amount } = refund;
  const found = findingOf(refund, there);
  if (there.amountCents !== amount.amountCents || there.currency !== amount.currency) {
    findings.push({ ...found, kind: 'refund_amount_differs' });
  } else if (refund.status === 'succeeded' && there.status === 'failed') {
    const failed = options.fix ? await recordRefund(deps, chargeOf(refund), thereOf(there), true) : null;
    findings.push({ ...found, kind: 'refund_failed_there', fixed: failed === 'failed_late' });
  } else if (refund.status === 'pending' && there.status !== 'pending') {
    const { processorRefundId } = there;
    const answer =
      there.status === 'succeeded'
        ? ({ status: 'succeeded', processorRefundId } as const)
        : ({ status: 'failed', reason: 'refused', processorCode: null } as const);
    const fixed = options.fix && (await writeRefundAnswer(deps, refund, answer, null)).status === there.status;
    findings.push({ ...found, kind: 'refund_pending_here', fixed });
  } else if (refund.status === 'failed' && there.status !== 'failed') {
    const made = options.fix ? await recordRefund(deps, chargeOf(refund), thereOf(there), true) : null;
    findings.push({ ...found, kind: 'refund_missing_here', fixed: made === 'made_after_all' });
  }
}

const chargeOf = ({ chargeId: id, accountId, processor }: Refund) => ({ id, accountId, processor });

const thereOf = ({ processorRefundId, refundId, status, amountCents, currency }: RecordedRefund): RefundThere => ({
  processorRefundId,
  refundId,
  status,
  amountCents,
  currency,
  processorCode: null,
});

/** A process that writes a refund of ours has done so long before. */
const LATE_MS = 3_600_000;

/** Refunds that are not in the database. Those of the merchant's own charges are reported. */
async function judgeOthers(
  { deps, connection, findings, options }: Reconciliation,
  others: readonly RecordedRefund[],
): Promise<void> {
  for (const other of others) {
    const { processorRefundId, refundId, amountCents, currency, createdAt } = other;
    const id = await other.readChargeId();
    const charge = id === null ? undefined : (await findChargesOf(deps.database, connection, [id])).get(id);
    if (charge === undefined) continue;
    const isLate = Date.now() - createdAt.getTime() > LATE_MS;
    const recorded = options.fix ? await recordRefund(deps, charge, thereOf(other), isLate) : null;
    findings.push({
      kind: 'refund_missing_here',
      chargeId: charge.id,
      refundId,
      fixed: recorded === 'found',
      currency,
      processorPaymentId: charge.processorPaymentId,
      processorRefundId: idOrNull(processorRefundId),
      hereCents: null,
      thereCents: amountCents,
    });
  }
}

/** Refunds in the middle of the span only: near its ends, the list may lack refunds that the database has. */
function checkMissing({ findings }: Reconciliation, refund: Refund, { from, until }: Span): void {
  if (refund.createdAt.getTime() < from.getTime() + EDGE_MS || refund.createdAt >= until) return;
  findings.push({ ...findingOf(refund, null), kind: 'refund_missing_there' });
}

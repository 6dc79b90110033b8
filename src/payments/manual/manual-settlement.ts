/**
 * Manual settlement: a person has looked up at the processor how a pending charge or refund ended, and records it.
 * Nothing is sent to the processor. The outcome is final. Its events, the receipt and the session's completion follow
 * as for any other.
 *
 * It is for charges and refunds that the resolver has given up. With `now`, the command line may settle one earlier, but
 * never as failed while the processor could still receive it: the payer would pay twice, or be refunded twice.
 *
 * Everything is judged under the locks of the transaction that writes the outcome. A row that was read before may have
 * been settled or named by the processor since.
 */
import { type ManualOutcome, SETTLEABLE, type SettleableKind } from '../../contract/manual-settlement.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { CHARGE } from '../../db/charges/charges.ts';
import { findRowToSettle, type ToSettle } from '../../db/due.ts';
import type { Sql } from '../../db/pool.ts';
import { claimProcessorId } from '../../db/processor-ids.ts';
import { REFUND } from '../../db/refunds/refunds.ts';
import type { Actor } from '../../domain/audit.ts';
import { awaitsPayer, type Charge } from '../../domain/charge.ts';
import { type ChargeId, parseId, type RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import { NOT_RECEIVED, type SettleDeps, settleCharge } from '../charges/settle-charge.ts';
import type { Settlement } from '../port/answers.ts';
import { REPEATABLE_MS } from '../port/refunds.ts';
import { type RefundSettleDeps, settleRefund } from '../refunds/settle-refund.ts';
import { type Log, type ManualGuard, timingsOf } from '../shared/deps.ts';

/** By then, the last request for a charge or refund has ended at the processor, too. */
const IN_TRANSIT_MS = 10 * 60_000;

export interface Rows {
  charge: Charge;
  refund: Refund;
}

type ManualSettlementDeps = Omit<SettleDeps & RefundSettleDeps, 'manual'>;

export interface SettleOrder<K extends SettleableKind> {
  /** From {@link findToSettle}. */
  found: ToSettle<Rows[K]>;
  reported: ManualOutcome<K>;
  by: Actor;
  /** Also while the resolver still asks the processor. By default, false. */
  now?: boolean;
  /** The request's log. By default, the process's. */
  log?: Log;
}

type SettleRefusal =
  /** It has an outcome, maybe since a moment ago. */
  | 'not_pending'
  /** The resolver still asks the processor. */
  | 'still_asked'
  /** The processor could still receive it, so it cannot be recorded as failed yet. */
  | 'in_transit'
  /** A verified card can only be stored from the processor's answer, so it cannot be recorded as succeeded. */
  | 'card_unknown'
  /** The processor has given it another ID, or has given an ID to a refund that was said not to be received. */
  | 'named_otherwise';

/** `row`: as it is in the database now. */
export type SettledManually<Row> =
  | { type: 'settled'; row: Row }
  | { type: 'refused'; reason: SettleRefusal; row: Row }
  /** The processor's ID belongs to `other`: a payment or refund at the processor counts once. */
  | { type: 'refused'; reason: 'named_another'; row: Row; other: ChargeId | RefundId };

/** The processor's ID of a charge or refund. */
export const processorIdOf = (row: Charge | Refund) =>
  'processorRefundId' in row ? row.processorRefundId : row.processorPaymentId;

/** Of any account: the caller checks it. @returns null for a malformed or unknown ID */
export async function findToSettle<K extends SettleableKind>(
  sql: Sql,
  kind: K,
  id: string,
): Promise<ToSettle<Rows[K]> | null> {
  const { table, columns }: Rules<K> = RULES[kind];
  return parseId(SETTLEABLE[kind].idKind, id) === null ? null : findRowToSettle<Rows[K]>(sql, table, columns, id);
}

/** If several people settle one at once, the first one does, and the others are refused as `not_pending`. */
export async function settleManually<K extends SettleableKind>(
  { log: ownLog, ...deps }: ManualSettlementDeps,
  kind: K,
  { found, reported, by, now = false, log = ownLog }: SettleOrder<K>,
): Promise<SettledManually<Rows[K]>> {
  const rules: Rules<K> = RULES[kind];
  const manual: ManualGuard = {
    async check(sql) {
      const { table, columns } = rules;
      // A row that a failover of the database has lost is restored as it was read.
      const current = (await findRowToSettle<Rows[K]>(sql, table, columns, found.row.id, { lock: true })) ?? found;
      const reason = whyNotManually(rules, current, reported, now);
      if (reason !== null) throw new CannotSettle<Rows[K]>({ type: 'refused', reason, row: current.row });
      const other = await findOwner(sql, rules, current.row, reported);
      if (other === null) return;
      throw new CannotSettle<Rows[K]>({ type: 'refused', reason: 'named_another', row: current.row, other });
    },
    audit: (sql, settled) => auditSettlement(sql, by, kind, settled),
  };
  try {
    const { row, isWritten } = await rules.settle({ ...deps, log, manual }, found.row, reported);
    return isWritten ? { type: 'settled', row } : { type: 'refused', reason: 'not_pending', row };
  } catch (error) {
    if (error instanceof CannotSettle) return error.refusal;
    throw error;
  }
}

/** The outcome would be wrong, or could be. Its transaction writes nothing. */
class CannotSettle<Row> extends Error {
  readonly refusal: Extract<SettledManually<Row>, { type: 'refused' }>;

  constructor(refusal: Extract<SettledManually<Row>, { type: 'refused' }>) {
    super('cannot be settled manually');
    this.name = 'CannotSettle';
    this.refusal = refusal;
  }
}

function whyNotManually<K extends SettleableKind>(
  { isReceivedOnceNamed, isInTransit }: Rules<K>,
  { row, givenUp, ageMs }: ToSettle<Rows[K]>,
  reported: ManualOutcome,
  now: boolean,
): SettleRefusal | null {
  if (row.status !== 'pending') return 'not_pending';
  if (!givenUp && !now) return 'still_asked';
  if (reported.outcome === 'succeeded' && row.amount.amountCents === 0) return 'card_unknown';
  const named = processorIdOf(row);
  if (reported.outcome === 'succeeded')
    return named === null || named === reported.processorId ? null : 'named_otherwise';
  if (reported.outcome === 'not_received' && named !== null && isReceivedOnceNamed) return 'named_otherwise';
  return !givenUp && isInTransit(row, ageMs) ? 'in_transit' : null;
}

async function findOwner<K extends SettleableKind>(
  sql: Sql,
  { table }: Rules<K>,
  row: Rows[K],
  reported: ManualOutcome,
): Promise<ChargeId | RefundId | null> {
  if (reported.outcome !== 'succeeded' || processorIdOf(row) !== null) return null;
  return claimProcessorId(sql, table, row, reported.processorId);
}

function auditSettlement(sql: Sql, by: Actor, kind: SettleableKind, settled: Charge | Refund): Promise<void> {
  const { accountId, mode, id: objectId, status, amount, processorPaymentId } = settled;
  const changes = {
    status: { from: 'pending', to: status },
    amount_cents: amount.amountCents,
    currency: amount.currency,
    processor_payment_id: processorPaymentId,
    ...('processorRefundId' in settled && { processor_refund_id: settled.processorRefundId }),
  };
  return insertAuditEvent(sql, by, { accountId, mode, action: `${kind}.settled`, objectId, changes });
}

/** The rules in which charges and refunds differ. */
interface Rules<K extends SettleableKind> {
  table: 'charges' | 'refunds';
  /** SQL. */
  columns: string;
  /** An ID of the processor proves that the processor received it. */
  isReceivedOnceNamed: boolean;
  /** Whether the processor could still make it succeed. Until the resolver gives up, it then cannot be failed. */
  isInTransit(row: Rows[K], ageMs: number): boolean;
  settle(
    deps: SettleDeps & RefundSettleDeps,
    row: Rows[K],
    reported: ManualOutcome<K>,
  ): Promise<{ row: Rows[K]; isWritten: boolean }>;
}

/** The resolver reads a hold's time limit later. */
function successOf({ capture }: Charge, processorPaymentId: string): Settlement {
  if (capture === 'manual') return { status: 'authorized', processorPaymentId, captureBefore: null };
  return { status: 'succeeded', processorPaymentId };
}

const RULES: { [K in SettleableKind]: Rules<K> } = {
  charge: {
    table: 'charges',
    columns: CHARGE,
    // A charge gets its ID when the bank asks the payer to confirm, before any money moves.
    isReceivedOnceNamed: false,
    isInTransit(charge, ageMs) {
      const payerMs = charge.processorPaymentId === null ? 0 : timingsOf({}).actionLimitMs;
      return awaitsPayer(charge) || ageMs < payerMs + IN_TRANSIT_MS;
    },
    async settle(deps, started, reported) {
      const settlement = reported.outcome === 'succeeded' ? successOf(started, reported.processorId) : NOT_RECEIVED;
      const { charge: row, isWritten } = await settleCharge(deps, started, settlement);
      return { row, isWritten };
    },
  },
  refund: {
    table: 'refunds',
    columns: REFUND,
    isReceivedOnceNamed: true,
    // The resolver sends a refund without an ID again.
    isInTransit: ({ processorRefundId }, ageMs) => processorRefundId === null && ageMs < REPEATABLE_MS + IN_TRANSIT_MS,
    async settle(deps, started, reported) {
      const settlement =
        reported.outcome === 'succeeded'
          ? ({ status: 'succeeded', processorRefundId: reported.processorId } as const)
          : ({ status: 'failed', reason: reported.outcome, processorCode: null } as const);
      const { refund: row, isWritten } = await settleRefund(deps, started, settlement);
      return { row, isWritten };
    },
  },
};

/** Input and findings of a reconciliation. "There" is at the processor, "here" in the database. */
import type { Connection, RecordsChange } from '../../db/reconciliation.ts';
import type { Actor } from '../../domain/audit.ts';
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import type { SettleDeps } from '../charges/settle-charge.ts';
import type { Credentials } from '../port/credentials.ts';
import type { Processor } from '../port/processor.ts';
import type { ProcessorRecords, RecordsRequest } from '../port/records.ts';
import type { RefundSettleDeps } from '../refunds/settle-refund.ts';
import type { PaymentDeps } from '../shared/deps.ts';

export type ReconcileDeps = Omit<SettleDeps, 'by'> &
  Pick<PaymentDeps, 'processors' | 'credentialsFor'> &
  Pick<RefundSettleDeps, 'onRefund'>;

const FINDING_KINDS = [
  /** Taken there. Here the charge is missing, failed or pending. */
  'missing_here',
  'failed_here',
  'pending_here',
  /** Succeeded here. There the payment is missing, failed, of another amount, or made twice. */
  'missing_there',
  'failed_there',
  'amount_differs',
  'second_payment',
  /** A hold that is held, captured or released here, and not so there. */
  'hold_differs' as const,
  /** Missing here: made there, such as in the vendor's dashboard. Pending here: it has an outcome there. */
  'refund_missing_here',
  'refund_pending_here',
  /** Succeeded here. There the refund is missing, failed or of another amount. */
  'refund_missing_there',
  'refund_failed_there',
  'refund_amount_differs',
] as const;

export interface Finding {
  kind: (typeof FINDING_KINDS)[number];
  chargeId: ChargeId | null;
  refundId: RefundId | null;
  processorPaymentId: string | null;
  processorRefundId: string | null;
  hereCents: number | null;
  thereCents: number | null;
  currency: string;
  /** Whether it was settled. */
  fixed: boolean;
}

export interface Span {
  from: Date;
  until: Date;
}

export interface ReconcileOptions extends Span {
  /**
   * Settle certain findings: a payment of the right amount whose charge is failed or pending here, one whose charge the
   * database has lost if the ID derives from its session, a pending refund that has an outcome there, one that was made there,
   * and a succeeded one that has failed there.
   */
  fix: boolean;
  by?: Actor;
}

/** A part of the span in which the merchant's charges were at another account of the processor, or maybe were. */
export interface NotCompared extends Span {
  /** How many charges the merchant has here. The database may have lost others. */
  charges: number;
  reason: RecordsChange;
}

export type Reconciled =
  | { status: 'compared'; payments: number; findings: Finding[]; notCompared: NotCompared | null }
  /** The list could not be read, so nothing is known. */
  | { status: 'unreadable'; cause: string };

/** The reconciliation of one connection. */
export interface Reconciliation {
  deps: ReconcileDeps;
  connection: Connection;
  processor: Processor;
  records: ProcessorRecords;
  credentials: Credentials;
  options: ReconcileOptions;
  /** The processor's records do not have earlier charges. */
  since: Date;
  stop: AbortSignal;
  findings: Finding[];
}

export function recordsRequest({ connection, credentials }: Reconciliation, { from, until }: Span): RecordsRequest {
  const { accountId, mode } = connection;
  return { accountId, mode, credentials, from, until };
}

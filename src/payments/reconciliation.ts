/** What a reconciliation works with, and what it finds. */
import type { Connection } from '../db/reconciliation.ts';
import type { Actor } from '../domain/audit.ts';
import type { ChargeId, RefundId } from '../domain/ids.ts';
import type { PaymentDeps } from './deps.ts';
import type { Books, BooksRequest, Credentials, Processor } from './ports.ts';
import type { SettleDeps } from './settle-charge.ts';
import type { RefundSettleDeps } from './settle-refund.ts';

export type ReconcileDeps = Omit<SettleDeps, 'by'> &
  Pick<PaymentDeps, 'processors' | 'credentialsFor'> &
  Pick<RefundSettleDeps, 'onRefund'>;

const FINDING_KINDS = [
  /** Taken there. Here there is no such charge, or it is called failed, or it is pending. */
  ...(['missing_here', 'failed_here', 'pending_here'] as const),
  /**
   * Succeeded here. There is no such payment there, or it did not succeed, or its amount is another, or there are two.
   */
  ...(['missing_there', 'failed_there', 'amount_differs', 'second_payment'] as const),
  /**
   * Made there, such as in the vendor's dashboard, and not known here. Of a refund of ours: it ended there, and is
   * pending here.
   */
  ...(['refund_missing_here', 'refund_pending_here'] as const),
  /** Succeeded here. There is no such refund there, or it failed there. */
  ...(['refund_missing_there', 'refund_failed_there', 'refund_amount_differs'] as const),
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
  /** It was settled. */
  fixed: boolean;
}

export interface Span {
  from: Date;
  until: Date;
}

export interface ReconcileOptions extends Span {
  /**
   * Settles what is certain: a payment of the right amount whose charge is failed or pending here; one whose charge the
   * database has lost, if its id follows from its session; a refund of ours that ended there.
   */
  fix: boolean;
  by?: Actor;
}

export type Reconciled =
  | { status: 'compared'; payments: number; findings: Finding[] }
  /** The list could not be read: nothing can be said. */
  | { status: 'unreadable'; cause: string };

/** One connection at work. */
export interface Reconciliation {
  deps: ReconcileDeps;
  connection: Connection;
  processor: Processor;
  books: Books;
  credentials: Credentials;
  options: ReconcileOptions;
  stop: AbortSignal;
  findings: Finding[];
}

export function booksRequest({ connection, credentials }: Reconciliation, { from, until }: Span): BooksRequest {
  const { accountId, mode } = connection;
  return { accountId, mode, credentials, from, until };
}

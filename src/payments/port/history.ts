/**
 * The port for what became of a payment after it succeeded: refunds that were made in the processor's dashboard, refunds
 * that failed later, and a capture that failed later. Read when a notification says that something of the kind happened.
 */
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { NotFound, Unknown } from './answers.ts';
import type { ProcessorAccess } from './credentials.ts';

export interface HistoryRequest extends ProcessorAccess {
  chargeId: ChargeId;
  processorPaymentId: string;
  currency: Currency;
  /** The processor's ID that the notification names: of the payment, or of its refund. */
  notifiedId: string | null;
  /** The notification's type, in the processor's words. */
  notifiedType: string;
}

/** A refund of the payment, whoever made it. */
export interface RefundThere {
  processorRefundId: string;
  /** Ours, as the processor's record names it. Null if it was made elsewhere. */
  refundId: RefundId | null;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  currency: string;
  /** Why it failed. */
  processorCode: string | null;
}

export interface PaymentHistory {
  status: 'read';
  refunds: readonly RefundThere[];
  /** The processor's code, if the amount was not captured after all. */
  captureFailure?: string;
}

export type HistoryAnswer = PaymentHistory | NotFound | Unknown;

export interface ProcessorHistories {
  /** Types of notifications after which a payment's history is read. */
  readonly after: RegExp;
  /** The refunds of a payment, at least the one that the notification names. Never throws. */
  read(request: HistoryRequest, signal: AbortSignal): Promise<HistoryAnswer>;
}

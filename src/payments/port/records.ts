/** A processor's own records of payments and refunds, which a reconciliation compares with ours. See processor.ts. */
import type { ChargeSource } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, RefundId } from '../../domain/ids.ts';
import type { ProcessorAnswer } from './answers.ts';
import type { ProcessorAccess } from './credentials.ts';

/** Which of a processor's own records to read, by their creation time there. */
export interface RecordsRequest extends ProcessorAccess {
  accountId: AccountId;
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** A payment of ours in the processor's records. */
export interface RecordedPayment {
  /** From the processor's reference. The reader must check that it is a charge of the merchant. */
  chargeId: ChargeId;
  /** The session, if the record names it; otherwise null. */
  origin: { sessionId: CheckoutSessionId; source: ChargeSource } | null;
  createdAt: Date;
  /** Null: it was never confirmed and never will be. A success has `taken`. */
  answer: ProcessorAnswer | null;
}

/** A refund in the processor's records. */
export interface RecordedRefund {
  processorRefundId: string;
  processorPaymentId: string;
  /** Our ID. Null if it was made elsewhere, such as in the vendor's dashboard. */
  refundId: RefundId | null;
  /**
   * The charge ID in the payment's reference, which some processors must be asked for. Null if the payment is not ours.
   * @throws RecordsUnreadable
   */
  readChargeId(): Promise<ChargeId | null>;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  currency: string;
  createdAt: Date;
}

/** The processor could not be asked, or its list could not be read to the end. */
export class RecordsUnreadable extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super('the list of a processor could not be read');
    this.name = 'RecordsUnreadable';
    this.reason = reason;
  }
}

/**
 * The processor's own records, to compare with ours. Payments of other systems are left out. Both functions throw
 * {@link RecordsUnreadable}.
 */
export interface ProcessorRecords {
  payments(request: RecordsRequest, signal: AbortSignal): AsyncIterable<RecordedPayment>;
  refunds(request: RecordsRequest, signal: AbortSignal): AsyncIterable<RecordedRefund>;
}

/**
 * A refund: money of a succeeded charge on its way back. What is pending or succeeded never exceeds what was charged.
 */
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId, RefundId } from './ids.ts';
import type { Money } from './money.ts';
import type { Metadata, Mode } from './session.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why the merchant gives the money back, in Stripe's words. */
export const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Why nothing was given back. */
export type RefundFailure =
  /** Refunded before, for example in the processor's dashboard. */
  | 'already_refunded'
  | 'amount_too_large'
  /** Disputed, too old, or not known to the processor. */
  | 'not_refundable'
  | 'credentials_rejected'
  /** For another reason of the processor's. */
  | 'refused'
  /** The processor never took the request. */
  | 'not_received';

export interface Refund {
  id: RefundId;
  chargeId: ChargeId;
  sessionId: CheckoutSessionId;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  status: RefundStatus;
  amount: Money;
  reason: RefundReason | null;
  metadata: Metadata;
  processor: string;
  /** Of the charge. */
  processorPaymentId: string;
  /** Null while it is not known whether the processor has taken the refund on. */
  processorRefundId: string | null;
  failure: RefundFailure | null;
  processorCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** A refund as it is read. */
export interface ListedRefund extends Refund {
  /** It stayed pending, and the processor is not asked about it any more: a person has to. */
  needsSettling: boolean;
}

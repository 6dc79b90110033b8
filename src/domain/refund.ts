/** A refund of a succeeded charge. Pending and succeeded refunds together never exceed the charge. */
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId, RefundId } from './ids.ts';
import type { Money } from './money.ts';
import type { Metadata, Mode } from './session.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The merchant's reason, in Stripe's words. */
export const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** `processor`: the merchant made it in the processor's dashboard, and its notification told it. */
export const REFUND_ORIGINS = ['ringkey', 'processor'] as const;
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

/** Why a refund failed. */
export type RefundFailure =
  /** Refunded before, such as in the processor's dashboard. */
  | 'already_refunded'
  | 'amount_too_large'
  /** Disputed, too old, or unknown to the processor. */
  | 'not_refundable'
  /** The processor can refund it later: in minutes, or after its settlement. */
  | 'not_settled_yet'
  | 'credentials_rejected'
  /** For another reason of the processor. */
  | 'refused'
  /** The processor never received the request. */
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
  origin: RefundOrigin;
  metadata: Metadata;
  processor: string;
  /** Of the charge. */
  processorPaymentId: string;
  /** Null until the processor is known to have accepted the refund. */
  processorRefundId: string | null;
  failure: RefundFailure | null;
  processorCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** A refund in responses. */
export interface ListedRefund extends Refund {
  /** It stayed pending, and the processor is no longer asked about it: a person must settle it. */
  needsSettling: boolean;
  /** The merchant's own name. */
  businessName: string;
  /** E.164. Null if there was none or it was cleared later. */
  callerPhone: string | null;
}

/** The refunds of a list in one currency. */
export interface RefundTotals {
  currency: string;
  refunds: number;
  succeeded: number;
  /** Of those that succeeded or are pending. */
  refundedCents: number;
  /** The pending part of it. */
  pendingCents: number;
}

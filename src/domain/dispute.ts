/** A dispute: the payer's bank questions a charge (chargeback), or asks about it first (inquiry). */
import type { AccountId, ChargeId, CheckoutSessionId, DisputeId, MerchantId } from './ids.ts';
import type { Mode } from './session.ts';

export const DISPUTE_STATUSES = ['needs_response', 'under_review', 'won', 'lost', 'closed'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export const DISPUTE_KINDS = ['inquiry', 'chargeback'] as const;
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

/** What the payer or the bank claims. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'duplicate',
  'not_received',
  'not_as_described',
  'canceled',
  'credit_not_processed',
  'amount_differs',
  'paid_by_other_means',
  'general',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** What a processor says about a dispute. */
export interface DisputeFacts {
  kind: DisputeKind;
  status: DisputeStatus;
  reason: DisputeReason;
  /** The processor's or the card network's own code. */
  processorReason: string | null;
  /** At most the charge, except for differences of exchange rates and fees of some banks. */
  amountCents: number;
  /** ISO 4217, upper case. Not only those that can be charged. */
  currency: string;
  /** Null if the processor sets none, or no evidence is needed. */
  evidenceDueAt: Date | null;
}

export interface Dispute extends DisputeFacts {
  id: DisputeId;
  accountId: AccountId;
  mode: Mode;
  merchantId: MerchantId;
  chargeId: ChargeId;
  sessionId: CheckoutSessionId;
  processor: string;
  processorDisputeId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The disputes of a list in one currency. */
export interface DisputeTotals {
  currency: string;
  disputes: number;
  disputedCents: number;
  /** Of those that wait for an answer or a decision. */
  openCents: number;
  wonCents: number;
  lostCents: number;
}

/** A payout: what a processor sends to a merchant's bank account, after its fees. */
import type { AccountId, ChargeId, Id, MerchantId } from './ids.ts';
import type { Mode } from './session.ts';

export const PAYOUT_STATUSES = ['pending', 'paid', 'failed', 'canceled'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT_ENTRY_KINDS = ['charge', 'refund', 'dispute', 'fee', 'other'] as const;
export type PayoutEntryKind = (typeof PAYOUT_ENTRY_KINDS)[number];

export type PayoutId = Id<'Payout'>;

/** What a processor says about a payout. */
export interface PayoutFacts {
  status: PayoutStatus;
  /** In minor units of the currency. Negative if the processor debits the bank account. */
  amountCents: number;
  /** ISO 4217, upper case: of the bank account, which need not be that of the charges. */
  currency: string;
  /** `2026-11-27`. */
  arrivalDate: string | null;
}

export interface Payout extends PayoutFacts {
  id: PayoutId;
  accountId: AccountId;
  mode: Mode;
  merchantId: MerchantId;
  processor: string;
  processorPayoutId: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Amounts in the currency of the payout: net is gross without the fee. Money that the merchant gives back is negative.
 */
export interface PayoutEntryFacts {
  kind: PayoutEntryKind;
  grossCents: number;
  feeCents: number;
  netCents: number;
}

export interface PayoutEntry extends PayoutEntryFacts, Pick<PayoutFacts, 'currency' | 'arrivalDate'> {
  id: string;
  payoutId: PayoutId;
  merchantId: MerchantId;
  chargeId: ChargeId | null;
  orderId: string | null;
  createdAt: Date;
}

/** The payout of a charge, on the charge. */
export interface ChargePayout extends Pick<PayoutEntryFacts, 'feeCents' | 'netCents'> {
  payoutId: PayoutId;
  currency: string;
  arrivalDate: string | null;
}

/** The payouts of a list in one currency. */
export interface PayoutTotals {
  currency: string;
  payouts: number;
  /** Of those that the bank accounts have. Debits are subtracted. */
  paidCents: number;
  /** Of those on their way. */
  pendingCents: number;
}

/** The entries of a list in one currency. */
export interface PayoutEntryTotals {
  currency: string;
  entries: number;
  grossCents: number;
  feeCents: number;
  netCents: number;
}

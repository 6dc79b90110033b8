/**
 * A charge: one attempt to take or hold a session's amount. A session has at most one live charge (pending, authorized or
 * succeeded), except for late duplicates.
 */
import type { PaymentMethod } from './bank-account.ts';
import type { CaptureMode } from './hold.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from './ids.ts';
import type { Money } from './money.ts';
import type { ChargePayout } from './payout.ts';
import type { Mode } from './session.ts';

export const CHARGE_STATUSES = ['pending', 'authorized', 'succeeded', 'failed', 'voided', 'expired'] as const;
/** `authorized`: held. `voided`, `expired`: it was held, and nothing was taken. */
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** Statuses of a charge that pays for its session, or may: no other charge can. */
const LIVE_STATUSES = ['pending', 'authorized', 'succeeded'] as const satisfies ChargeStatus[];
export type LiveStatus = (typeof LIVE_STATUSES)[number];

export const isLiveStatus = (status: ChargeStatus): status is LiveStatus =>
  (LIVE_STATUSES as readonly ChargeStatus[]).includes(status);

/** Whether the charge only verifies a card and saves it: it takes nothing. */
export const isVerification = ({ amount }: Pick<Charge, 'amount'>) => amount.amountCents === 0;

/** Whether the payer's part is done: the amount was taken or is held. */
export const isPaidStatus = (status: ChargeStatus) => status === 'succeeded' || status === 'authorized';

/** How the card was entered: keyed on a call, saved and charged over REST, or on the pay page. */
export type ChargeSource = 'phone' | 'saved_card' | 'page';

/** Who started the charge: the caller, or the merchant with a saved card and without the caller. */
export const INITIATORS = ['caller', 'merchant'] as const;
type Initiator = (typeof INITIATORS)[number];

/** The wallets that the pay page offers. */
export const WALLETS = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof WALLETS)[number];

/** Decline reasons of the API. A processor's other reasons map to `generic_decline`. */
export const DECLINE_CODES = [
  'generic_decline',
  'do_not_honor',
  'insufficient_funds',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_number',
  'incorrect_cvc',
  'incorrect_expiry',
  'incorrect_zip',
  'card_not_supported',
  'authentication_required',
  'processing_error',
  'try_again_later',
] as const;

export type DeclineCode = (typeof DECLINE_CODES)[number];

export interface Charge {
  id: ChargeId;
  sessionId: CheckoutSessionId;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  status: ChargeStatus;
  /** The tip included. */
  amount: Money;
  /** The part of the amount that is a tip. 0 if there is none. */
  tipCents: number;
  /** Of the session's amount, beside this charge. 0 if it pays all. */
  remainingCents: number;
  source: ChargeSource;
  processor: string;
  processorPaymentId: string | null;
  paymentMethod: PaymentMethod;
  /** When the processor accepted a bank debit. Null for a card, and as long as that is not certain. */
  debitedAt: Date | null;
  /** When the bank's return of a paid bank debit was found. The charge is failed since. Otherwise null. */
  returnedAt: Date | null;
  /** When the processor reported that it could not take the amount after all. The charge is failed since. Otherwise null. */
  captureFailedAt: Date | null;
  instrumentId: InstrumentId | null;
  /** Upper case, such as `VISA`. Null if only the processor knows it. */
  brand: string | null;
  lastFour: string | null;
  /** Null also for a failed charge if the merchant's setup at the processor is at fault. */
  declineCode: DeclineCode | null;
  processorCode: string | null;
  /** Set only for a payment by a wallet button on the pay page. */
  wallet: Wallet | null;
  /**
   * The payer's deadline to authenticate with the bank (3-D Secure). Null if the bank has not asked, or has its answer.
   */
  actionDeadline: Date | null;
  /** It was reported as failed, or lost by the database, before its processor turned out to have taken the money. */
  wasLate: boolean;
  /** For a late charge: the charge of its session or order that was pending or succeeded at that time. */
  duplicateOf: ChargeId | null;
  capture: CaptureMode;
  /** When the hold expires. Null if it is no hold, or the processor does not say. */
  captureBefore: Date | null;
  /** Of a captured hold. Otherwise null. */
  capturedCents: number | null;
  createdAt: Date;
  /** When the outcome of the payment was known: for a hold, when it was authorized. */
  settledAt: Date | null;
}

/** How a charge differs from the amount of its session, in minor units. Each is absent if it is 0. */
export interface ChargeDifference {
  /** Charged in addition. */
  tipCents?: number;
  /** Left to pay. */
  remainingCents?: number;
}

export function differenceOf({ tipCents = 0, remainingCents = 0 }: ChargeDifference): ChargeDifference {
  return { ...(tipCents > 0 && { tipCents }), ...(remainingCents > 0 && { remainingCents }) };
}

/** A charge in a list, with fields of its session. */
export interface ListedCharge extends Charge {
  /** The merchant's name. */
  businessName: string;
  initiator: Initiator;
  orderId: string | null;
  platformCallId: string | null;
  /** The session's caller at that time, E.164. */
  callerPhone: string | null;
  /** The caller's, for failure messages. BCP 47. */
  language: string | null;
  /** Refunded, including pending refunds. */
  refundedCents: number;
  /** The part of it that the processor has not confirmed. */
  refundPendingCents: number;
  /** Null if no payout is known that contains it. */
  payout: ChargePayout | null;
  /** It stayed pending, and the processor is no longer asked about it: a person must settle it. */
  needsSettling: boolean;
  /** It was late, and a person should look at it: see `NEEDS_ATTENTION`. */
  needsAttention: boolean;
  /** When a person marked the late charge as seen; otherwise null. */
  attentionAcknowledgedAt: Date | null;
}

/** Whether the charge waits for its payer. No money has moved, and none will unless the payer confirms. */
export function awaitsPayer({ status, actionDeadline }: Pick<Charge, 'status' | 'actionDeadline'>): boolean {
  return status === 'pending' && actionDeadline !== null;
}

/** Whether the charge is a bank debit that the processor has accepted, and that the bank has not settled or returned. */
export function awaitsBank({ status, debitedAt }: Pick<Charge, 'status' | 'debitedAt'>): boolean {
  return status === 'pending' && debitedAt !== null;
}

/**
 * Why a charge failed, as far as its row shows. The message depends on who declined it.
 * - `declined`: the issuer declined, or its network for it
 * - `not_received`: the processor never received the charge
 * - `not_processed`: the processor or a network could not process it, so no issuer decided
 * - `merchant`: the processor rejects the merchant's payments because of its setup
 */
export type FailureCause = 'declined' | 'not_received' | 'not_processed' | 'merchant';

interface FailedCharge {
  declineCode: DeclineCode | null;
  /** The processor's own code. Every answer of a processor has a code or a payment. */
  processorCode: string | null;
  processorPaymentId: string | null;
}

export function failureCause({ declineCode, processorCode, processorPaymentId }: FailedCharge): FailureCause {
  if (declineCode === null) return 'merchant';
  if (!isUndecided(declineCode)) return 'declined';
  return processorCode === null && processorPaymentId === null ? 'not_received' : 'not_processed';
}

/** The reason of a call whose charge failed: it was declined only if the issuer decided. */
export function failedCallReason(declineCode: DeclineCode | null): 'declined' | 'error' {
  return declineCode === null || isUndecided(declineCode) ? 'error' : 'declined';
}

/** Whether the charge failed without a decision of the issuer. */
function isUndecided(code: DeclineCode): code is 'processing_error' | 'try_again_later' {
  return code === 'processing_error' || code === 'try_again_later';
}

/** The charges of a list in one currency. A held amount counts as succeeded, but takes nothing yet. */
export interface ChargeTotals {
  currency: string;
  charges: number;
  succeeded: number;
  grossCents: number;
  /** Of these charges, whenever it was refunded. Pending refunds count. */
  refundedCents: number;
}

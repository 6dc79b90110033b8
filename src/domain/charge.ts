/**
 * A charge: one attempt to take a session's amount. At most one of a session is ever pending or succeeded, late
 * duplicates aside.
 */
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from './ids.ts';
import type { Money } from './money.ts';
import type { Mode } from './session.ts';

export const CHARGE_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** How the charge came: keyed on a call, a saved card over REST, or the pay page. */
export type ChargeSource = 'phone' | 'saved_card' | 'page';

/** The wallets whose buttons the pay page has. */
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
  amount: Money;
  source: ChargeSource;
  processor: string;
  processorPaymentId: string | null;
  instrumentId: InstrumentId | null;
  /** Upper case, e.g. `VISA`; null where the processor alone knows. */
  brand: string | null;
  lastFour: string | null;
  /** Null also for a failed charge where the card is not at fault: the merchant's setup at the processor is. */
  declineCode: DeclineCode | null;
  processorCode: string | null;
  /** Set only where the payment came by a wallet's button on the pay page. */
  wallet: Wallet | null;
  /**
   * Until when the payer may do what the bank asks for (3-D Secure); null where it has not asked, or has its answer.
   */
  actionDeadline: Date | null;
  /** It was called failed, or the database had lost it, and its processor was found to have taken the money. */
  wasLate: boolean;
  /** Only of a late charge: the charge of its session or order that was pending or succeeded when it was found. */
  duplicateOf: ChargeId | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** A charge in a list, with what its session says of it. */
export interface ListedCharge extends Charge {
  /** Of the merchant. */
  businessName: string;
  orderId: string | null;
  platformCallId: string | null;
  /** The session's caller as it was then, E.164. */
  callerPhone: string | null;
  /** Of the caller, for the words of a failure. BCP 47. */
  language: string | null;
  /** Given back, or on its way back. */
  refundedCents: number;
  /** It stayed pending, and the processor is not asked about it any more: a person has to. */
  needsSettling: boolean;
  /** It was late, and a person should look at it: see `NEEDS_ATTENTION`. */
  needsAttention: boolean;
}

/** Whether the charge waits for its payer: no money has moved, and none will unless the payer comes back to confirm. */
export function awaitsPayer({ status, actionDeadline }: Pick<Charge, 'status' | 'actionDeadline'>): boolean {
  return status === 'pending' && actionDeadline !== null;
}

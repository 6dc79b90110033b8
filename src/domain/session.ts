/** The checkout session. */
import type { CaptureMode } from './hold.ts';
import type { AccountId, CheckoutSessionId, ConsumerId, MerchantId } from './ids.ts';
import type { CardSaving } from './instrument.ts';
import type { SessionLanguages } from './language.ts';
import type { Money } from './money.ts';

/** Environment: `test` is test money, `live` real money. Rows of one are never visible to the other. */
export type Mode = 'test' | 'live';

/** The verdict of the merchant's payment policy. */
export type Verdict = 'required' | 'optional' | 'none';

export const PURPOSES = ['payment', 'save_card'] as const;
/** What a checkout is for. `save_card`: a card is verified and saved, and nothing is paid. */
export type Purpose = (typeof PURPOSES)[number];

export const SESSION_STATUSES = ['open', 'complete', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The sessions of a list in one currency. */
export interface SessionTotals extends Record<SessionStatus, number> {
  currency: string;
  sessions: number;
  amountCents: number;
  /** Of those that are complete. */
  completeCents: number;
}

export interface LineItem {
  name: string;
  quantity: number;
  amountCents: number;
}

/** The integrator's own values by name: stored and echoed, never interpreted. */
export type Metadata = Record<string, string | number | boolean | null>;

/** One checkout. Phone numbers are E.164. */
export interface CheckoutSession extends SessionLanguages {
  id: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  /** Null if the dialed number belongs to no merchant of the account. */
  merchantId: MerchantId | null;
  consumerId: ConsumerId | null;
  status: SessionStatus;
  verdict: Verdict;
  purpose: Purpose;
  amount: Money;
  amountSource: 'order' | 'request';
  capture: CaptureMode;
  /** The payer's name. With it, the payer can also pay from a US bank account. Null: by card only. */
  payerName: string | null;
  callerPhone: string | null;
  orderId: string | null;
  platformCallId: string | null;
  returnTo: string | null;
  successMessage: string | null;
  failureMessage: string | null;
  lineItems: LineItem[];
  metadata: Metadata;
  /** Null: the standard question about saving the card, if the merchant asks. */
  saving: CardSaving | null;
  createdAt: Date;
  expiresAt: Date;
}

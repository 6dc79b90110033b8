/** The checkout session, its merchant, and the payment policy. */

import type { AccountId, CheckoutSessionId, ConsumerId, MerchantId } from './ids.ts';
import type { MerchantLanguages, SessionLanguages } from './language.ts';
import type { Money } from './money.ts';

/** Environment: `test` is test money, `live` real money. Rows of one are never visible to the other. */
export type Mode = 'test' | 'live';

/** The payment policy's verdict. */
export type Verdict = 'required' | 'optional' | 'none';

export const SESSION_STATUSES = ['open', 'complete', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The merchant's policy; `above` needs a threshold in minor units. */
export type PaymentPolicy =
  | { kind: 'never' }
  | { kind: 'optional' }
  | { kind: 'always' }
  | { kind: 'above'; amountCents: number };

/** The policy's verdict on an amount. `above`: required from its threshold on. */
export function verdictOf(policy: PaymentPolicy, amountCents: number): Verdict {
  switch (policy.kind) {
    case 'never':
      return 'none';
    case 'optional':
      return 'optional';
    case 'always':
      return 'required';
    case 'above':
      return amountCents >= policy.amountCents ? 'required' : 'none';
  }
}

interface LineItem {
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
  /** Null if the dialled number belongs to no merchant of the account. */
  merchantId: MerchantId | null;
  consumerId: ConsumerId | null;
  status: SessionStatus;
  verdict: Verdict;
  amount: Money;
  amountSource: 'order' | 'request';
  callerPhone: string | null;
  orderId: string | null;
  platformCallId: string | null;
  returnTo: string | null;
  successMessage: string | null;
  failureMessage: string | null;
  lineItems: LineItem[];
  metadata: Metadata;
  createdAt: Date;
  expiresAt: Date;
}

/** Whether callers are asked to save their card. */
export const CARD_SAVINGS = ['never', 'ask'] as const;
type CardSaving = (typeof CARD_SAVINGS)[number];

/** How a call returns to the agent: by SIP REFER, by a bridged call, or by REFER if the other side supports it. */
export const RETURN_MODES = ['auto', 'refer', 'bridge'] as const;
export type ReturnMode = (typeof RETURN_MODES)[number];

/** Who gets paid, and how the payment line treats the callers. */
export interface Merchant extends MerchantLanguages {
  id: MerchantId;
  accountId: AccountId;
  mode: Mode;
  slug: string;
  businessName: string;
  currency: Money['currency'];
  policy: PaymentPolicy;
  /** IANA name, such as `Europe/Berlin`, for times in texts. */
  timeZone: string;
  /** Synthesizer's voice name; null for the default voice. */
  voice: string | null;
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  cardSaving: CardSaving;
  /** Callers whose call dropped before the payment are texted the pay link. */
  textAfterDrop: boolean;
  /** Null: as set in RINGKEY_RETURN_MODE. */
  returnMode: ReturnMode | null;
  acceptedBrands: readonly string[];
  /** Key of the processor's folder; null until one is connected. */
  processor: string | null;
}

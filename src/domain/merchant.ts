/** The merchant: who gets paid, the payment policy, and how the payment line treats the callers. */
import { NO_BRANDING, type PageBranding } from './branding.ts';
import type { AccountId, MerchantId } from './ids.ts';
import type { MerchantLanguages } from './language.ts';
import type { Money } from './money.ts';
import type { Mode, Verdict } from './session.ts';

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
  /** Tips that the line and the page offer, in percent, at most MAX_TIPS. Empty: none. */
  tipPercentages: readonly number[];
  /** The smallest part of an amount that payers may pay, in minor units. Null: only the whole amount. */
  partialMinimumCents: number | null;
  /** Callers whose call dropped before the payment are texted the pay link. */
  textAfterDrop: boolean;
  /** Null: as set in RINGKEY_RETURN_MODE. */
  returnMode: ReturnMode | null;
  acceptedBrands: readonly string[];
  /** Where payers ask about bank debits, and revoke them (E.164). Null: the merchant takes no bank debits. */
  bankDebitPhone: string | null;
  /** Of its pay pages and emails. Null values: as the account's. */
  branding: PageBranding;
  /** Key of the processor's folder; null until one is connected. */
  processor: string | null;
}

/** The settings of a merchant that was created without settings. */
export const MERCHANT_DEFAULTS = {
  currency: 'USD',
  policy: { kind: 'always' },
  language: 'en-US',
  secondLanguage: null,
  timeZone: 'UTC',
  voice: null,
  asksPostalCode: false,
  asksConfirmation: false,
  cardSaving: 'never',
  tipPercentages: [],
  partialMinimumCents: null,
  textAfterDrop: false,
  returnMode: null,
  acceptedBrands: ['visa', 'mastercard', 'american-express', 'discover'],
  bankDebitPhone: null,
  branding: NO_BRANDING,
  processor: null,
} as const satisfies Omit<Merchant, 'id' | 'accountId' | 'mode' | 'slug' | 'businessName'>;

/** The merchant's policy; `above` needs a threshold in minor units. */
export type PaymentPolicy =
  | { kind: 'never' }
  | { kind: 'optional' }
  | { kind: 'always' }
  | { kind: 'above'; amountCents: number };

export const POLICY_KINDS = [
  'never',
  'optional',
  'always',
  'above',
] as const satisfies readonly PaymentPolicy['kind'][];

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

/**
 * The policy after a change. Leaving `above` drops its threshold.
 * @param change undefined if unchanged
 * @returns null if kind and threshold do not match: `above` without one, or another kind with one
 */
export function changedPolicy(
  current: PaymentPolicy,
  change: { kind: PaymentPolicy['kind'] | undefined; amountCents: number | null | undefined },
): PaymentPolicy | null {
  const kind = change.kind ?? current.kind;
  if (kind !== 'above') return (change.amountCents ?? null) === null ? { kind } : null;
  const currentCents = current.kind === 'above' ? current.amountCents : null;
  const amountCents = change.amountCents === undefined ? currentCents : change.amountCents;
  return amountCents === null ? null : { kind, amountCents };
}

/** Where a merchant's orders are looked up, as stored: `signingSecret` is encrypted. */
export type OrderSourceSetting =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | { kind: 'http'; url: string; signingSecret: string };

/** Without a setting, test merchants have the sandbox's orders and live ones none. */
export function orderSourceKind(setting: OrderSourceSetting | null, mode: Mode): OrderSourceSetting['kind'] {
  return setting?.kind ?? (mode === 'test' ? 'sandbox' : 'none');
}

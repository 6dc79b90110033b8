/** A hold: the authorized amount of a charge with manual capture. It is captured or voided once, or it expires. */
import type { AccountId, ChargeId, HoldChangeId, MerchantId } from './ids.ts';
import type { Money } from './money.ts';
import type { Mode } from './session.ts';

/** How a session's payment is captured: at once, or later by the merchant. */
export const CAPTURE_MODES = ['automatic', 'manual'] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

/** Why a processor did not capture or void a hold. */
export type HoldFailure =
  /** More than is held. */
  | 'amount_too_large'
  /** It captures the whole hold only. */
  | 'partial_unsupported'
  /** Unknown to the processor, or in a state that cannot be captured. */
  | 'not_capturable'
  | 'credentials_rejected'
  /** For another reason of the processor. */
  | 'refused';

export type HoldChangeKind = 'capture' | 'void';

/** Why a capture or void failed. */
export type HoldChangeFailure =
  | HoldFailure
  /** The hold was changed elsewhere, such as in the processor's dashboard. */
  | 'captured'
  | 'voided'
  | 'expired'
  /** The processor never received the request. */
  | 'not_received';

/** A capture or void of a hold. */
export interface HoldChange {
  id: HoldChangeId;
  chargeId: ChargeId;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  kind: HoldChangeKind;
  status: 'pending' | 'succeeded' | 'failed';
  /** To capture, or to release. */
  amount: Money;
  processor: string;
  /** Of the charge. */
  processorPaymentId: string;
  failure: HoldChangeFailure | null;
  processorCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

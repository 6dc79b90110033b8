/** A hold: the authorized amount of a charge with manual capture. It is captured or voided once, or it expires. */

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

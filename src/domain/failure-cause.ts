/** Why a charge failed, as far as its row shows. The message depends on who declined it. */
import type { DeclineCode } from './charge.ts';

/**
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

/** Whether the charge failed without a decision of the issuer. */
function isUndecided(code: DeclineCode): code is 'processing_error' | 'try_again_later' {
  return code === 'processing_error' || code === 'try_again_later';
}

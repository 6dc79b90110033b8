/** Why a charge failed, as far as its row tells: the words for it depend on who said no. */
import type { DeclineCode } from './charge.ts';

/**
 * - `declined`: the issuer said no, or its network did for it
 * - `not_received`: the processor never had the charge
 * - `not_processed`: the processor or a network could not process it, and no issuer decided
 * - `merchant`: the processor takes no payments of the merchant as it is set up
 */
export type FailureCause = 'declined' | 'not_received' | 'not_processed' | 'merchant';

interface FailedCharge {
  declineCode: DeclineCode | null;
  /** The processor's own code. Each answer that a processor gave has one, or has a payment. */
  processorCode: string | null;
  processorPaymentId: string | null;
}

export function failureCause({ declineCode, processorCode, processorPaymentId }: FailedCharge): FailureCause {
  if (declineCode === null) return 'merchant';
  if (!isUndecided(declineCode)) return 'declined';
  return processorCode === null && processorPaymentId === null ? 'not_received' : 'not_processed';
}

/** Whether the charge failed although no issuer decided on it. */
function isUndecided(code: DeclineCode): code is 'processing_error' | 'try_again_later' {
  return code === 'processing_error' || code === 'try_again_later';
}

/** Receipts by email: their kinds, states and lists. */
import type { ChargeId, CheckoutSessionId } from './ids.ts';

/**
 * `late_receipt`: for a payer who was told that nothing was charged. `debit_returned`, `not_collected`: for a payer who has a
 * receipt, but the bank returned the debit, or the capture failed.
 */
export const EMAIL_KINDS = ['receipt', 'not_charged', 'late_receipt', 'debit_returned', 'not_collected'] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** `waiting`: for its next attempt. */
export const EMAIL_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

export interface ListedEmail {
  id: string;
  kind: EmailKind;
  sessionId: CheckoutSessionId;
  chargeId: ChargeId;
  /** Null if the caller was erased. */
  recipient: string | null;
  status: EmailStatus;
  attempts: number;
  errorCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** `jordan@example.com` as `j…@example.com`. */
export function maskedEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}…${address.slice(at)}`;
}

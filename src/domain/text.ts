/** A text to a caller, in lists. */
import type { ChargeId, CheckoutSessionId } from './ids.ts';

/** `sending`: the carrier was asked and has not answered. `unknown`: the result could not be determined. */
export const TEXT_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'opted_out'] as const;
/** The carrier's report after it accepted the text. */
export const TEXT_DELIVERIES = ['delivered', 'undelivered', 'unconfirmed'] as const;

export interface ListedText {
  id: string;
  sessionId: CheckoutSessionId;
  chargeId: ChargeId | null;
  kind: string;
  /** E.164. */
  recipient: string;
  /** Null if it contains a pay link or a code. */
  body: string | null;
  segments: number;
  status: (typeof TEXT_STATUSES)[number];
  attempts: number;
  carrier: string | null;
  /** The carrier's. */
  errorCode: string | null;
  delivery: (typeof TEXT_DELIVERIES)[number] | null;
  deliveryCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
  deliveryAt: Date | null;
}

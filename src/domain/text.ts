/** A text to a caller, as lists show it. */
import type { ChargeId, CheckoutSessionId } from './ids.ts';

/** `sending`: the carrier was asked, and has not answered. `unknown`: what it did was not found out. */
export const TEXT_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'opted_out'] as const;
/** What the carrier has reported since it took the text. */
export const TEXT_DELIVERIES = ['delivered', 'undelivered', 'unconfirmed'] as const;

export interface ListedText {
  id: string;
  sessionId: CheckoutSessionId;
  chargeId: ChargeId | null;
  kind: string;
  /** E.164. */
  recipient: string;
  /** Null where it holds the way to pay, or a code. */
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

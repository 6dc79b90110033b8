/** The port for refunds. See processor.ts. */
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { RefundFailure, RefundReason } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import type { NotFound, Unknown } from './answers.ts';
import type { LookupRequest } from './charges.ts';
import type { Credentials } from './credentials.ts';

/** A full or partial refund. The charge need not be settled: the adapter voids it if its processor requires that. */
export interface RefundRequest {
  /** Our refund ID: the processor's idempotency key. */
  refundId: RefundId;
  chargeId: ChargeId;
  processorPaymentId: string;
  mode: Mode;
  amount: Money;
  reason: RefundReason | null;
  credentials: Credentials;
}

/** The earlier refund to look up. */
export interface RefundLookupRequest extends Omit<RefundRequest, 'reason'> {
  /** When it was created, by our clock. It may have been resent up to {@link REPEATABLE_MS} later. */
  createdAt: Date;
  /** As in {@link LookupRequest}. */
  askedAt?: Date;
  /** The processor's ID of the refund, if known. */
  processorRefundId: string | null;
}

/**
 * `pending`: accepted and almost certain; a later lookup returns the outcome. `unknown`: maybe accepted. `failed`: not
 * accepted, and nothing is refunded. A temporary error (too many requests) is `unknown` instead.
 */
export type RefundAnswer =
  | { status: 'succeeded'; processorRefundId: string }
  | { status: 'pending'; processorRefundId: string }
  | { status: 'failed'; reason: Exclude<RefundFailure, 'not_received'>; processorCode: string | null }
  | Unknown;

/** The refunds of a processor. These functions never throw. */
export interface Refunds {
  /**
   * Sends one request per call. The same request again within {@link REPEATABLE_MS} refunds nothing more, because it
   * contains no card and the processor knows its key.
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundAnswer>;
  /** Looks up an earlier {@link refund}. */
  lookUp(request: RefundLookupRequest, signal: AbortSignal): Promise<RefundAnswer | NotFound>;
}

/**
 * Half of the time that Stripe promises to remember a key (docs.stripe.com/api/idempotent_requests); Square publishes
 * none. A refund is looked up before it is resent, so it does not depend on the key alone.
 */
export const REPEATABLE_MS = 12 * 60 * 60 * 1_000;

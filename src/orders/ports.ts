/** Order lookup: what the merchant's own system says that an order costs. */
import type { Merchant } from '../domain/session.ts';

/**
 * Why there is no amount.
 * - `late`: no answer within the limit
 * - `unreachable`: no connection, or one that broke
 * - `status`: an answer that is neither 200 nor 404
 * - `amount`: no amount that can be charged in the merchant's currency
 */
export type Unavailability = 'late' | 'unreachable' | 'status' | 'amount';

export type OrderAnswer =
  | { status: 'found'; amountCents: number }
  /** The source has no such order. */
  | { status: 'unknown' }
  | { status: 'unavailable'; why: Unavailability }
  /** The merchant has no order source. */
  | { status: 'unsupported' };

export interface LookUp {
  /** Id of the REST request: logged, and sent as `webhook-id`. */
  requestId: string;
  /** Ends the wait. */
  signal: AbortSignal;
}

export interface OrderSource {
  /** @returns the order's amount in minor units of the merchant's currency. Never throws for a source that fails. */
  lookUp(merchant: Merchant, orderId: string, lookUp: LookUp): Promise<OrderAnswer>;
}

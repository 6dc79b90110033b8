/** Order lookup: the merchant's own word for what an order costs. One folder an adapter. */
import type { Merchant } from '../domain/session.ts';

/**
 * Why there is no amount. `late`: no answer within the limit. `unreachable`: it could not be asked, or broke off. `status`: it
 * answered, but neither 200 nor 404. `amount`: what it answered is no amount that can be charged in the merchant's currency.
 */
export type Unavailability = 'late' | 'unreachable' | 'status' | 'amount';

/** `unknown`: the source has no such order. `unavailable`: it did not answer, or not in a way that can be charged. */
export type OrderAnswer =
  | { status: 'found'; amountCents: number }
  | { status: 'unknown' }
  | { status: 'unavailable'; why: Unavailability }
  /** The merchant has no order source. */
  | { status: 'unsupported' };

/** Who asks, and how long. */
export interface Asking {
  /** Of our own request: in the log, and the question's `webhook-id`. */
  requestId: string;
  /** Ends the wait. */
  signal: AbortSignal;
}

export interface OrderSource {
  /**
   * What the order costs, in minor units of the merchant's currency. Never throws for a source that fails: that is
   * `unavailable`.
   */
  lookUp(merchant: Merchant, orderId: string, asking: Asking): Promise<OrderAnswer>;
}

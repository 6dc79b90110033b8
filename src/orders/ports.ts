/** Order lookup: the merchant's own word for what an order costs. One folder an adapter. */
import type { Merchant } from '../domain/session.ts';

/** `unknown`: the source has no such order. `unavailable`: it did not answer, or not in a way that can be charged. */
export type OrderAnswer =
  | { status: 'found'; amountCents: number }
  | { status: 'unknown' }
  | { status: 'unavailable' }
  /** The merchant has no order source. */
  | { status: 'unsupported' };

export interface OrderSource {
  /**
   * What the order costs, in minor units of the merchant's currency. Never throws for a source that fails: that is
   * `unavailable`. `signal` ends the wait.
   */
  lookUp(merchant: Merchant, orderId: string, signal: AbortSignal): Promise<OrderAnswer>;
}

/** Order lookup: the price of an order in the merchant's own system. */
import { ApiError } from '../../contract/errors.ts';
import type { Merchant } from '../../domain/merchant.ts';

const ORDER_LIMIT_MS = 3_000;

/** Why a source returned no amount. */
const NO_AMOUNT = {
  late: `The merchant's order source did not answer within ${ORDER_LIMIT_MS / 1_000} seconds.`,
  unreachable: "The merchant's order source could not be reached: it refused or closed the connection.",
  status: "The merchant's order source answered with a status that is neither 200 nor 404.",
  amount: "The merchant's order source answered with no amount that can be charged in the merchant's currency.",
};

export type OrderAnswer =
  | { status: 'found'; amountCents: number }
  /** The source does not know the order. */
  | { status: 'unknown' }
  | { status: 'unavailable'; why: keyof typeof NO_AMOUNT }
  /** The merchant has no order source. */
  | { status: 'unsupported' };

export interface LookUp {
  /** ID of the REST request: logged, and sent as `webhook-id`. */
  requestId: string;
  /** Ends the wait. */
  signal: AbortSignal;
}

export interface OrderSource {
  /** Never throws because of the source. @returns the order's amount in minor units of the merchant's currency */
  lookUp(merchant: Merchant, orderId: string, lookUp: LookUp): Promise<OrderAnswer>;
}

/**
 * Asks the merchant's order source for the price of an order.
 * @returns minor units of the merchant's currency
 * @throws ApiError `order_lookup_failed`, `order_lookup_unsupported`
 */
export async function orderAmountCents(
  orders: OrderSource,
  merchant: Merchant,
  orderId: string,
  requestId: string,
): Promise<number> {
  const answer = await orders.lookUp(merchant, orderId, { requestId, signal: AbortSignal.timeout(ORDER_LIMIT_MS) });
  switch (answer.status) {
    case 'found':
      return answer.amountCents;
    case 'unknown':
      throw lookupFailed("The merchant's order source does not have this order.");
    case 'unavailable':
      throw lookupFailed(NO_AMOUNT[answer.why]);
    case 'unsupported':
      throw new ApiError('order_lookup_unsupported', { param: 'order_id' });
  }
}

function lookupFailed(message: string): ApiError {
  return new ApiError('order_lookup_failed', { param: 'order_id', isTemporary: true, message });
}

/** The amount of an order, as the merchant's order source gives it. */
import { ApiError } from '../contract/errors.ts';
import type { Merchant } from '../domain/session.ts';
import type { OrderSource, Unavailability } from './ports.ts';

const ORDER_LIMIT_MS = 3_000;

const NO_AMOUNT: Record<Unavailability, string> = {
  late: `The merchant's order source did not answer within ${ORDER_LIMIT_MS / 1_000} seconds.`,
  unreachable: "The merchant's order source could not be asked: it does not take our connection, or breaks it off.",
  status: "The merchant's order source answered with a status that is neither 200 nor 404.",
  amount: "The merchant's order source answered with no amount that can be charged in the merchant's currency.",
};

/**
 * Asks the merchant's order source what an order costs.
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
      throw lookupFailed("The merchant's order source has no such order.");
    case 'unavailable':
      throw lookupFailed(NO_AMOUNT[answer.why]);
    case 'unsupported':
      throw new ApiError('order_lookup_unsupported', { param: 'order_id' });
  }
}

function lookupFailed(message: string): ApiError {
  return new ApiError('order_lookup_failed', { param: 'order_id', isTemporary: true, message });
}

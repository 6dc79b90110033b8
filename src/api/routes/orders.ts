/** `GET /v1/orders/{order_id}?merchant_id=`: what the merchant's order source says that an order costs. */
import type { FastifyInstance } from 'fastify';
import { ApiError, withErrorsIn } from '../../contract/errors.ts';
import type { Sql } from '../../db/pool.ts';
import { orderAmountCents } from '../../orders/amount.ts';
import type { OrderSource } from '../../orders/ports.ts';
import { RETRIEVE_ORDER } from '../operations/merchants.ts';
import { type IdRoute, requireMerchant } from '../require-in-scope.ts';
import { CreateCheckoutRequest } from '../schemas/create-checkout.ts';
import { LookUpOrderQuery, type OrderResource } from '../schemas/orders.ts';
import { parseQuery } from '../validation.ts';

/** @throws ApiError `order_lookup_failed`: no such order, or the source failed; `order_lookup_unsupported`: no source */
export function orderRoute(app: FastifyInstance, deps: { database: Sql; orders: OrderSource }): void {
  app.get<IdRoute>(
    '/orders/:id',
    { config: { operation: RETRIEVE_ORDER } },
    async (request): Promise<OrderResource> => {
      const query = parseQuery(LookUpOrderQuery, request.query);
      const orderId = CreateCheckoutRequest.shape.order_id.safeParse(request.params.id).data;
      if (orderId === undefined) throw new ApiError('invalid_value', { param: 'order_id' });
      const { merchant } = await requireMerchant(deps.database, request, query.merchant_id);
      const amountCents = await withErrorsIn(merchant.language, () =>
        orderAmountCents(deps.orders, merchant, orderId, request.id),
      );
      return { order_id: orderId, merchant_id: merchant.id, amount_cents: amountCents, currency: merchant.currency };
    },
  );
}

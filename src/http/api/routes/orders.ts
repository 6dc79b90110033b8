/** `GET /v1/orders/{order_id}?merchant_id=`: the amount of an order from the merchant's order source. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type OrderSource, orderAmountCents } from '../../../checkout/orders/amount.ts';
import { ApiError, withErrorsIn } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import type { Sql } from '../../../db/pool.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { CreateCheckoutRequest } from './create-checkout.ts';

export const LookUpOrderQuery = z.object({
  merchant_id: field(z.string(), 'The merchant whose order source is asked.', 'mer_demo_diner'),
});

export const OrderResource = z.object({
  order_id: field(z.string(), 'The requested order.', 'order_1001'),
  merchant_id: FIELDS.merchant_id,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
});
export type OrderResource = z.infer<typeof OrderResource>;

const RETRIEVE_ORDER = {
  id: 'retrieve_order',
  group: 'Merchants',
  summary: 'Look up an order',
  description: `Returns the amount of an order from the merchant's order source, as \`create_checkout\` would use it. If the order
does not exist, the source does not answer within 3 seconds, or the amount cannot be charged, returns 424
\`order_lookup_failed\`. If the merchant has no order source, returns 422 \`order_lookup_unsupported\`.`,
  params: z.object({ id: field(z.string(), "The order ID in the merchant's own system.", 'order_1001') }),
  query: LookUpOrderQuery,
  response: OrderResource,
  answers: 'The amount of the order.',
  errors: ['missing_required_fields', 'merchant_not_found', 'order_lookup_failed', 'order_lookup_unsupported'],
  example: { params: { id: 'order_1001' }, query: { merchant_id: 'mer_demo_diner' } },
} satisfies Operation;

export function orderRoute(app: FastifyInstance, deps: { database: Sql; orders: OrderSource }): void {
  addOperation(app, 'GET /orders/:id', RETRIEVE_ORDER, async ({ params, query }, request) => {
    const orderId = CreateCheckoutRequest.shape.order_id.safeParse(params.id).data;
    if (orderId === undefined) throw new ApiError('invalid_value', { param: 'order_id' });
    const { merchant } = await requireMerchant(deps.database, request, query.merchant_id);
    const amountCents = await withErrorsIn(merchant.language, () =>
      orderAmountCents(deps.orders, merchant, orderId, request.id),
    );
    return { order_id: orderId, merchant_id: merchant.id, amount_cents: amountCents, currency: merchant.currency };
  });
}

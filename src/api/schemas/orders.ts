/** `GET /v1/orders/{order_id}`: its query and its answer. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';

export const LookUpOrderQuery = z.object({
  merchant_id: field(z.string(), 'The merchant whose order source is asked.', 'mer_demo_diner'),
});

export const OrderResource = z.object({
  order_id: field(z.string(), 'The order, as it was asked for.', 'order_1001'),
  merchant_id: FIELDS.merchant_id,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
});
export type OrderResource = z.infer<typeof OrderResource>;

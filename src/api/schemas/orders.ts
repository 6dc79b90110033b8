/** `GET /v1/orders/{order_id}`: its query and its answer. */
import { z } from 'zod';

export const LookUpOrderQuery = z.object({ merchant_id: z.string() });

export const OrderResource = z.object({
  order_id: z.string(),
  merchant_id: z.string(),
  amount_cents: z.int(),
  currency: z.string(),
});
export type OrderResource = z.infer<typeof OrderResource>;

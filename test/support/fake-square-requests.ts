/** Keys and requests of the fake Square (github.com/square/connect-api-specification). */
import { z } from 'zod';

export const ACCESS_TOKEN = 'EAAAEstand-in_access_token_of_a_merchant';
export const LOCATION = 'L88917AVBK2S5';
export const SELLER = 'ML8M1AQ1GQG2K';

const key = z.string().min(1).max(45);
const money = z.strictObject({ amount: z.int().positive(), currency: z.string().regex(/^[A-Z]{3}$/) });
export const NEW_PAYMENT = z.strictObject({
  source_id: z.string(),
  idempotency_key: key,
  amount_money: money,
  autocomplete: z.boolean(),
  customer_id: z.string().optional(),
  customer_details: z.strictObject({ customer_initiated: z.boolean(), seller_keyed_in: z.boolean() }).optional(),
  location_id: z.literal(LOCATION),
  reference_id: z.string().max(40),
  note: z.string().max(500),
});
/** A payment is completed as a whole: no amount (CompletePayment). */
export const COMPLETE_PAYMENT = z.strictObject({ version_token: z.string().optional() });
export const NEW_CUSTOMER = z.strictObject({
  idempotency_key: key,
  given_name: z.string().max(300),
  reference_id: z.string(),
});
export const NEW_CARD = z.strictObject({
  idempotency_key: key,
  source_id: z.string().max(16_384),
  card: z.strictObject({ customer_id: z.string(), reference_id: z.string().max(128) }),
});
export const NEW_REFUND = z.strictObject({
  idempotency_key: key,
  payment_id: z.string(),
  amount_money: money,
  reason: z.string().max(192),
});
export const NEW_DOMAIN = z.strictObject({ domain_name: z.string().regex(/^[a-z0-9.-]+$/) });
export const LIST = z.strictObject({
  begin_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  sort_order: z.literal('ASC'),
  limit: z.coerce.number().int().max(100),
  location_id: z.literal(LOCATION),
  cursor: z.string().optional(),
});
export const LIST_CARDS = z.strictObject({ reference_id: z.string().max(128) });

export const LIST_DISPUTES = z.strictObject({ location_id: z.literal(LOCATION), cursor: z.string().optional() });
export const LIST_PAYOUTS = z.strictObject({
  location_id: z.literal(LOCATION),
  begin_time: z.iso.datetime(),
  limit: z.coerce.number().int().max(100),
  cursor: z.string().optional(),
});
export const LIST_ENTRIES = z.strictObject({
  sort_order: z.literal('ASC'),
  limit: z.coerce.number().int().max(100),
  cursor: z.string().optional(),
});

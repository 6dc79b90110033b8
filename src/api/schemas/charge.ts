/** `POST /v1/charge` and `POST /v1/send_link`: requests and answers. No other properties are accepted. */
import { z } from 'zod';

const MAX_ID_LENGTH = 255;
const id = z.string().min(1).max(MAX_ID_LENGTH);

export const ChargeRequest = z.strictObject({
  checkout_session_id: id,
  /** Never defaulted: the caller agreed to a specific card. */
  instrument_id: id,
});

export const ChargeResponse = z.object({
  status: z.enum(['pending', 'succeeded', 'failed']),
  amount_cents: z.int(),
  currency: z.string(),
  /** This exact charge was made before, and this is the original. */
  replay: z.boolean(),
  charge_id: z.string(),
  checkout_session_id: z.string(),
  processor_payment_id: z.string().nullable(),
  merchant_id: z.string(),
  order_id: z.string().nullable(),
  platform_call_id: z.string().nullable(),
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

export const SendLinkRequest = z.strictObject({ checkout_session_id: id });

export const SendLinkResponse = z.object({
  /** False: a text went out a moment ago, and no other did now. */
  sent: z.boolean(),
  pay_url: z.string(),
  short_url: z.string(),
  payment_required: z.enum(['required', 'optional', 'none']),
  checkout_session_id: z.string(),
  merchant_id: z.string(),
  order_id: z.string().nullable(),
  platform_call_id: z.string().nullable(),
});
export type SendLinkResponse = z.infer<typeof SendLinkResponse>;

/** `POST /v1/create_checkout`: its request and its answer. */
import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { CardEntry } from '../../domain/resources.ts';
import { parseReturnTo } from '../../domain/return-target.ts';
import { metadata, phoneNumber, text } from './text.ts';

const MAX_ID_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 500;
const MAX_RETURN_TO_LENGTH = 1_024;

export const CreateCheckoutRequest = z
  .object({
    merchant_id: z.string().optional(),
    merchant_number: phoneNumber.optional(),
    caller_phone: phoneNumber.optional(),
    order_id: text(MAX_ID_LENGTH).optional(),
    amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
    platform_call_id: text(MAX_ID_LENGTH).optional(),
    return_to: text(MAX_RETURN_TO_LENGTH)
      .refine((value) => parseReturnTo(value) !== null, {
        error: 'is not a sip:, sips:, tel:, http(s): URI or a number',
      })
      .optional(),
    success_message: text(MAX_MESSAGE_LENGTH).optional(),
    failure_message: text(MAX_MESSAGE_LENGTH).optional(),
    metadata: metadata.optional(),
    ttl_seconds: z.int().min(60).max(86_400).optional(),
  })
  .superRefine((body, context) => {
    const missing = (path: string) => context.addIssue({ code: 'custom', path: [path], params: { missing: true } });
    if (body.merchant_id === undefined && body.merchant_number === undefined) missing('merchant_id');
    if (body.order_id === undefined && body.amount_cents === undefined) missing('amount_cents');
  });

/** The answer, but for `metadata`: that is echoed as text. */
export const CreateCheckoutResponse = z.object({
  checkout_session_id: z.string(),
  merchant_id: z.string(),
  agent_message: z.string(),
  payment_required: z.enum(['required', 'optional', 'none']),
  amount_cents: z.int(),
  currency: z.string(),
  amount_source: z.enum(['order', 'request']),
  transfer_to: z.string().nullable(),
  /** Absent where the call can't be handed over to a number. */
  transfer_to_number: z.string().optional(),
  expires_at: z.iso.datetime(),
  cards: z.array(CardEntry),
  default_card_id: z.string().nullable(),
});
export type CreateCheckoutResponse = z.infer<typeof CreateCheckoutResponse>;

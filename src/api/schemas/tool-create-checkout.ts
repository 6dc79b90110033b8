/** `POST /api/tools/create_checkout`, the form for a voice agent's tool: its request and its answer. */
import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { CreateCheckoutRequest } from './create-checkout.ts';
import { text } from './text.ts';

const MAX_LINE_ITEMS = 100;
const MAX_NAME_LENGTH = 200;
const MAX_QUANTITY = 10_000;

const LineItem = z.object({
  name: text(MAX_NAME_LENGTH),
  quantity: z.int().min(1).max(MAX_QUANTITY),
  amount_cents: z.int().min(0).max(MAX_AMOUNT_CENTS),
});

const { order_id, return_to, success_message, failure_message } = CreateCheckoutRequest.shape;

export const ToolCreateCheckoutRequest = z.object({
  amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS),
  /** Shown on the pay page and the receipt. */
  line_items: z.array(LineItem).max(MAX_LINE_ITEMS).optional(),
  order_id,
  return_to,
  success_message,
  failure_message,
});

export const ToolCreateCheckoutResponse = z.object({
  id: z.string(),
  payment_required: z.enum(['required', 'optional', 'none']),
  /** Only when the call is to be transferred. */
  transfer_to: z.string().optional(),
});
export type ToolCreateCheckoutResponse = z.infer<typeof ToolCreateCheckoutResponse>;

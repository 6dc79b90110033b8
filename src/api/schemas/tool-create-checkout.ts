/** `POST /api/tools/create_checkout`: its request and its answer. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { CreateCheckoutRequest } from './create-checkout.ts';
import { line } from './text.ts';

const MAX_LINE_ITEMS = 100;
const MAX_NAME_LENGTH = 200;
const MAX_QUANTITY = 10_000;

const LineItem = z.object({
  name: field(line(MAX_NAME_LENGTH), 'What it is, for the caller to read.', 'Margherita'),
  quantity: field(z.int().min(1).max(MAX_QUANTITY), 'How many of it.', 2),
  amount_cents: field(z.int().min(0).max(MAX_AMOUNT_CENTS), 'Of one, in minor units.', 2125),
});

const { order_id, return_to, success_message, failure_message } = CreateCheckoutRequest.shape;

export const ToolCreateCheckoutRequest = z.object({
  amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS),
    "An integer in the minor unit of the merchant's currency. An order's amount, where there is an `order_id`, wins over it.",
    4250,
  ),
  line_items: field(
    z.array(LineItem).max(MAX_LINE_ITEMS).optional(),
    'Shown on the pay page and the receipt; the amount is not made of them.',
  ),
  order_id,
  return_to,
  success_message,
  failure_message,
});

export const ToolCreateCheckoutResponse = z.object({
  id: FIELDS.checkout_session_id,
  payment_required: FIELDS.payment_required,
  transfer_to: field(
    z.string().optional(),
    'The SIP URI to transfer the call to; the session id is in it. Absent when the call is not to be transferred.',
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
  ),
});
export type ToolCreateCheckoutResponse = z.infer<typeof ToolCreateCheckoutResponse>;

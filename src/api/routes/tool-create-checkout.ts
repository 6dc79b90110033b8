/** `POST /api/tools/create_checkout`: create_checkout for voice agents' tools. A header names the merchant. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { CreateCheckoutRequest, checkoutRequest } from './create-checkout.ts';
import { line } from '../text-schemas.ts';
import { parseBody } from '../validation.ts';
import { type CheckoutDeps, createCheckout } from '../../checkout/create.ts';
import { ApiError } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import type { Sql } from '../../db/pool.ts';
import { findMerchantBySlug } from '../../db/merchants/merchants.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';

const MAX_LINE_ITEMS = 100;
const MAX_NAME_LENGTH = 200;
const MAX_QUANTITY = 10_000;

const LineItem = z.object({
  name: field(line(MAX_NAME_LENGTH), 'What it is, for the caller to read.', 'Margherita'),
  quantity: field(z.int().min(1).max(MAX_QUANTITY), 'How many of it.', 2),
  amount_cents: field(z.int().min(0).max(MAX_AMOUNT_CENTS), 'Of one, in minor units.', 2125),
});

const { order_id, return_to, success_message, failure_message, language } = CreateCheckoutRequest.shape;

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
  language,
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

const TOOL_CREATE_CHECKOUT = {
  id: 'tool_create_checkout',
  group: 'Checkout',
  scope: 'agent',
  summary: "Open a checkout, in an agent tool's form",
  description: `For voice platforms whose tools send a fixed body to a fixed URL: a header names the merchant by its slug, the body has no caller, and
the answer is two or three fields.

- \`transfer_to\` is there only when the call is to be transferred; the session id is in it.
- Without the caller's number there are no saved cards and no transfer by number; the payment line works as ever.
- Amount, verdict, lifetime and the ways a transfer ends are those of \`create_checkout\`.`,
  headers: z.object({
    'X-Ringkey-Merchant': field(z.string(), "The merchant's slug. Unknown: `merchant_not_found`.", 'demo-diner'),
  }),
  request: ToolCreateCheckoutRequest,
  response: ToolCreateCheckoutResponse,
  answers: 'The session is open, or, with the verdict `none`, there is nothing to pay.',
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'merchant_not_connected'] as const),
    ...(['order_lookup_failed', 'order_lookup_unsupported', 'session_create_failed'] as const),
  ],
  example: {
    headers: { 'X-Ringkey-Merchant': 'demo-diner' },
    body: { amount_cents: 4250, line_items: [{ name: 'Margherita', quantity: 2, amount_cents: 2125 }] },
  },
} satisfies Operation;

const HEADER = 'X-Ringkey-Merchant';

/** Like `create_checkout`, but without a caller, and so without saved cards. */
export function toolCreateCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps & { database: Sql }): void {
  addOperation(app, 'POST /create_checkout', TOOL_CREATE_CHECKOUT, async (request) => {
    const { line_items: items = [], ...body } = parseBody(ToolCreateCheckoutRequest, request.body);
    const lineItems = items.map(({ amount_cents: amountCents, ...item }) => ({ ...item, amountCents }));
    const merchant_id = await merchantIdOf(deps.database, request);
    const asked = checkoutRequest({ ...body, merchant_id }, request, lineItems);
    const { session, transferTo } = await createCheckout(deps, request.scope, asked);
    return {
      id: session.id,
      payment_required: session.verdict,
      ...(transferTo !== null && { transfer_to: transferTo }),
    };
  });
}

/** @throws ApiError `missing_required_fields`, `merchant_not_found` */
async function merchantIdOf(sql: Sql, request: FastifyRequest): Promise<string> {
  const slug = request.headers['x-ringkey-merchant'];
  if (slug === undefined || slug === '') throw new ApiError('missing_required_fields', { param: HEADER });
  const merchant = await findMerchantBySlug(sql, request.scope, String(slug));
  if (merchant === null) {
    const message = 'No merchant of this account and mode has that slug.';
    throw new ApiError('merchant_not_found', { param: HEADER, message });
  }
  return merchant.id;
}

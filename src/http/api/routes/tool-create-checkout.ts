/** `POST /api/tools/create_checkout`: `create_checkout` for tools of voice agents. A header names the merchant. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type CheckoutDeps, createCheckout } from '../../../checkout/create.ts';
import { ApiError, otherModeOf } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findMerchantBySlug } from '../../../db/merchants/merchants.ts';
import type { Sql } from '../../../db/pool.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { CreateCheckoutRequest, CreateCheckoutResponse, checkoutRequest } from './create-checkout.ts';

const { caller_phone, order_id, platform_call_id, line_items, ...rest } = CreateCheckoutRequest.shape;
const { return_to, success_message, failure_message, language } = rest;

export const ToolCreateCheckoutRequest = z.object({
  amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS),
    "An integer in the minor unit of the merchant's currency. If you send an `order_id`, the order's amount takes precedence.",
    4250,
  ),
  line_items,
  caller_phone,
  order_id,
  platform_call_id,
  return_to,
  success_message,
  failure_message,
  language,
});

export const ToolCreateCheckoutResponse = z.object({
  id: FIELDS.checkout_session_id,
  agent_message: CreateCheckoutResponse.shape.agent_message,
  payment_required: FIELDS.payment_required,
  transfer_to: field(
    z.string().optional(),
    'The SIP URI to transfer the call to. It contains the session ID. Absent if the call must not be transferred.',
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
  ),
});
export type ToolCreateCheckoutResponse = z.infer<typeof ToolCreateCheckoutResponse>;

const TOOL_CREATE_CHECKOUT = {
  id: 'tool_create_checkout',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Create a checkout from an agent tool',
  description: `For voice platforms whose tools send a fixed body to a fixed URL. A header names the merchant by its slug, and the
answer has only the few fields that an agent uses. An agent can take payments with it without a backend of yours:
see \`/docs/voice-platforms#tool-form\`.

- \`agent_message\` is the one line that the agent says now, word for word.
- \`transfer_to\` is present only if the call is to be transferred. It contains the session ID.
- Send \`caller_phone\` if the platform can fill it in. Saved cards are then offered on the line, and receipts can
be texted. The answer never lists the cards.
- Amount, verdict, expiry and the end of a transfer are the same as with \`create_checkout\`.`,
  headers: z.object({
    'X-Ringkey-Merchant': field(
      z.string(),
      "The merchant's slug. An unknown slug returns `merchant_not_found`.",
      'demo-diner',
    ),
  }),
  request: ToolCreateCheckoutRequest,
  response: ToolCreateCheckoutResponse,
  answers: 'The session is open. With the verdict `none`, nothing is due.',
  errors: [
    'missing_required_fields',
    'merchant_not_found',
    'merchant_not_connected',
    'order_lookup_failed',
    'order_lookup_unsupported',
    'session_create_failed',
  ],
  example: {
    headers: { 'X-Ringkey-Merchant': 'demo-diner' },
    body: { amount_cents: 4250, line_items: [{ name: 'Margherita', quantity: 2, amount_cents: 2125 }] },
  },
} satisfies Operation;

const HEADER = 'X-Ringkey-Merchant';

export function toolCreateCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps & { database: Sql }): void {
  addOperation(app, 'POST /create_checkout', TOOL_CREATE_CHECKOUT, async ({ body }, request) => {
    const merchant_id = await merchantIdOf(deps.database, request);
    const order = checkoutRequest({ ...body, merchant_id }, request);
    const { session, transferTo, agentLine } = await createCheckout(deps, request.scope, order);
    return {
      id: session.id,
      agent_message: agentLine,
      payment_required: session.verdict,
      ...(transferTo !== null && { transfer_to: transferTo }),
    };
  });
}

/** @throws ApiError `missing_required_fields`, `merchant_not_found` */
async function merchantIdOf(sql: Sql, request: FastifyRequest): Promise<string> {
  const slug = request.headers['x-ringkey-merchant'];
  if (slug === undefined || slug === '') {
    const message = `The header \`${HEADER}\` is missing. Set it to the merchant's slug.`;
    throw new ApiError('missing_required_fields', { param: HEADER, message });
  }
  const merchant = await findMerchantBySlug(sql, request.scope, String(slug));
  if (merchant !== null) return merchant.id;
  const other = otherModeOf(request.scope.mode);
  const isThere = (await findMerchantBySlug(sql, { ...request.scope, mode: other }, String(slug))) !== null;
  const hint = isThere ? ` A merchant in ${other} mode has it: use a key of ${other} mode.` : '';
  const message = `No merchant of this account has this slug in ${request.scope.mode} mode.${hint}`;
  throw new ApiError('merchant_not_found', { param: HEADER, message });
}

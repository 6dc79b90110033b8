/** `POST /api/tools/create_checkout`: create_checkout for voice agents' tools. A header names the merchant. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCheckout } from '../../checkout/create.ts';
import type { CheckoutDeps } from '../../checkout/ports.ts';
import { ApiError } from '../../contract/errors.ts';
import { findMerchantBySlug } from '../../db/merchants/merchants.ts';
import { TOOL_CREATE_CHECKOUT } from '../operations/checkout.ts';
import { ToolCreateCheckoutRequest, type ToolCreateCheckoutResponse } from '../schemas/tool-create-checkout.ts';
import { parseBody } from '../validation.ts';

const HEADER = 'X-Ringkey-Merchant';

/** Like `create_checkout`, but without a caller, and so without saved cards. */
export function toolCreateCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps): void {
  app.post(
    '/create_checkout',
    { config: { operation: TOOL_CREATE_CHECKOUT } },
    async (request): Promise<ToolCreateCheckoutResponse> => {
      const body = parseBody(ToolCreateCheckoutRequest, request.body);
      const items = body.line_items ?? [];
      const { session, transferTo } = await createCheckout(deps, request.scope, {
        merchantId: await merchantIdOf(deps, request),
        merchantNumber: null,
        requestId: request.id,
        log: request.log,
        callerPhone: null,
        orderId: body.order_id ?? null,
        amountCents: body.amount_cents,
        platformCallId: null,
        returnTo: body.return_to ?? null,
        successMessage: body.success_message ?? null,
        failureMessage: body.failure_message ?? null,
        metadata: {},
        ttlSeconds: null,
        lineItems: items.map(({ name, quantity, amount_cents }) => ({ name, quantity, amountCents: amount_cents })),
      });
      return {
        id: session.id,
        payment_required: session.verdict,
        ...(transferTo !== null && { transfer_to: transferTo }),
      };
    },
  );
}

/** @throws ApiError `missing_required_fields`, `merchant_not_found` */
async function merchantIdOf(deps: CheckoutDeps, request: FastifyRequest): Promise<string> {
  const slug = request.headers['x-ringkey-merchant'];
  if (slug === undefined || slug === '') throw new ApiError('missing_required_fields', { param: HEADER });
  const merchant = await findMerchantBySlug(deps.database, request.scope, String(slug));
  if (merchant === null) {
    const message = 'No merchant of this account and mode has that slug.';
    throw new ApiError('merchant_not_found', { param: HEADER, message });
  }
  return merchant.id;
}

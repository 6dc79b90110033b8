/** `POST /v1/create_checkout` */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Checkout, type CheckoutRequest, createCheckout } from '../../checkout/create.ts';
import type { CheckoutDeps } from '../../checkout/ports.ts';
import { cardEntries } from '../../contract/resources.ts';
import { CREATE_CHECKOUT } from '../operations/checkout.ts';
import { CreateCheckoutRequest, type CreateCheckoutResponse } from '../schemas/create-checkout.ts';
import { parseBody } from '../validation.ts';

export function createCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps): void {
  app.post(
    '/create_checkout',
    { config: { operation: CREATE_CHECKOUT } },
    async (request): Promise<CreateCheckoutResponse> => {
      const body = parseBody(CreateCheckoutRequest, request.body);
      return responseOf(await createCheckout(deps, request.scope, checkoutRequest(body, request)));
    },
  );
}

function checkoutRequest(body: z.output<typeof CreateCheckoutRequest>, { id, log }: FastifyRequest): CheckoutRequest {
  return {
    requestId: id,
    log,
    merchantId: body.merchant_id ?? null,
    merchantNumber: body.merchant_number ?? null,
    callerPhone: body.caller_phone ?? null,
    orderId: body.order_id ?? null,
    amountCents: body.amount_cents ?? null,
    platformCallId: body.platform_call_id ?? null,
    returnTo: body.return_to ?? null,
    successMessage: body.success_message ?? null,
    failureMessage: body.failure_message ?? null,
    metadata: body.metadata ?? {},
    ttlSeconds: body.ttl_seconds ?? null,
    lineItems: [],
  };
}

function responseOf({ session, ...checkout }: Checkout): CreateCheckoutResponse {
  return {
    checkout_session_id: session.id,
    merchant_id: session.merchantId ?? '',
    agent_message: checkout.agentLine,
    payment_required: session.verdict,
    amount_cents: session.amount.amountCents,
    currency: session.amount.currency,
    amount_source: session.amountSource,
    transfer_to: checkout.transferTo,
    ...(checkout.transferToNumber !== null && { transfer_to_number: checkout.transferToNumber }),
    expires_at: session.expiresAt.toISOString(),
    ...cardEntries(checkout.cards),
    metadata: session.metadata,
  };
}

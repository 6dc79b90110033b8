/** `POST /v1/create_checkout` */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Checkout, type CheckoutRequest, createCheckout } from '../../checkout/create.ts';
import type { CheckoutDeps } from '../../checkout/ports.ts';
import { ApiError } from '../../contract/errors.ts';
import { cardEntries } from '../../contract/resources.ts';
import { sendWithMetadata } from '../answers.ts';
import { jsonMembers } from '../json-members.ts';
import { CREATE_CHECKOUT } from '../operations/checkout.ts';
import { CreateCheckoutRequest, type CreateCheckoutResponse } from '../schemas/create-checkout.ts';
import { MAX_METADATA_VALUE } from '../schemas/text.ts';
import { paramOf, parseBody } from '../validation.ts';

/** `metadata` is kept and answered as the text that came, byte for byte. */
export function createCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps): void {
  app.post('/create_checkout', { config: { operation: CREATE_CHECKOUT } }, async (request, reply) => {
    const body = parseBody(CreateCheckoutRequest, request.body);
    const metadataJson = metadataText(request.bodyText);
    requireShortNumbers(metadataJson);
    const checkout = await createCheckout(deps, request.scope, checkoutRequest(body, metadataJson, request));
    return sendWithMetadata(reply, responseOf(checkout), metadataJson);
  });
}

function metadataText(bodyText: string): string {
  if (bodyText === '') return '{}';
  return jsonMembers(bodyText).find((member) => member.name === 'metadata')?.text ?? '{}';
}

/** A number's own text is what is kept, and `1.000…` may go on. @throws ApiError `invalid_value` */
function requireShortNumbers(metadataJson: string): void {
  const long = jsonMembers(metadataJson).find(({ text }) => !text.startsWith('"') && text.length > MAX_METADATA_VALUE);
  if (long === undefined) return;
  const message = `is longer than ${MAX_METADATA_VALUE} characters`;
  throw new ApiError('invalid_value', { param: paramOf(['metadata', long.name]), message: `The number ${message}.` });
}

function checkoutRequest(
  body: z.output<typeof CreateCheckoutRequest>,
  metadataJson: string,
  { id, log }: FastifyRequest,
): CheckoutRequest {
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
    metadataJson,
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
  };
}

/** The reference's words on charging, pay links, and the tool's form of a checkout. */
import { z } from 'zod';
import type { Need, Operation } from '../reference/operation.ts';
import { ChargeRequest, ChargeResponse, SendLinkRequest, SendLinkResponse } from '../schemas/charge.ts';
import { ToolCreateCheckoutRequest, ToolCreateCheckoutResponse } from '../schemas/tool-create-checkout.ts';

const SESSION: Need = { name: 'SESSION', operation: 'create_checkout', field: 'checkout_session_id' };

export const CHARGE: Operation = {
  id: 'charge',
  group: 'Checkout',
  summary: 'Charge a saved card',
  description: `Charges the card that the caller chose against an open checkout session.

A decline is a 402 \`card_declined\`, not a 200. The same charge again gives the original with \`replay\` true; another card while a charge is
pending or succeeded is refused. On 424 \`processor_unavailable\` the outcome is unknown: take no other payment for this order; the webhook
brings it.`,
  request: ChargeRequest,
  response: ChargeResponse,
  errors: [
    ...(['missing_required_fields', 'card_declined', 'instrument_not_authorized', 'session_not_found'] as const),
    ...(['instrument_not_found', 'processor_mismatch', 'session_expired', 'session_missing_consumer'] as const),
    ...([
      'merchant_not_connected',
      'merchant_credentials_invalid',
      'needs_enrollment',
      'processor_unavailable',
    ] as const),
  ],
  example: { needs: [SESSION], body: { checkout_session_id: '$SESSION', instrument_id: 'card_demo_visa' } },
};

export const SEND_LINK: Operation = {
  id: 'send_link',
  group: 'Checkout',
  summary: 'Text a pay link',
  description: `Texts the caller a pay link for an open session: caller, merchant, amount and verdict all come from the session.

A second send within 60 seconds gives the link without texting: \`sent\` is false then, and the agent must not say that a text was sent. At most
three texts a session and hour.`,
  request: SendLinkRequest,
  response: SendLinkResponse,
  errors: [
    ...(['missing_checkout_session_id', 'session_not_found', 'session_expired'] as const),
    ...(['session_missing_consumer', 'merchant_not_connected', 'not_configured'] as const),
  ],
  example: { needs: [SESSION], body: { checkout_session_id: '$SESSION' }, fails: 'not_configured' },
};

export const TOOL_CREATE_CHECKOUT: Operation = {
  id: 'tool_create_checkout',
  group: 'Checkout',
  summary: "Open a checkout, in an agent tool's form",
  description: `For platforms whose tools send a fixed body: the header names the merchant by its slug, and the answer is three
fields. \`transfer_to\` is there only when the call is to be transferred.`,
  headers: z.object({ 'X-Ringkey-Merchant': z.string().describe("The merchant's slug.") }),
  request: ToolCreateCheckoutRequest,
  response: ToolCreateCheckoutResponse,
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'merchant_not_connected'] as const),
    ...(['order_lookup_failed', 'order_lookup_unsupported', 'session_create_failed'] as const),
  ],
  example: {
    headers: { 'X-Ringkey-Merchant': 'demo-diner' },
    body: { amount_cents: 4250, line_items: [{ name: 'Margherita', quantity: 2, amount_cents: 2125 }] },
  },
};

/** API reference of the checkout operations: descriptions, schemas, errors, examples. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { CheckoutSessionResource } from '../../contract/resources.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { CreateCheckoutRequest, CreateCheckoutResponse } from '../schemas/create-checkout.ts';
import { ToolCreateCheckoutRequest, ToolCreateCheckoutResponse } from '../schemas/tool-create-checkout.ts';

const SESSION: Need = { name: 'SESSION', operation: 'create_checkout', field: 'checkout_session_id' };

export const CREATE_CHECKOUT: Operation = {
  id: 'create_checkout',
  group: 'Checkout',
  summary: 'Open a checkout',
  description: `Resolves the amount, applies the merchant's payment policy, and says where to send the call when payment is required.

- **Who is paid.** \`merchant_id\`, or the number that was dialled (\`merchant_number\`). A number that is nobody's gives an empty \`merchant_id\`
and the verdict \`none\`, not an error. Both that disagree: \`invalid_value\`.
- **How much.** \`order_id\`, \`amount_cents\`, or both: the order's amount wins. The currency is the merchant's.
- **Must it be paid?** \`payment_required\` is the verdict of the merchant's payment policy. It stays as it is for this session.
- **What now?** Say \`agent_message\` as it stands. When \`transfer_to\` is not null, transfer the call there; when it is null, do not. With
\`cards\`, the caller may choose one of them instead (\`charge\`), or be texted a link (\`send_link\`).
- **How a transfer ends.** The caller comes back to \`return_to\` with the outcome in SIP headers. Without a \`return_to\`, or where it cannot be
connected, the line says \`success_message\`, or a short line of its own, and hangs up. The payment, the text with the receipt and the webhook are the same in
all cases.
- **How long.** 30 minutes, or \`ttl_seconds\`; then the session is \`expired\` and can no longer be paid.`,
  request: CreateCheckoutRequest,
  response: CreateCheckoutResponse,
  answers: 'The session is open, or, with the verdict `none`, there is nothing to pay.',
  errors: [
    ...(['missing_required_fields', 'invalid_ttl', 'merchant_not_found', 'merchant_not_connected'] as const),
    ...(['order_lookup_failed', 'order_lookup_unsupported', 'session_create_failed'] as const),
  ],
  example: {
    body: {
      merchant_id: 'mer_demo_diner',
      caller_phone: '+15550101234',
      order_id: 'order_1001',
      platform_call_id: 'call-7f3a',
      return_to: 'sip:agent@agents.example.com',
      metadata: { table: '12' },
    },
  },
};

export const RETRIEVE_CHECKOUT_SESSION: Operation = {
  id: 'retrieve_checkout_session',
  group: 'Checkout',
  summary: 'Retrieve a checkout session',
  description: `Reads a session and its charge. It is a look-up: a decline reads as 200 with a failed charge, whose \`failure\` is the error object that
the charge was answered with.

- \`charge\` is the one that is pending or succeeded, else the last that failed; null before any.
- \`cards\` is empty when nothing is to be paid, and once the session is paid or expired.
- A session of another account does not exist: \`session_not_found\`. One of the other mode: \`invalid_key\`.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  response: CheckoutSessionResource,
  answers: 'The session as it is now.',
  errors: ['session_not_found'],
  example: { needs: [SESSION], params: { checkout_session_id: '$SESSION' } },
};

export const TOOL_CREATE_CHECKOUT: Operation = {
  id: 'tool_create_checkout',
  group: 'Checkout',
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
};

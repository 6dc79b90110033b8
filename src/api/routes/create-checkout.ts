/** `POST /v1/create_checkout`: opens a checkout. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { callerNumber, language, metadata, phoneNumber, text } from '../text-schemas.ts';
import { parseBody } from '../validation.ts';
import { type Checkout, type CheckoutDeps, type CheckoutRequest, createCheckout } from '../../checkout/create.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { isSpoken, SPOKEN_LANGUAGES } from '../../contract/translations.ts';
import { CardEntry, cardEntries } from '../../contract/cards.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { parseReturnTo } from '../../domain/return-target.ts';

const MAX_ID_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 500;
const MAX_RETURN_TO_LENGTH = 1_024;

export const CreateCheckoutRequest = z
  .object({
    merchant_id: field(
      z.string().optional(),
      'Who is paid. Either this or `merchant_number`; with both, they must agree.',
      'mer_demo_diner',
    ),
    merchant_number: field(
      phoneNumber.optional(),
      'The number that the caller dialled, E.164, where the agent knows the call but not the merchant. A number that no merchant of the account has is no error: `merchant_id` comes back empty and the verdict is `none`.',
      '+15550100001',
    ),
    caller_phone: field(
      callerNumber.optional(),
      "The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` are a caller who withholds it. Without it there are no saved cards and no transfer by number, and `charge` and `send_link` answer 422 `session_missing_consumer`.",
      '+15550101234',
    ),
    order_id: field(
      text(MAX_ID_LENGTH).optional(),
      "The order in the merchant's own system, which then says the amount: its amount wins over `amount_cents`.",
      'order_1001',
    ),
    amount_cents: field(
      z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
      "An integer in the minor unit of the merchant's currency: 4250 is 42.50. Required where there is no `order_id`; never trusted over an order.",
      4250,
    ),
    platform_call_id: field(
      text(MAX_ID_LENGTH).optional(),
      "The voice platform's own id of this call. Recommended: it comes back in the SIP headers, the session and every event.",
      'call-7f3a',
    ),
    return_to: field(
      text(MAX_RETURN_TO_LENGTH)
        .refine((value) => parseReturnTo(value) !== null, {
          error: 'is not a sip:, sips:, tel:, http(s): URI or a number',
        })
        .optional(),
      'Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page. On the phone a URL counts as one that cannot be connected. It may lead to the hosts and numbers of the account (`PATCH /v1/account`), else `invalid_value`: never to private addresses, emergency or premium numbers. An account without `return_hosts` may use every public host in test mode, none in live mode. Without it the line speaks `success_message` and ends the call.',
      'sip:agent@agents.example.com',
    ),
    success_message: field(
      text(MAX_MESSAGE_LENGTH).optional(),
      "Spoken after a successful payment, in the merchant's voice, where the call does not go back to an agent. Else a short line of our own.",
      'Thank you, your table is booked.',
    ),
    failure_message: field(
      text(MAX_MESSAGE_LENGTH).optional(),
      'Spoken of a decline, in place of our own line.',
      'That card was not accepted.',
    ),
    metadata: field(
      metadata.optional(),
      'Yours: up to 50 names (40 characters) with texts (500 characters), numbers, booleans or nulls. Stored and echoed, never interpreted. An integer beyond 9007199254740991 is refused: send it as a text.',
      { table: '12' },
    ),
    ttl_seconds: field(
      z.int().min(60).max(86_400).optional(),
      'How long the session can be paid, in seconds; 1800 where not given. A wrong value is `invalid_ttl`.',
      1800,
    ),
    language: field(
      language.optional(),
      `The caller's language, BCP 47, where it is not the merchant's: of \`agent_message\` here and in later errors, of the payment line, the pay page and the texts. One that there are no words for (they are in \`${SPOKEN_LANGUAGES.join('`, `')}\`) counts as not given: the merchant's. What is no language tag is \`invalid_value\`.`,
      'es-MX',
    ),
    allow_repeat: field(
      z.boolean().optional(),
      'True where this order may be paid although another session of it is paid, or being paid: an instalment, a second guest.',
      true,
    ),
  })
  .check(({ value: body, issues }) => {
    const missing = (path: string) =>
      issues.push({ code: 'custom', path: [path], params: { missing: true }, input: body });
    if (body.merchant_id === undefined && body.merchant_number === undefined) missing('merchant_id');
    if (body.order_id === undefined && body.amount_cents === undefined) missing('amount_cents');
  });

export const CreateCheckoutResponse = z.object({
  checkout_session_id: FIELDS.checkout_session_id.describe(
    'The session: what `charge`, `send_link` and the events name.',
  ),
  merchant_id: FIELDS.merchant_id.describe('Who is paid; an empty string where `merchant_number` is nobody’s.'),
  agent_message: field(
    z.string(),
    'The one line that the agent says now, as it stands: no payment needed, transferring now, or payment unavailable.',
    "I'll transfer you to our secure payment line now. Please have your card ready.",
  ),
  payment_required: FIELDS.payment_required,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
  amount_source: field(
    z.enum(['order', 'request']),
    'Where the amount came from: the order source, or `amount_cents` of the request.',
    'order',
  ),
  transfer_to: field(
    z.string().nullable(),
    'The SIP URI to transfer the call to. It holds a token: one live call, this session only, dead once the session is paid or expired. Null unless payment is required: then do not transfer.',
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
  ),
  transfer_to_number: field(
    z.string().nullable(),
    'The same hand-off as a phone number of the account and mode, for platforms that can dial nothing else: the session is then found by the caller’s number. Null where payment is not required, the session has no `caller_phone`, or whoever runs the service has given the account and mode no number.',
    '+15550109999',
  ),
  expires_at: field(
    z.iso.datetime(),
    'When the session can no longer be paid: ISO 8601, in UTC.',
    '2026-11-20T12:30:00.000Z',
  ),
  cards: field(
    z.array(CardEntry),
    'The caller’s cards that this merchant can charge, newest first. Empty: text a pay link, or transfer; so it is for a caller whom screening steps up.',
  ),
  default_card_id: FIELDS.default_card_id,
  metadata: FIELDS.metadata,
});
export type CreateCheckoutResponse = z.infer<typeof CreateCheckoutResponse>;

/** For examples of other operations. */
export const OPEN_SESSION: Need = { name: 'SESSION', operation: 'create_checkout', field: 'checkout_session_id' };

const CREATE_CHECKOUT = {
  id: 'create_checkout',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Open a checkout',
  description: `Resolves the amount, applies the merchant's payment policy, and says where to send the call when payment is required.

- **Who is paid.** \`merchant_id\`, or the number that was dialled (\`merchant_number\`). A number that is nobody's gives an empty \`merchant_id\`
and the verdict \`none\`, not an error. Both that disagree: \`invalid_value\`.
- **How much.** \`order_id\`, \`amount_cents\`, or both: the order's amount wins. The currency is the merchant's.
- **Is it paid already?** Where another session of the same merchant and \`order_id\` has a charge that is pending or succeeded, and not refunded in full, the
verdict is \`none\` and \`agent_message\` says so. \`allow_repeat\` opens a checkout all the same; sandbox orders are then paid as often as you try.
- **Must it be paid?** \`payment_required\` is the verdict of the merchant's payment policy. It stays as it is for this session.
- **What now?** Say \`agent_message\` as it stands. When \`transfer_to\` is not null, transfer the call there; when it is null, do not. With
\`cards\`, the caller may choose one of them instead (\`charge\`), or be texted a link (\`send_link\`). On the line a caller with saved cards hears "Press one for your
Visa ending 4 2 4 2, or enter your card number"; with several, 1 leads to a list of five at most. Not where a trunk shows another number than \`caller_phone\`.
- **How a transfer ends.** The caller comes back to \`return_to\` with the outcome in SIP headers. Without a \`return_to\`, or where it cannot be
connected, the line says \`success_message\`, or a short line of its own, and hangs up. The payment, the text with the receipt and the webhook are the same in
all cases.
- **In which language.** The merchant's, unless \`language\` says the caller's. \`success_message\` and \`failure_message\` are spoken as they are: write them in it.
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
      allow_repeat: true,
    },
  },
} satisfies Operation;

export function createCheckoutRoute(app: FastifyInstance, deps: CheckoutDeps): void {
  addOperation(app, 'POST /create_checkout', CREATE_CHECKOUT, async (request) => {
    const body = parseBody(CreateCheckoutRequest, request.body);
    return responseOf(await createCheckout(deps, request.scope, checkoutRequest(body, request)));
  });
}

/** The request as `createCheckout` takes it: what is absent is null. */
export function checkoutRequest(
  body: z.output<typeof CreateCheckoutRequest>,
  { id, log }: FastifyRequest,
  lineItems: CheckoutRequest['lineItems'] = [],
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
    metadata: body.metadata ?? {},
    ttlSeconds: body.ttl_seconds ?? null,
    allowRepeat: body.allow_repeat ?? false,
    language: body.language !== undefined && isSpoken(body.language) ? body.language : null,
    lineItems,
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
    transfer_to_number: checkout.transferToNumber,
    expires_at: session.expiresAt.toISOString(),
    ...cardEntries(checkout.cards),
    metadata: session.metadata,
  };
}

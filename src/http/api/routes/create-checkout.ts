/** `POST /v1/create_checkout`: creates a checkout session. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Checkout, type CheckoutDeps, type CheckoutRequest, createCheckout } from '../../../checkout/create.ts';
import { CardEntry, cardEntries } from '../../../contract/cards.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { PAYMENT_METHODS } from '../../../domain/bank-account.ts';
import { CAPTURE_MODES } from '../../../domain/hold.ts';
import { type CardSaving, SAVE_TERMS } from '../../../domain/instrument.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { hasPassword, parseReturnTo } from '../../../domain/return-target.ts';
import { PURPOSES } from '../../../domain/session.ts';
import { isSpoken, LANGUAGE_TAGS } from '../../../languages/index.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { callerNumber, emailAddress, language, line, metadata, phoneNumber, text } from '../text-schemas.ts';

const MAX_ID_LENGTH = 255;
const MAX_MESSAGE_LENGTH = 500;
const MAX_SAVE_SENTENCE_LENGTH = 300;
const MAX_PAYER_NAME_LENGTH = 80;
const MAX_RETURN_TO_LENGTH = 1_024;

const MAX_LINE_ITEMS = 100;
const MAX_NAME_LENGTH = 200;
const MAX_QUANTITY = 10_000;

const NEEDED_TO_SAVE = ['caller_phone', 'save_terms', 'save_sentence'] as const;
const ONLY_WITH_PAYMENT = [
  'amount_cents',
  'order_id',
  'line_items',
  'allow_repeat',
  'capture',
  'caller_email',
  'payment_methods',
  'payer_name',
] as const;

const LineItem = z.object({
  name: field(line(MAX_NAME_LENGTH), 'The name of the item, shown to the payer.', 'Margherita'),
  quantity: field(z.int().min(1).max(MAX_QUANTITY), 'The quantity.', 2),
  amount_cents: field(z.int().min(0).max(MAX_AMOUNT_CENTS), 'The price of one item, in minor units.', 2125),
});

export const CreateCheckoutRequest = z
  .object({
    merchant_id: field(
      z.string().optional(),
      'The merchant that gets paid. Send this or `merchant_number`. If you send both, they must match.',
      'mer_demo_diner',
    ),
    merchant_number: field(
      phoneNumber.optional(),
      'The number that the caller dialed, E.164. Use it if the agent does not know the merchant. An unknown number is not an error: `merchant_id` is then empty and the verdict is `none`.',
      '+15550100001',
    ),
    caller_phone: field(
      callerNumber.optional(),
      "The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`.",
      '+15550101234',
    ),
    caller_email: field(
      emailAddress.optional(),
      'Where the caller wants the receipt by email, in addition to the text. Only for receipts of this session. In test mode, emails are only logged.',
      'jordan@example.com',
    ),
    order_id: field(
      text(MAX_ID_LENGTH).optional(),
      "The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`.",
      'order_1001',
    ),
    amount_cents: field(
      z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
      "An integer in the minor unit of the merchant's currency: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. Required without an `order_id`. It never overrides the amount of an order.",
      4250,
    ),
    line_items: field(
      z.array(LineItem).max(MAX_LINE_ITEMS).optional(),
      'The items of the bill, shown on the pay page and the receipt. They do not determine the amount.',
    ),
    platform_call_id: field(
      text(MAX_ID_LENGTH).optional(),
      "The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it.",
      'call-7f3a',
    ),
    return_to: field(
      text(MAX_RETURN_TO_LENGTH)
        .refine((value) => !hasPassword(value), { error: 'must not contain a password (user:password@)', abort: true })
        .refine((value) => parseReturnTo(value) !== null, {
          error: 'must be a sip:, sips:, tel: or http(s): URI, or a number',
        })
        .optional(),
      "Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call.",
      'sip:agent@agents.example.com',
    ),
    success_message: field(
      text(MAX_MESSAGE_LENGTH).optional(),
      "What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence.",
      'Thank you, your table is booked.',
    ),
    failure_message: field(
      text(MAX_MESSAGE_LENGTH).optional(),
      'What the line says after a decline, instead of the default sentence.',
      'That card was not accepted.',
    ),
    metadata: field(
      metadata.optional(),
      'Your own data: up to 50 names (40 characters) with strings (500 characters), numbers, booleans or nulls. Stored and returned, never interpreted. An integer beyond 9007199254740991 is rejected: send it as a string.',
      { table: '12' },
    ),
    ttl_seconds: field(
      z.int().min(60).max(86_400).optional(),
      'How long the session can be paid, in seconds. The default is 1800. A wrong value returns `invalid_ttl`.',
      1800,
    ),
    language: field(
      language.optional(),
      `The caller's language, BCP 47, if it is not the merchant's. It applies to \`agent_message\` here and in later errors, to the payment line, the pay page and the texts. Supported: \`${LANGUAGE_TAGS.join('`, `')}\`. For any other language, the merchant's is used. A malformed tag returns \`invalid_value\`.`,
      'es-MX',
    ),
    purpose: field(
      z.enum(PURPOSES).optional(),
      '`payment` (default), or `save_card`: the line, or the page of `send_link`, verifies a card without taking money, and saves it if the caller agrees. Then `caller_phone`, `save_terms` and `save_sentence` are required, there is no amount and no order, and the verdict is `required`. The session ends with `instrument_id`. If the merchant’s processor cannot do this, returns `invalid_value`.',
      'payment',
    ),
    save_terms: field(
      z.enum(SAVE_TERMS).optional(),
      'Asks the caller to save the card, in your own words, before it is charged: on the line by keys 1 and 2, on the pay page by a box that is not ticked. What the caller agrees to: `returning` to choose the card when paying again, `merchant_initiated` also to charges without the caller (`create_charge`). Applies even if the merchant’s `card_saving` is `never`. Without `caller_phone`, or if the processor cannot save cards, the caller is not asked. If you omit it, the merchant’s `card_saving` applies.',
      'merchant_initiated',
    ),
    save_sentence: field(
      line(MAX_SAVE_SENTENCE_LENGTH).optional(),
      'What the caller agrees to, as one or two spoken sentences in the language of the checkout. The line adds "If you agree, press one." It is kept with the consent. Required with `save_terms`. If the caller changes the language, the standard question is asked instead, and the terms are `returning`.',
      'May we keep this card and charge up to 100 dollars if you do not come?',
    ),
    save_max_amount_cents: field(
      z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
      'The highest amount of one charge without the caller, in minor units, as the sentence says. Only with `merchant_initiated`.',
      10000,
    ),
    allow_repeat: field(
      z.boolean().optional(),
      'True if this order can be paid although another session of it is paid or being paid, such as for an instalment or a second guest.',
      true,
    ),
    capture: field(
      z.enum(CAPTURE_MODES).optional(),
      '`automatic` (default): the payment takes the amount. `manual`: the payment only holds it on the card, and the charge is `authorized`. Capture it with `capture_charge` before `capture_before`, or release it with `void_charge`. The caller hears that a hold was placed. If the merchant’s processor cannot hold an amount, returns `invalid_value`.',
      'automatic',
    ),
    payment_methods: field(
      z.array(z.enum(PAYMENT_METHODS)).min(1).optional(),
      'What the caller can pay with on the line. `["card"]` (default), or `["card", "us_bank_account"]`: the caller can also key a US bank account, which is debited by ACH. That needs USD, a merchant with `bank_debit_phone`, a processor that makes bank debits, and `payer_name`. The charge is `pending` until the bank has paid, in some days. Not with `capture` `manual` or `save_terms`. The line offers it only if a text can confirm it in writing. The pay page takes cards only.',
      ['card'],
    ),
    payer_name: field(
      line(MAX_PAYER_NAME_LENGTH).optional(),
      'The name of the account’s owner. The line says it in the authorization, and the bank gets it. Required with `us_bank_account`.',
      'Ada Lovelace',
    ),
  })
  .check(({ value: body, issues }) => {
    const missing = (path: string) =>
      issues.push({ code: 'custom', path: [path], params: { missing: true }, input: body });
    if (body.merchant_id === undefined && body.merchant_number === undefined) missing('merchant_id');
    const savesOnly = body.purpose === 'save_card';
    if (!savesOnly && body.order_id === undefined && body.amount_cents === undefined) missing('amount_cents');
    if (savesOnly) for (const name of NEEDED_TO_SAVE) if (body[name] === undefined) missing(name);
    const invalid = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: body });
    checkBankAccount(body, { missing, invalid });
    if (savesOnly) {
      for (const name of ONLY_WITH_PAYMENT)
        if (body[name] !== undefined) invalid(name, 'applies only to `purpose` `payment`');
    }
    const { save_terms: terms, save_sentence: sentence, save_max_amount_cents: maximum } = body;
    if (terms !== undefined && sentence === undefined && !savesOnly) invalid('save_terms', 'requires `save_sentence`');
    if (terms === undefined && sentence !== undefined && !savesOnly) invalid('save_sentence', 'requires `save_terms`');
    if (maximum !== undefined && terms !== 'merchant_initiated') {
      invalid('save_max_amount_cents', 'applies only to `save_terms` `merchant_initiated`');
    }
  });

type Report = Record<'missing', (path: string) => void> & { invalid: (path: string, message: string) => void };

/** @param report of `check` */
function checkBankAccount(
  {
    payment_methods: methods = ['card'],
    payer_name: name,
    capture,
    save_terms: saving,
  }: {
    payment_methods?: readonly (typeof PAYMENT_METHODS)[number][] | undefined;
    payer_name?: string | undefined;
    capture?: string | undefined;
    save_terms?: string | undefined;
  },
  { missing, invalid }: Report,
): void {
  if (!methods.includes('card')) invalid('payment_methods', 'must contain `card`');
  if (new Set(methods).size !== methods.length) invalid('payment_methods', 'must not contain a method twice');
  if (!methods.includes('us_bank_account')) {
    if (name !== undefined) invalid('payer_name', 'applies only to `payment_methods` with `us_bank_account`');
    return;
  }
  if (name === undefined) missing('payer_name');
  if (capture === 'manual') invalid('payment_methods', 'must not contain `us_bank_account` with `capture` `manual`');
  if (saving !== undefined) invalid('payment_methods', 'must not contain `us_bank_account` with `save_terms`');
}

export const CreateCheckoutResponse = z.object({
  checkout_session_id: FIELDS.checkout_session_id.describe(
    'The session. Use this ID for `charge` and `send_link`; events contain it.',
  ),
  merchant_id: FIELDS.merchant_id.describe(
    'The merchant that gets paid. An empty string if no merchant has the `merchant_number`.',
  ),
  agent_message: field(
    z.string(),
    'The one line that the agent says now, word for word: no payment needed, transferring now, or payment unavailable.',
    "I'll transfer you to our secure payment line now. Please have your card ready.",
  ),
  payment_required: FIELDS.payment_required,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
  amount_source: field(
    z.enum(['order', 'request']),
    'The source of the amount: the order source, or `amount_cents` of the request.',
    'order',
  ),
  transfer_to: field(
    z.string().nullable(),
    'The SIP URI to transfer the call to. It contains a token that is valid for one live call and this session only, until the session is paid or expired. Null unless payment is required: do not transfer the call then.',
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
  ),
  transfer_to_number: field(
    z.string().nullable(),
    'The same hand-off as a phone number, for platforms that can only dial numbers. The session is then found by the caller’s number. Null if payment is not required, if the session has no `caller_phone`, or if the operator has not assigned a number to the account and mode.',
    '+15550109999',
  ),
  transfer_code: field(
    z.string().nullable(),
    'Eight digits, for platforms whose calls to `transfer_to_number` do not show the caller’s number: dial them as soon as the line has answered (`,,12345678#`). They name the session, once, until it is paid or expired. Do not log them. Null if payment is not required or the account and mode have no number.',
    '40718253',
  ),
  expires_at: field(
    z.iso.datetime(),
    'When the session expires and can no longer be paid: ISO 8601, in UTC.',
    '2026-11-20T12:30:00.000Z',
  ),
  cards: field(
    z.array(CardEntry),
    'The caller’s cards that this merchant can charge, newest first. If empty, text a pay link or transfer the call. Also empty if screening returns `step_up`.',
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
  summary: 'Create a checkout',
  description: `Determines the amount, applies the merchant's payment policy, and says where to send the call if payment is
required.

- **Who gets paid?** The merchant with \`merchant_id\`, or the one with the dialed number (\`merchant_number\`). An
unknown number returns an empty \`merchant_id\` and the verdict \`none\`, not an error. If both are sent and
disagree, returns \`invalid_value\`.
- **How much?** Send \`order_id\`, \`amount_cents\`, or both: the order's amount takes precedence. The currency is
the merchant's.
- **Is it already paid?** Another session of the same merchant and \`order_id\` may have a pending charge, or a
succeeded one that is not fully refunded. The verdict is then \`none\` and \`agent_message\` says so. With
\`allow_repeat\`, the checkout is created anyway. Sandbox orders can be paid as often as you like with it.
- **Must it be paid?** \`payment_required\` is the verdict of the merchant's payment policy. It does not change for
this session.
- **What comes next?** Say \`agent_message\` word for word. If \`transfer_to\` is not null, transfer the call there.
If it is null, do not transfer. If there are \`cards\`, the caller can choose one (\`charge\`) or receive a link
(\`send_link\`) instead. On the line, a caller with saved cards hears "Press one for your Visa ending 4 2 4 2, or
enter your card number". With several cards, 1 opens a list of up to five. Saved cards are not offered if the trunk
shows a number other than \`caller_phone\`.
- **How does a transfer end?** The caller returns to \`return_to\` with the outcome in SIP headers. Without a
\`return_to\`, or if it cannot be connected, the line says \`success_message\` or a default sentence and hangs up.
Payment, receipt and webhook are the same in all cases.
- **No card data.** Strings in a request, including \`metadata\`, must not contain a card number or a security code,
in digits or in words. All operations return \`invalid_value\` for them. An \`order_id\` of 13 to 19 digits that
looks like a card number is rejected, too. A phone number with its \`+\` is accepted.
- **Which language?** The merchant's, unless \`language\` has the caller's. \`success_message\` and
\`failure_message\` are spoken as you send them, so write them in that language.
- **How long?** 30 minutes, or \`ttl_seconds\`. The session is then \`expired\` and can no longer be paid.`,
  request: CreateCheckoutRequest,
  response: CreateCheckoutResponse,
  answers: 'The session is open. With the verdict `none`, nothing is due.',
  errors: [
    'missing_required_fields',
    'invalid_ttl',
    'merchant_not_found',
    'merchant_not_connected',
    'not_configured',
    'order_lookup_failed',
    'order_lookup_unsupported',
    'session_create_failed',
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
  addOperation(app, 'POST /create_checkout', CREATE_CHECKOUT, async ({ body }, request) =>
    responseOf(await createCheckout(deps, request.scope, checkoutRequest(body, request))),
  );
}

/** The request for `createCheckout`. Absent fields are null. */
export function checkoutRequest(
  body: z.output<typeof CreateCheckoutRequest>,
  { id, log }: FastifyRequest,
): CheckoutRequest {
  const items = body.line_items ?? [];
  return {
    requestId: id,
    log,
    merchantId: body.merchant_id ?? null,
    merchantNumber: body.merchant_number ?? null,
    callerPhone: body.caller_phone ?? null,
    callerEmail: body.caller_email ?? null,
    orderId: body.order_id ?? null,
    amountCents: body.amount_cents ?? null,
    platformCallId: body.platform_call_id ?? null,
    returnTo: body.return_to ?? null,
    successMessage: body.success_message ?? null,
    failureMessage: body.failure_message ?? null,
    metadata: body.metadata ?? {},
    saving: savingOf(body),
    ttlSeconds: body.ttl_seconds ?? null,
    allowRepeat: body.allow_repeat ?? false,
    capture: body.capture ?? 'automatic',
    payerName: body.payment_methods?.includes('us_bank_account') ? (body.payer_name ?? null) : null,
    purpose: body.purpose ?? 'payment',
    language: body.language !== undefined && isSpoken(body.language) ? body.language : null,
    lineItems: items.map(({ amount_cents: amountCents, ...item }) => ({ ...item, amountCents })),
  };
}

function savingOf({
  save_terms: saveTerms,
  save_sentence: sentence,
  save_max_amount_cents: maxAmountCents,
}: z.output<typeof CreateCheckoutRequest>): CardSaving | null {
  if (saveTerms === undefined || sentence === undefined) return null;
  return { saveTerms, sentence, maxAmountCents: maxAmountCents ?? null };
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
    transfer_code: checkout.transferCode,
    expires_at: session.expiresAt.toISOString(),
    ...cardEntries(checkout.cards),
    metadata: session.metadata,
  };
}

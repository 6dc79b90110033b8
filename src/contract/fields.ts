/**
 * `field`: a schema with description and example for the API reference. `FIELDS`: fields that several requests and
 * answers share. All examples belong to one story: the demo's caller pays `order_1001` at the diner.
 */
import { z } from 'zod';
import { PURPOSES } from '../domain/session.ts';

/**
 * A field of the OpenAPI document. A test fails for a field without a description.
 * @param description Markdown: meaning, unit, limits, when it is null or absent
 * @param examples as in a request or answer. An object's example consists of the examples of its fields
 */
export function field<T extends z.ZodType>(schema: T, description: string, ...examples: z.input<T>[]): T {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** For a charge or refund that is still pending after the last lookup. */
export function needsSettlingField(resource: 'charge' | 'refund') {
  return field(
    z.literal(true).optional(),
    `True if the ${resource} is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with \`settle_${resource}\`.`,
    true,
  );
}

export const FIELDS = {
  checkout_session_id: field(z.string(), 'The checkout session, `cs_…`.', 'cs_wj3degzdpcf54erf5dhqd3dqci'),
  charge_id: field(z.string(), 'The charge, `ch_…`.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
  instrument_id: field(z.string(), 'The saved card, `card_…`.', 'card_demo_visa'),
  default_card_id: field(
    z.string().nullable(),
    'The `instrument_id` of the default card in `cards`. Null if none of them is the default.',
    'card_demo_visa',
  ),
  account_id: field(z.string(), 'The account, `acct_…`.', 'acct_demo'),
  merchant_id: field(z.string(), 'The merchant, `mer_…`.', 'mer_demo_diner'),
  webhook_endpoint_id: field(z.string(), 'The webhook endpoint, `we_…`.', 'we_xqnr3qn9ybbt8sny6yzfqgq8nx'),
  event_id: field(z.string(), 'The event, `evt_…`.', 'evt_p8a8yfh2n8m5xf373fkkibj7j8'),
  key_id: field(z.string(), 'The key, `key_…`: its ID in lists, not the secret.', 'key_8rsn6i4h36wer5epvhjzjsi7qg'),
  order_id: field(
    z.string().nullable(),
    "The merchant's order, which is also the confirmation number to read back. Null if the checkout had none.",
    'order_1001',
  ),
  platform_call_id: field(
    z.string().nullable(),
    "The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null.",
    'call-7f3a',
  ),
  processor_payment_id: field(
    z.string().nullable(),
    'The processor reference of the payment. Null until the processor has assigned one.',
    'sandbox_4ew2sxkn6wz7m9cw',
  ),
  metadata: field(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    'The metadata from the request. `{}` if there was none.',
    { table: '12' },
  ),
  purpose: field(
    z.enum(PURPOSES),
    'What the checkout is for: `payment`, or `save_card` if a card is only verified and saved. Then the amount and the `amount_cents` of its charges are 0.',
    'payment',
  ),
  amount_cents: field(
    z.int(),
    "The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit.",
    4250,
  ),
  currency: field(z.string(), "ISO 4217, upper case: the merchant's currency.", 'USD'),
  payment_required: field(
    z.enum(['required', 'optional', 'none']),
    'The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment.',
    'required',
  ),
  environment: field(
    z.enum(['test', 'live']),
    '`test`: the sandbox, no real money. `live`: real money. Always the mode of your key.',
    'test',
  ),
  expiry: field(z.string(), 'The last month in which the card can be charged, `MM/YYYY`.', '12/2049'),
  created_at: field(z.iso.datetime(), 'When it was created: ISO 8601, in UTC.', '2026-11-20T12:00:00.000Z'),
  has_more: field(
    z.boolean(),
    "Whether there are more items. To get them, send the last item's ID as `starting_after`.",
    false,
  ),
} as const;

/** `/v1/merchants`: the shapes of its requests and answers. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { CURRENCIES, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { POLICY_KINDS } from '../../domain/policy.ts';
import { CARD_SAVINGS, RETURN_MODES } from '../../domain/session.ts';
import { SPOKEN_LANGUAGES } from '../../contract/translations.ts';
import { MerchantResource, ORDERS_URL_EXAMPLE } from '../../contract/merchants.ts';
import { REQUIREMENTS, type Requirement } from '../../merchants/status.ts';
import { identifier, language, line, phoneNumber, timeZone } from '../text-schemas.ts';

const REQUIREMENT_CODES = Object.keys(REQUIREMENTS) as [Requirement, ...Requirement[]];
const ORDERS_URL_RULES =
  'Asked with a signed POST (Standard Webhooks) `{"order_id", "merchant_id", "mode"}` and given 3 seconds for 200 `{"amount_cents", "currency"?}`; 404: no such order. https at a public host; in a demo on your own machine also `http://127.0.0.1`. Else `invalid_url`.';

const LANGUAGE_RULES = `BCP 47: what callers are spoken and written to in. There are words for what the agent and the payment line say, for the pay page and for texts in \`${SPOKEN_LANGUAGES.join('`, `')}\`; whoever has another language gets English. \`en-US\` where not given.`;

const MAX_NAME_LENGTH = 100;
const MAX_NUMBERS = 100;
const MAX_URL_LENGTH = 2_048;
const MAX_CREDENTIALS = 20;
const MAX_CREDENTIAL_LENGTH = 4_096;
const BRANDS = [
  'visa',
  'mastercard',
  'american-express',
  'discover',
  'diners-club',
  'jcb',
  'unionpay',
  'maestro',
] as const;

/** Visible ASCII and the line ends of a PEM file: processors issue nothing else. */
const credential = z
  .string()
  .min(1)
  .max(MAX_CREDENTIAL_LENGTH)
  .regex(/^[\n\r\x20-\x7e]+$/);

const OrderSource = z.discriminatedUnion(
  'type',
  [
    z
      .strictObject({
        type: field(z.literal('none'), 'Orders are not looked up: a checkout needs `amount_cents`.', 'none'),
      })
      .meta({ title: 'none' }),
    z
      .strictObject({
        type: field(z.literal('sandbox'), "The demo's orders; test mode only, and its default.", 'sandbox'),
      })
      .meta({ title: 'sandbox' }),
    z
      .strictObject({
        type: field(z.literal('http'), "The merchant's own URL is asked, with signed requests.", 'http'),
        url: field(z.string().min(1).max(MAX_URL_LENGTH), ORDERS_URL_RULES, ORDERS_URL_EXAMPLE),
      })
      .meta({ title: 'http' }),
  ],
  { error: 'is not one of none, sandbox, http' },
);

const SETTINGS = {
  business_name: field(
    line(MAX_NAME_LENGTH),
    'Spoken to the caller, and shown on the pay page and the receipt.',
    'Corner Bakery',
  ),
  slug: field(
    z
      .string()
      .max(63)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    'Names the merchant in `X-Ringkey-Merchant`. No other merchant of the account and mode has it. Made of the name where not given.',
    'corner-bakery',
  ),
  numbers: field(
    z
      .array(phoneNumber)
      .max(MAX_NUMBERS)
      .refine((numbers) => new Set(numbers).size === numbers.length, { error: 'has a number twice' }),
    "What the merchant's callers dial, E.164: `merchant_number` finds it. No other merchant of the account and mode has one of them, and the payment line's own are refused. A change replaces the whole list.",
    ['+15550100201'],
  ),
  currency: field(z.enum(CURRENCIES), 'ISO 4217. What amounts are in. `USD` where not given.', 'USD'),
  payment_policy: field(
    z.enum(POLICY_KINDS),
    'The verdict on each checkout: `never` none, `optional` optional, `always` required, `above` required from the threshold on, else none. `always` where not given. Sessions that are open keep theirs.',
    'above',
  ),
  payment_policy_amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).nullable(),
    'The threshold of `above`, in minor units: from this amount on, payment is required. Goes with `above` and no other policy.',
    2000,
  ),
  language: field(language, LANGUAGE_RULES, 'en-US'),
  second_language: field(
    language.nullable(),
    'Another language, which the greeting offers in that language\'s own words ("para español, marque nueve"). A caller who presses 9 before any other key is greeted anew in it; so are the receipt, the pay page and what the agent says afterwards. One of those that there are words for, and not `language` itself. Null: none; also where not given.',
    'es',
  ),
  time_zone: field(
    timeZone,
    'IANA name of the time zone in which texts to callers tell the time. `UTC` where not given.',
    'America/New_York',
  ),
  voice: field(
    line(MAX_NAME_LENGTH).nullable(),
    "The voice of the line, `<synthesizer>:<voice>`, e.g. `polly:Joanna`: a synthesizer that the service is set up with (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`), and its own name of a voice. A name without a colon is one of `espeak-ng`. It speaks the merchant's language only; while it fails, espeak-ng speaks. Null for the default voice of the language.",
    null,
  ),
  asks_postal_code: field(
    z.boolean(),
    'Whether the line asks for the postal code of the card. False where not given.',
    true,
  ),
  asks_confirmation: field(
    z.boolean(),
    'Whether the line reads card and amount back and wants a 1 before it charges. False where not given.',
    false,
  ),
  card_saving: field(
    z.enum(CARD_SAVINGS),
    'Whether the line and the pay page ask the caller to have the card kept for next time. `ask`: once a call, before the charge, where the caller has a number and the processor can keep the card; it is kept when the charge succeeds, with what the caller agreed to. `never`: not asked, nothing kept; also where not given.',
    'ask',
  ),
  text_after_drop: field(
    z.boolean(),
    'Whether a caller whose call broke off unpaid is texted the pay link: 20 seconds later, unless the caller has called again or has a newer checkout with the merchant, once a session. By the rules of `send_link`: to no number that wants no texts, three times an hour at most. False where not given.',
    true,
  ),
  return_mode: field(
    z.enum(RETURN_MODES).nullable(),
    'How a call comes back to `return_to`. `refer`: by SIP REFER. `bridge`: we call it and join the two. `auto`: REFER where the other side takes it, else a bridge. Null: as the service is set up.',
    null,
  ),
  accepted_brands: field(
    z
      .array(z.enum(BRANDS))
      .min(1)
      .refine((brands) => new Set(brands).size === brands.length, { error: 'has a brand twice' }),
    'Cards that the line takes; of another the caller hears so, and may key another. Visa, Mastercard, American Express and Discover where not given.',
    ['visa', 'mastercard', 'american-express', 'discover'],
  ),
  order_source: field(
    OrderSource,
    'Where orders are looked up. In test mode the sandbox, in live mode none, where not given.',
    {
      type: 'sandbox',
    },
  ),
};

export const ChangeMerchantRequest = z.strictObject(SETTINGS).partial();
export const CreateMerchantRequest = ChangeMerchantRequest.required({ business_name: true });

export const MerchantList = z.object({
  merchants: field(z.array(MerchantResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type MerchantList = z.infer<typeof MerchantList>;

export const ConnectProcessorRequest = z.strictObject({
  processor: field(
    identifier(MAX_NAME_LENGTH),
    '`sandbox` (test mode only), `stripe`, `square`; `sandbox_page`, test mode only, too, takes cards on the pay page alone, so that the line texts the link at once. Else `invalid_processor`.',
    'stripe',
  ),
  environment: field(
    z.enum(['test', 'live']).optional(),
    'Only that of the key that asks, which is also the default.',
    'test',
  ),
  credentials: field(
    z
      .record(z.string().regex(/^[A-Za-z0-9_-]{1,40}$/), credential)
      .refine((value) => Object.keys(value).length <= MAX_CREDENTIALS, { error: 'has too many names' })
      .default({}),
    'What the processor wants, by its own names; never shown again. `sandbox`, `sandbox_page`: nothing. `stripe`: `secret_key`, and, as you need them, `publishable_key` (card fields on the pay page) and `account_id` (an account connected to your platform). `square`: `access_token`, `application_id`, `location_id`.',
    { secret_key: 'sk_test_ExampleExampleExample', publishable_key: 'pk_test_ExampleExampleExample' },
  ),
});

export const MerchantStatusResource = z.object({
  merchant_id: FIELDS.merchant_id,
  environment: FIELDS.environment.describe('The mode that the merchant belongs to.'),
  processor: field(z.string().nullable(), 'The connected processor; null where none is.', 'sandbox'),
  can_take_payments: field(z.boolean(), "Whether checkouts in the merchant's own mode can be paid now.", true),
  can_take_live_payments: field(
    z.boolean(),
    'Whether real payments can be taken now. With a processor or account that takes no keyed cards: by saved card and pay page only.',
    false,
  ),
  requirements: field(
    z.array(
      z.object({
        code: field(z.enum(REQUIREMENT_CODES), 'Branch on this.', 'test_environment'),
        message: field(z.string(), 'What to do about it, for people.', REQUIREMENTS.test_environment),
      }),
    ),
    'What still keeps the merchant from live payments; empty when nothing does.',
  ),
  wallets: field(
    z
      .object({
        apple_pay: field(z.boolean(), 'Whether Apple Pay is shown.', false),
        google_pay: field(z.boolean(), 'Whether Google Pay is shown.', false),
      })
      .nullable(),
    "Wallets that the processor shows on the pay page's host, on devices that have them. Null: it could not be asked.",
    { apple_pay: false, google_pay: false },
  ),
});
export type MerchantStatusResource = z.infer<typeof MerchantStatusResource>;

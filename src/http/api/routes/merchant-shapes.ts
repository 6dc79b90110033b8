/** `/v1/merchants`: the schemas of requests and answers. */
import { z } from 'zod';
import { REQUIREMENTS, type Requirement } from '../../../accounts/merchants/status.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { MERCHANT_BRANDING, MerchantResource, ORDERS_URL_EXAMPLE } from '../../../contract/merchants.ts';
import { CARD_SAVINGS, POLICY_KINDS, RETURN_MODES } from '../../../domain/merchant.ts';
import { CURRENCIES, MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { MAX_TIP_PERCENT, MAX_TIPS } from '../../../domain/tip.ts';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import { listOf } from '../pages.ts';
import { identifier, language, line, phoneNumber, timeZone } from '../text-schemas.ts';
import { brandingFields } from './page-branding-shapes.ts';

const REQUIREMENT_CODES = Object.keys(REQUIREMENTS) as [Requirement, ...Requirement[]];
const ORDERS_URL_RULES =
  'We send it a signed POST (Standard Webhooks) `{"order_id", "merchant_id", "mode"}`. It must answer within 3 seconds: 200 `{"amount_cents", "currency"?}`, or 404 if the order does not exist. Must be https with a public host; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`.';

const LANGUAGE_RULES = `The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support \`${LANGUAGE_TAGS.join('`, `')}\`. For any other language they use English. The default is \`en-US\`.`;

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

/** Visible ASCII and line breaks of PEM files. Processors issue nothing else. */
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
        type: field(z.literal('sandbox'), "The demo's orders. Test mode only, where it is the default.", 'sandbox'),
      })
      .meta({ title: 'sandbox' }),
    z
      .strictObject({
        type: field(z.literal('http'), "Orders are looked up at the merchant's own URL, with signed requests.", 'http'),
        url: field(z.string().min(1).max(MAX_URL_LENGTH), ORDERS_URL_RULES, ORDERS_URL_EXAMPLE),
      })
      .meta({ title: 'http' }),
  ],
  { error: 'must be one of none, sandbox, http' },
);

const SETTINGS = {
  business_name: field(
    line(MAX_NAME_LENGTH),
    'The name that the caller hears and that the pay page and the receipt show.',
    'Corner Bakery',
  ),
  slug: field(
    z
      .string()
      .max(63)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    'Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name.',
    'corner-bakery',
  ),
  numbers: field(
    z
      .array(phoneNumber)
      .max(MAX_NUMBERS)
      .refine((numbers) => new Set(numbers).size === numbers.length, { error: 'must not contain a number twice' }),
    "The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list.",
    ['+15550100201'],
  ),
  currency: field(z.enum(CURRENCIES), 'ISO 4217. The currency of all amounts. The default is `USD`.', 'USD'),
  payment_policy: field(
    z.enum(POLICY_KINDS),
    'The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict.',
    'above',
  ),
  payment_policy_amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).nullable(),
    'The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it.',
    2000,
  ),
  language: field(language, LANGUAGE_RULES, 'en-US'),
  second_language: field(
    language.nullable(),
    'A second language that the greeting offers in that language ("para español, marque nueve"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none.',
    'es',
  ),
  time_zone: field(
    timeZone,
    'IANA name of the time zone for times in texts to callers. The default is `UTC`.',
    'America/New_York',
  ),
  voice: field(
    line(MAX_NAME_LENGTH).nullable(),
    "The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language.",
    null,
  ),
  asks_postal_code: field(z.boolean(), "Whether the line asks for the card's postal code. The default is false.", true),
  asks_confirmation: field(
    z.boolean(),
    'Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false.',
    false,
  ),
  card_saving: field(
    z.enum(CARD_SAVINGS),
    'Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved.',
    'ask',
  ),
  tip_percentages: field(
    z
      .array(z.int().min(1).max(MAX_TIP_PERCENT))
      .max(MAX_TIPS)
      .refine((percentages) => new Set(percentages).size === percentages.length, 'each percentage once'),
    'Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip.',
    [15, 18, 20],
  ),
  partial_minimum_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).nullable(),
    'Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount.',
    500,
  ),
  text_after_drop: field(
    z.boolean(),
    'Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false.',
    true,
  ),
  return_mode: field(
    z.enum(RETURN_MODES).nullable(),
    "How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default.",
    null,
  ),
  bank_debit_phone: field(
    phoneNumber.nullable(),
    'Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits.',
    '+15550100200',
  ),
  accepted_brands: field(
    z
      .array(z.enum(BRANDS))
      .min(1)
      .refine((brands) => new Set(brands).size === brands.length, { error: 'must not contain a brand twice' }),
    'Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover.',
    ['visa', 'mastercard', 'american-express', 'discover'],
  ),
  ...brandingFields(MERCHANT_BRANDING),
  order_source: field(
    OrderSource,
    'Where orders are looked up. The default is the sandbox in test mode and none in live mode.',
    {
      type: 'sandbox',
    },
  ),
};

export const ChangeMerchantRequest = z.strictObject(SETTINGS).partial();
export const CreateMerchantRequest = ChangeMerchantRequest.required({ business_name: true });

export const MerchantList = listOf('merchants', MerchantResource);
export type MerchantList = z.infer<typeof MerchantList>;

const notificationSecret = z.string().regex(/^[\x21-\x7e]{10,250}$/, {
  error: 'must have 10 to 250 printable ASCII characters, without spaces',
});
const SECRET_WORDS =
  'The secret that the processor signs its notifications with. It is stored encrypted and never shown again.';

export const SetNotificationSecretRequest = z.strictObject({
  notification_secret: field(
    notificationSecret.nullable(),
    `${SECRET_WORDS} The former one is accepted for 24 more hours. \`null\`: accept no notifications from now on.`,
    'whsec_ExampleExampleExample',
  ),
});

export const NotificationsResource = z.object({
  merchant_id: FIELDS.merchant_id,
  processor: field(z.string().nullable(), 'The connected processor. Null if there is none.', 'stripe'),
  can_notify: field(z.boolean(), 'Whether the processor sends notifications that can be verified.', true),
  url: field(
    z.string().nullable(),
    'The address to enter at the processor. Null if the service has no public address, or the processor sends no notifications that can be verified.',
    'https://ringkey.example.com/hooks/processors/stripe/mer_g83dnep6khxdgajgzbep2jsyz8',
  ),
  has_secret: field(z.boolean(), 'Whether a secret is set, so that notifications are accepted.', true),
  previous_secret_until: field(
    z.iso.datetime().nullable(),
    'Until when the former secret is accepted, too: ISO 8601, in UTC. Null if there is none.',
    null,
  ),
});
export type NotificationsResource = z.infer<typeof NotificationsResource>;

export const ConnectProcessorRequest = z.strictObject({
  processor: field(
    identifier(MAX_NAME_LENGTH),
    '`stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`, or in test mode only `sandbox` or `sandbox_page`. `sandbox_page` takes cards on the pay page only, so the line texts the link at once. Any other value returns `invalid_processor`.',
    'stripe',
  ),
  environment: field(
    z.enum(['test', 'live']).optional(),
    'Must be the mode of your key, which is the default.',
    'test',
  ),
  credentials: field(
    z
      .record(z.string().regex(/^[A-Za-z0-9_-]{1,40}$/), credential)
      .refine((value) => Object.keys(value).length <= MAX_CREDENTIALS, {
        error: `must not have more than ${MAX_CREDENTIALS} names`,
      })
      .default({}),
    'The credentials of the processor, by its own names. They are never shown again. `sandbox`, `sandbox_page`: none. `stripe`: `secret_key` and optionally `publishable_key` (card fields on the pay page) and `account_id` (an account connected to your platform). `square`: `access_token`, `application_id`, `location_id`. `authorizenet`: `api_login_id`, `transaction_key` and optionally `public_client_key` (card fields on the pay page). `checkoutcom`: `secret_key` and optionally `public_key`, `processing_channel_id` and `prefix`. `braintree`: `public_key`, `private_key`, `merchant_account_id`, `currency` and optionally `tokenization_key` (card fields on the pay page). `hyperswitch`: `base_url`, `api_key`, `connector` and optionally `profile_id`. `worldpay`: `username`, `password`, `entity`, `narrative` and optionally `checkout_id` (card fields on the pay page). `adyen`: `api_key`, `merchant_account`, in live mode `url_prefix`, and optionally `client_key` (card fields on the pay page) with its `environment`, and `report_api_key` (payouts). `payconnector`: `url`, `username`, `password` and optionally `lookup_url`.',
    { secret_key: 'sk_test_ExampleExampleExample', publishable_key: 'pk_test_ExampleExampleExample' },
  ),
  notification_secret: field(
    notificationSecret.optional(),
    `${SECRET_WORDS} If you omit the field, an earlier one is kept. It can also be set later.`,
    'whsec_ExampleExampleExample',
  ),
});

export const MerchantStatusResource = z.object({
  merchant_id: FIELDS.merchant_id,
  environment: FIELDS.environment.describe('The mode of the merchant.'),
  processor: field(z.string().nullable(), 'The connected processor. Null if there is none.', 'sandbox'),
  can_take_payments: field(z.boolean(), "Whether checkouts in the merchant's own mode can be paid now.", true),
  can_take_live_payments: field(
    z.boolean(),
    'Whether real payments can be taken now. If the processor or the account accepts no keyed cards, they work with saved cards and on the pay page only.',
    false,
  ),
  requirements: field(
    z.array(
      z.object({
        code: field(
          z.enum(REQUIREMENT_CODES),
          'The code of the requirement. Branch on this value.',
          'test_environment',
        ),
        message: field(z.string(), 'What you need to do, for people to read.', REQUIREMENTS.test_environment),
      }),
    ),
    'What still prevents live payments. Empty if nothing does.',
  ),
  wallets: field(
    z
      .object({
        apple_pay: field(z.boolean(), 'Whether Apple Pay is shown.', false),
        google_pay: field(z.boolean(), 'Whether Google Pay is shown.', false),
      })
      .nullable(),
    "Wallets that the processor shows on the pay page's host, on devices that support them. Null if the processor did not answer.",
    { apple_pay: false, google_pay: false },
  ),
});
export type MerchantStatusResource = z.infer<typeof MerchantStatusResource>;

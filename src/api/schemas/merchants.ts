/** `/v1/merchants`: requests and answers. */
import { z } from 'zod';
import { CURRENCIES, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { POLICY_KINDS } from '../../domain/policy.ts';
import { identifier, phoneNumber, text } from './text.ts';

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
const RETURN_MODES = ['auto', 'refer', 'bridge'] as const;

/** What vendors issue is ASCII, PEM's line ends included; anything else was pasted wrong. */
const credential = z
  .string()
  .min(1)
  .max(MAX_CREDENTIAL_LENGTH)
  .regex(/^[\n\r\x20-\x7e]+$/);

/** BCP 47, made canonical: `en-us` is `en-US`. */
const language = z
  .string()
  .min(2)
  .max(35)
  .transform((value, context): string => {
    const canonical = canonicalLanguage(value);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: 'is not a language tag (BCP 47)' });
    return z.NEVER;
  });

function canonicalLanguage(value: string): string | null {
  try {
    return Intl.getCanonicalLocales(value)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** IANA; what differs from a known name in its case only is made that name. An offset, `+02:00`, is none. */
const timeZone = z
  .string()
  .max(50)
  .transform((value, context): string => {
    const known = /^[a-z]/i.test(value) ? knownTimeZone(value) : null;
    if (known !== null) return known;
    context.addIssue({ code: 'custom', message: 'is not a time zone (IANA)' });
    return z.NEVER;
  });

/** The engine takes names in any case and answers old ones for new (`Asia/Calcutta`): those stay as they came. */
function knownTimeZone(value: string): string | null {
  try {
    const { timeZone: name } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    return name.toLowerCase() === value.toLowerCase() ? name : value;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const OrderSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('sandbox') }),
  z.strictObject({ type: z.literal('http'), url: z.string().min(1).max(MAX_URL_LENGTH) }),
]);

const SETTINGS = {
  /** Spoken, and shown on the pay page. */
  business_name: text(MAX_NAME_LENGTH),
  /** Names the merchant in `X-Ringkey-Merchant`; one merchant's only, per account and mode. */
  slug: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** What the merchant's callers dial, E.164; each one merchant's only, per account and mode. */
  numbers: z
    .array(phoneNumber)
    .max(MAX_NUMBERS)
    .refine((numbers) => new Set(numbers).size === numbers.length, { error: 'has a number twice' }),
  currency: z.enum(CURRENCIES),
  payment_policy: z.enum(POLICY_KINDS),
  /** The threshold of `above`, and of no other. */
  payment_policy_amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS).nullable(),
  language,
  /** Times in texts to callers are the merchant's. */
  time_zone: timeZone,
  /** Synthesizer's voice name; null for the default voice. */
  voice: text(MAX_NAME_LENGTH).nullable(),
  asks_postal_code: z.boolean(),
  asks_confirmation: z.boolean(),
  /** Null: as the service is set up. */
  return_mode: z.enum(RETURN_MODES).nullable(),
  accepted_brands: z
    .array(z.enum(BRANDS))
    .min(1)
    .refine((brands) => new Set(brands).size === brands.length, { error: 'has a brand twice' }),
  order_source: OrderSource,
};

export const ChangeMerchantRequest = z.strictObject(SETTINGS).partial();
export const CreateMerchantRequest = ChangeMerchantRequest.required({ business_name: true });

export const MerchantResource = z.object({
  merchant_id: z.string(),
  environment: z.enum(['test', 'live']),
  business_name: z.string(),
  slug: z.string(),
  numbers: z.array(z.string()),
  currency: z.enum(CURRENCIES),
  payment_policy: z.enum(POLICY_KINDS),
  payment_policy_amount_cents: z.int().nullable(),
  language: z.string(),
  time_zone: z.string(),
  voice: z.string().nullable(),
  asks_postal_code: z.boolean(),
  asks_confirmation: z.boolean(),
  return_mode: z.enum(RETURN_MODES).nullable(),
  accepted_brands: z.array(z.string()),
  processor: z.string().nullable(),
  order_source: z.object({
    type: z.enum(['none', 'sandbox', 'http']),
    url: z.string().optional(),
    /** Signs our requests to `url`; shown once, when the URL is set. */
    signing_secret: z.string().optional(),
  }),
  created_at: z.iso.datetime(),
});
export type MerchantResource = z.infer<typeof MerchantResource>;

export const MerchantList = z.object({ merchants: z.array(MerchantResource), has_more: z.boolean() });
export type MerchantList = z.infer<typeof MerchantList>;

export const ConnectProcessorRequest = z.strictObject({
  processor: identifier(MAX_NAME_LENGTH),
  /** Only that of the key that asks. */
  environment: z.enum(['test', 'live']).optional(),
  /** What the processor wants, by its own names; never shown again. */
  credentials: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,40}$/), credential)
    .refine((value) => Object.keys(value).length <= MAX_CREDENTIALS, { error: 'has too many names' })
    .default({}),
});

export const MerchantStatusResource = z.object({
  merchant_id: z.string(),
  environment: z.enum(['test', 'live']),
  processor: z.string().nullable(),
  /** Whether checkouts of this environment can be paid. */
  can_take_payments: z.boolean(),
  can_take_live_payments: z.boolean(),
  /** What still keeps the merchant from live payments. */
  requirements: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type MerchantStatusResource = z.infer<typeof MerchantStatusResource>;

/** Merchants as REST and the command line show them. */
import { z } from 'zod';
import {
  CARD_SAVINGS,
  type Merchant,
  type OrderSourceSetting,
  orderSourceKind,
  POLICY_KINDS,
  RETURN_MODES,
} from '../domain/merchant.ts';
import { CURRENCIES } from '../domain/money.ts';
import { FIELDS, field } from './fields.ts';

export const ORDERS_URL_EXAMPLE = 'https://pos.example.com/ringkey/orders';

/** How the merchant's pay pages and emails look. */
export const MERCHANT_BRANDING = {
  accentColor:
    "The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's.",
  supportPhone:
    "Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's.",
  supportEmail:
    "Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's.",
  termsUrl: "The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's.",
  privacyUrl:
    "The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's.",
} as const;

export const MerchantResource = z
  .object({
    merchant_id: FIELDS.merchant_id.meta({ examples: ['mer_g83dnep6khxdgajgzbep2jsyz8'] }),
    environment: FIELDS.environment.describe('The mode of the merchant and of its key.'),
    business_name: field(
      z.string(),
      'The name that the caller hears and that the pay page and the receipt show.',
      'Corner Bakery',
    ),
    slug: field(z.string(), 'Identifies the merchant in `X-Ringkey-Merchant`.', 'corner-bakery-3f9a21c4'),
    numbers: field(z.array(z.string()), "The numbers that the merchant's callers dial, E.164, ascending.", [
      '+15550100201',
    ]),
    currency: field(z.enum(CURRENCIES), 'ISO 4217. The currency of all amounts.', 'USD'),
    payment_policy: field(z.enum(POLICY_KINDS), 'The policy that decides the verdict of each checkout.', 'above'),
    payment_policy_amount_cents: field(
      z.int().nullable(),
      'The threshold of the policy `above`, in minor units. Null for any other policy.',
      2000,
    ),
    language: field(z.string(), 'BCP 47, in its canonical form.', 'en-US'),
    second_language: field(
      z.string().nullable(),
      'The second language that the greeting offers, BCP 47. Null if there is none.',
      null,
    ),
    time_zone: field(
      z.string(),
      'IANA name of the time zone for times in texts to callers and for the expiry of saved cards.',
      'America/New_York',
    ),
    voice: field(z.string().nullable(), 'The voice of the line. Null for the default voice of the language.', null),
    asks_postal_code: field(z.boolean(), "Whether the line asks for the card's postal code.", false),
    asks_confirmation: field(
      z.boolean(),
      'Whether the caller must press 1 to confirm before the line charges the card.',
      false,
    ),
    card_saving: field(z.enum(CARD_SAVINGS), 'Whether callers are asked to save their card for next time.', 'never'),
    tip_percentages: field(
      z.array(z.int()),
      'Tips that the line and the pay page offer, in percent of the amount due. Empty: none.',
      [15, 18, 20],
    ),
    partial_minimum_cents: field(
      z.int().nullable(),
      'The smallest part of an amount that payers may pay instead of all, in minor units. Null: only the whole amount.',
      null,
    ),
    text_after_drop: field(
      z.boolean(),
      'Whether callers whose call dropped before payment receive the pay link by SMS.',
      false,
    ),
    return_mode: field(
      z.enum(RETURN_MODES).nullable(),
      "How a call returns to `return_to`. Null uses the service's default.",
      null,
    ),
    accepted_brands: field(z.array(z.string()), 'Card brands that the line accepts.', [
      'visa',
      'mastercard',
      'american-express',
      'discover',
    ]),
    bank_debit_phone: field(
      z.string().nullable(),
      'The number for questions about bank debits, E.164. Null: the merchant takes no bank debits.',
      null,
    ),
    page_accent_color: field(z.string().nullable(), MERCHANT_BRANDING.accentColor, '#24569b'),
    page_support_phone: field(z.string().nullable(), MERCHANT_BRANDING.supportPhone, '+15550100200'),
    page_support_email: field(z.string().nullable(), MERCHANT_BRANDING.supportEmail, 'billing@example.com'),
    page_terms_url: field(z.string().nullable(), MERCHANT_BRANDING.termsUrl, 'https://example.com/terms'),
    page_privacy_url: field(z.string().nullable(), MERCHANT_BRANDING.privacyUrl, 'https://example.com/privacy'),
    processor: field(
      z.string().nullable(),
      'The connected processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null until one is connected. Its credentials are never shown.',
      'sandbox',
    ),
    order_source: field(
      z.object({
        type: field(z.enum(['none', 'sandbox', 'http']), 'The type of the order source.', 'sandbox'),
        url: field(z.string().optional(), 'The URL that we call. Only for `http`.', ORDERS_URL_EXAMPLE),
        signing_secret: field(
          z.string().optional(),
          'The secret that signs our requests to `url` (Standard Webhooks). Shown once, when you set the URL. Otherwise absent.',
          'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
        ),
      }),
      'Where orders are looked up.',
    ),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'Merchant', description: "Who gets paid, and how the line treats the merchant's callers." });
export type MerchantResource = z.infer<typeof MerchantResource>;

interface MerchantFacts {
  merchant: Merchant;
  /** E.164, ascending. */
  numbers: string[];
  orderSource: OrderSourceSetting | null;
  createdAt: Date;
}

/** Omits the processor's credentials and the order source's secret. */
export function merchantResource({ merchant, numbers, orderSource, createdAt }: MerchantFacts): MerchantResource {
  return {
    merchant_id: merchant.id,
    environment: merchant.mode,
    business_name: merchant.businessName,
    slug: merchant.slug,
    numbers,
    currency: merchant.currency,
    payment_policy: merchant.policy.kind,
    payment_policy_amount_cents: merchant.policy.kind === 'above' ? merchant.policy.amountCents : null,
    language: merchant.language,
    second_language: merchant.secondLanguage,
    time_zone: merchant.timeZone,
    voice: merchant.voice,
    asks_postal_code: merchant.asksPostalCode,
    asks_confirmation: merchant.asksConfirmation,
    card_saving: merchant.cardSaving,
    tip_percentages: [...merchant.tipPercentages],
    partial_minimum_cents: merchant.partialMinimumCents,
    text_after_drop: merchant.textAfterDrop,
    return_mode: merchant.returnMode,
    accepted_brands: [...merchant.acceptedBrands],
    bank_debit_phone: merchant.bankDebitPhone,
    page_accent_color: merchant.branding.accentColor,
    page_support_phone: merchant.branding.supportPhone,
    page_support_email: merchant.branding.supportEmail,
    page_terms_url: merchant.branding.termsUrl,
    page_privacy_url: merchant.branding.privacyUrl,
    processor: merchant.processor,
    order_source: {
      type: orderSourceKind(orderSource, merchant.mode),
      ...(orderSource?.kind === 'http' && { url: orderSource.url }),
    },
    created_at: createdAt.toISOString(),
  };
}

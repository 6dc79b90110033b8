/** Merchants as REST and the command line show them. */
import { z } from 'zod';
import { CURRENCIES } from '../domain/money.ts';
import { type OrderSourceSetting, orderSourceKind } from '../domain/order-source.ts';
import { POLICY_KINDS } from '../domain/policy.ts';
import { CARD_SAVINGS, type Merchant, RETURN_MODES } from '../domain/session.ts';
import { FIELDS, field } from './fields.ts';

export const ORDERS_URL_EXAMPLE = 'https://pos.example.com/ringkey/orders';

export const MerchantResource = z
  .object({
    merchant_id: FIELDS.merchant_id.meta({ examples: ['mer_g83dnep6khxdgajgzbep2jsyz8'] }),
    environment: FIELDS.environment.describe('The mode that the merchant belongs to, and its key.'),
    business_name: field(
      z.string(),
      'Spoken to the caller, and shown on the pay page and the receipt.',
      'Corner Bakery',
    ),
    slug: field(z.string(), 'Names the merchant in `X-Ringkey-Merchant`.', 'corner-bakery-3f9a21c4'),
    numbers: field(z.array(z.string()), "What the merchant's callers dial, E.164, ascending.", ['+15550100201']),
    currency: field(z.enum(CURRENCIES), 'ISO 4217. What amounts are in.', 'USD'),
    payment_policy: field(z.enum(POLICY_KINDS), 'What gives each checkout its verdict.', 'above'),
    payment_policy_amount_cents: field(
      z.int().nullable(),
      'The threshold of `above`, in minor units; null for any other policy.',
      2000,
    ),
    language: field(z.string(), 'BCP 47, in its canonical form.', 'en-US'),
    second_language: field(
      z.string().nullable(),
      'What the greeting offers to change to, BCP 47; null: nothing.',
      null,
    ),
    time_zone: field(
      z.string(),
      'IANA name of the time zone in which texts to callers tell the time, and saved cards expire.',
      'America/New_York',
    ),
    voice: field(z.string().nullable(), 'Null for the default voice of the language.', null),
    asks_postal_code: field(z.boolean(), 'Whether the line asks for the postal code of the card.', false),
    asks_confirmation: field(z.boolean(), 'Whether the line wants a 1 before it charges.', false),
    card_saving: field(z.enum(CARD_SAVINGS), 'Whether callers are asked to have a card kept for next time.', 'never'),
    text_after_drop: field(z.boolean(), 'Whether callers whose call broke off unpaid are texted the pay link.', false),
    return_mode: field(z.enum(RETURN_MODES).nullable(), 'Null: as the service is set up.', null),
    accepted_brands: field(z.array(z.string()), 'Cards that the line takes.', [
      'visa',
      'mastercard',
      'american-express',
      'discover',
    ]),
    processor: field(
      z.string().nullable(),
      'The connected processor: `sandbox`, `sandbox_page`, `stripe`, `square`. Null until one is connected. Its credentials are never shown.',
      'sandbox',
    ),
    order_source: field(
      z.object({
        type: field(z.enum(['none', 'sandbox', 'http']), 'Which kind.', 'sandbox'),
        url: field(z.string().optional(), 'Of `http` only: where we ask.', ORDERS_URL_EXAMPLE),
        signing_secret: field(
          z.string().optional(),
          'Signs our requests to `url` (Standard Webhooks). Shown once, when the URL is set; absent ever after.',
          'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
        ),
      }),
      'Where orders are looked up.',
    ),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'Merchant', description: 'Whom the money is for, and how the line treats their callers.' });
export type MerchantResource = z.infer<typeof MerchantResource>;

/** What a merchant's resource shows. */
export interface MerchantFacts {
  merchant: Merchant;
  /** E.164, ascending. */
  numbers: string[];
  orderSource: OrderSourceSetting | null;
  createdAt: Date;
}

/** Leaves out the processor's credentials and the order source's secret. */
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
    text_after_drop: merchant.textAfterDrop,
    return_mode: merchant.returnMode,
    accepted_brands: [...merchant.acceptedBrands],
    processor: merchant.processor,
    order_source: {
      type: orderSourceKind(orderSource, merchant.mode),
      ...(orderSource?.kind === 'http' && { url: orderSource.url }),
    },
    created_at: createdAt.toISOString(),
  };
}

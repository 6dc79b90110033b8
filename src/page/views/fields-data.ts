/** What the page's script reads of a form: `data-words`, and `data-config` where a processor's fields are shown. */
import { type Html, html } from '../../api/html.ts';
import type { Currency, Money } from '../../domain/money.ts';
import type { Merchant } from '../../domain/session.ts';
import type { FieldsConfig } from '../../payments/page-fields.ts';
import { businessOf } from './bill.ts';
import type { PageView } from './view.ts';

export function fieldsDataOf(view: PageView): Html {
  const config = fieldsConfigOf(view);
  const { blockedKeypad, ...script } = view.words.script;
  const words = JSON.stringify({ ...script, ...(view.processor?.canKey && { blocked: blockedKeypad }) });
  if (config === null) return html` data-words="${words}"`;
  return html` data-words="${words}" data-config="${JSON.stringify(config)}"`;
}

/** @returns null where the page has fields of its own */
function fieldsConfigOf(view: PageView): FieldsConfig | null {
  const { processor, reading, language } = view;
  if (processor === null || processor.page === null || processor.tokens === null) return null;
  const { amount } = reading.session;
  const { publicKey, locationId } = processor.tokens;
  return {
    scripts: processor.page.scripts.map(({ url }) => url),
    ...{ publicKey, locationId, amountCents: amount.amountCents, amount: decimal(amount), currency: amount.currency },
    country: countryOf(reading.merchant, amount.currency),
    businessName: businessOf(view),
    language,
    wallets: true,
  };
}

/** All our currencies have two digits of minor units (ISO 4217). */
function decimal({ amountCents }: Money): string {
  const digits = String(amountCents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Where a currency is of one country that processors have merchants in. */
const COUNTRIES: Readonly<Partial<Record<Currency, string>>> = { USD: 'US', GBP: 'GB', CAD: 'CA', AUD: 'AU' };

/** A wallet wants to know it; of the euro's countries the merchant's language tells. */
function countryOf(merchant: Merchant | null, currency: Currency): string | null {
  const region = merchant === null ? undefined : new Intl.Locale(merchant.language).region;
  return COUNTRIES[currency] ?? region ?? null;
}

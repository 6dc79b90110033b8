/** The values of a merchant's settings form, and the changes sent to REST. merchant-fields.tsx has the fields. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import { CURRENCIES } from '../../../domain/money.ts';
import { pageChangesOf, pageFormOf } from '../account/page-branding.tsx';
import { readAmount, typedAmount } from '../form/amounts.ts';
import { shownUrl } from '../form/api-call.tsx';
import { entriesOf, ticked, tickedOf } from '../form/fields.tsx';
import { timeZoneIn } from '../form/time-zones.ts';
import type { FormFields } from '../page/page-routes.ts';

const typedOrEmpty = (amountCents: number | null, currency: string): string =>
  amountCents === null ? '' : typedAmount(amountCents, currency);

const onIf = (isTicked: boolean): string => (isTicked ? 'on' : '');

/** The form's values for a merchant. */
export function merchantForm(merchant: MerchantResource): FormFields {
  const { payment_policy_amount_cents: threshold } = merchant;
  return {
    business_name: merchant.business_name,
    numbers: merchant.numbers.join('\n'),
    currency: merchant.currency,
    payment_policy: merchant.payment_policy,
    payment_policy_amount_cents: typedOrEmpty(threshold, merchant.currency),
    ...ticked('accepted_brands', merchant.accepted_brands),
    card_saving: onIf(merchant.card_saving === 'ask'),
    language: merchant.language,
    second_language: merchant.second_language ?? '',
    voice: merchant.voice ?? '',
    time_zone: merchant.time_zone,
    return_mode: merchant.return_mode ?? '',
    bank_debit_phone: merchant.bank_debit_phone ?? '',
    asks_confirmation: onIf(merchant.asks_confirmation),
    asks_postal_code: onIf(merchant.asks_postal_code),
    tip_percentages: merchant.tip_percentages.join(', '),
    partial_minimum_cents: typedOrEmpty(merchant.partial_minimum_cents, merchant.currency),
    text_after_drop: onIf(merchant.text_after_drop),
    ...pageFormOf(merchant),
    order_source: merchant.order_source.type,
    order_source_url: merchant.order_source.url ?? '',
  };
}

/** The settings that differ between the form and the merchant. */
export function settingsChanged(before: MerchantResource, fields: FormFields): Record<string, unknown> {
  const after = settingsOf(fields);
  const was: Record<string, unknown> = { ...before, order_source: sourceOf(merchantForm(before)) };
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  );
}

/** All settings of the form, for REST. Invalid values are passed on, and REST rejects them. */
export function settingsOf(fields: FormFields): Record<string, unknown> {
  const text = (name: string) => fields[name]?.trim() ?? '';
  const isTicked = (name: string) => fields[name] === 'on';
  const amountIn = (name: string) => (text(name) ? centsOf(text(name), text('currency')) : null);
  return {
    business_name: text('business_name'),
    numbers: entriesOf(fields.numbers).sort(),
    currency: text('currency'),
    payment_policy: text('payment_policy'),
    payment_policy_amount_cents: amountIn('payment_policy_amount_cents'),
    accepted_brands: tickedOf(fields, 'accepted_brands'),
    card_saving: isTicked('card_saving') ? 'ask' : 'never',
    language: text('language'),
    second_language: text('second_language') || null,
    voice: text('voice') || null,
    time_zone: timeZoneIn(text('time_zone')),
    return_mode: text('return_mode') || null,
    bank_debit_phone: text('bank_debit_phone') || null,
    asks_confirmation: isTicked('asks_confirmation'),
    asks_postal_code: isTicked('asks_postal_code'),
    tip_percentages: entriesOf(fields.tip_percentages).map(Number),
    partial_minimum_cents: amountIn('partial_minimum_cents'),
    text_after_drop: isTicked('text_after_drop'),
    ...pageChangesOf(fields),
    order_source: sourceOf(fields),
  };
}

/** The settings as an API call shows them. */
export function shownSettingsOf(fields: FormFields): object {
  const source = sourceOf(fields);
  const url = source.url === undefined ? {} : { url: shownUrl(source.url, 'ORDER_SOURCE_URL') };
  return { ...settingsOf(fields), order_source: { ...source, ...url } };
}

const sourceOf = ({ order_source: type, order_source_url: url }: FormFields): { type: string; url?: string } =>
  type === 'http' ? { type, url: url?.trim() ?? '' } : { type: type ?? 'none' };

/** An invalid amount is passed on, and REST rejects it. */
function centsOf(amount: string, currency: string): number | string {
  const isKnown = CURRENCIES.some((each) => each === currency);
  return (isKnown ? readAmount(amount, currency) : null) ?? amount;
}

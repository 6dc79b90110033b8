/** The form of a merchant's settings: its fields, its initial values, and the changes sent to REST. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import { CURRENCIES, majorUnits, minorUnits } from '../../../domain/money.ts';
import type { Mode } from '../../../domain/session.ts';
import { LANGUAGE_TAGS } from '../../../languages/index.ts';
import {
  CheckField,
  ChoiceField,
  type Choices,
  entriesOf,
  type FormState,
  ListField,
  SeveralField,
  TextField,
  ticked,
  tickedOf,
} from '../form/fields.tsx';
import type { FormFields } from '../page/page-routes.ts';

const POLICIES: Choices = [
  ['always', 'Always: every checkout must be paid'],
  ['above', 'Above a threshold'],
  ['optional', 'Optional: the caller may pay now'],
  ['never', 'Never'],
];
const RETURNS: Choices = [
  ['', 'Service default'],
  ['auto', 'REFER if supported, otherwise a bridge'],
  ['refer', 'REFER'],
  ['bridge', 'Bridge'],
];
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
const LANGUAGES: Choices = LANGUAGE_TAGS.map((code) => [code, LANGUAGE_NAMES.of(code) ?? code]);
const BRANDS: Choices = [
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['american-express', 'American Express'],
  ['discover', 'Discover'],
  ['diners-club', 'Diners Club'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
  ['maestro', 'Maestro'],
];

export function MerchantFields({ form, mode }: { form: FormState; mode: Mode }) {
  return (
    <>
      <TextField
        form={form}
        name="business_name"
        label="Business name"
        hint="Spoken to callers and shown on the pay page and receipts."
        maxlength={100}
        required
      />
      <ListField
        form={form}
        name="numbers"
        label="Phone numbers"
        hint="The numbers that callers dial, one per line, such as +15550100201. They identify the merchant of a call."
      />
      <MoneyFields form={form} />
      <LineFields form={form} />
      <ChoiceField
        form={form}
        name="order_source"
        label="Order source"
        choices={[
          ...(mode === 'test' ? ([['sandbox', 'Demo orders']] as const) : []),
          ['none', 'None: each checkout includes its amount'],
          ['http', 'Your own server'],
        ]}
      />
      <TextField
        form={form}
        name="order_source_url"
        label="Order source URL"
        hint="An https URL. Ringkey sends it signed requests."
      />
    </>
  );
}

function MoneyFields({ form }: { form: FormState }) {
  return (
    <>
      <ChoiceField form={form} name="currency" label="Currency" choices={CURRENCIES.map((each) => [each, each])} />
      <ChoiceField form={form} name="payment_policy" label="When payment is required" choices={POLICIES} />
      <TextField
        form={form}
        name="payment_policy_amount_cents"
        label="Threshold"
        hint="An amount such as 20.00, or 2000 in JPY and KRW. Only used with “Above a threshold”."
        maxlength={12}
      />
      <SeveralField form={form} name="accepted_brands" label="Accepted cards" choices={BRANDS} />
      <CheckField
        form={form}
        name="card_saving"
        label="Offer to save cards"
        hint="Asked once per call if the processor supports it. The caller’s consent is recorded."
      />
    </>
  );
}

function LineFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        form={form}
        name="language"
        label="Language"
        hint="A BCP 47 tag, such as en-US or fr."
        maxlength={35}
      />
      <ChoiceField
        form={form}
        name="second_language"
        label="Second language"
        hint="Offered in the greeting, in that language: “para español, marque nueve”."
        choices={[['', 'None'], ...LANGUAGES]}
      />
      <TextField
        form={form}
        name="voice"
        label="Voice"
        hint="<synthesizer>:<voice>, such as polly:Joanna. Leave empty for the language’s default voice. Use “Play greeting” below to hear it."
        maxlength={100}
      />
      <TextField
        form={form}
        name="time_zone"
        label="Time zone"
        hint="For times in texts, such as America/New_York."
        maxlength={50}
      />
      <TextField
        form={form}
        name="bank_debit_phone"
        label="Number for bank debits"
        hint="Callers can also pay from a US bank account, if the checkout offers it. They hear this number for questions. Leave empty to take cards only."
        maxlength={20}
      />
      <ChoiceField form={form} name="return_mode" label="Return method" choices={RETURNS} />
      <CheckField form={form} name="asks_confirmation" label="Read back card and amount, and wait for 1" />
      <TextField
        form={form}
        name="tip_percentages"
        label="Tips"
        hint="In percent, such as 15, 18, 20. Empty: no tip is offered."
        maxlength={20}
      />
      <TextField
        form={form}
        name="partial_minimum_cents"
        label="Smallest partial payment"
        hint="In the merchant’s currency. Callers and payers may pay a part, from this amount on. Empty: only all of it."
        maxlength={12}
      />
      <CheckField form={form} name="asks_postal_code" label="Ask for the card’s postal code" />
      <CheckField
        form={form}
        name="text_after_drop"
        label="Text the pay link after dropped calls"
        hint="20 seconds after an unpaid call drops, once per checkout, unless the caller calls again."
      />
    </>
  );
}

const typedAmount = (amountCents: number | null, currency: string): string =>
  amountCents === null ? '' : majorUnits({ amountCents, currency });

const onIf = (isTicked: boolean): string => (isTicked ? 'on' : '');

/** The form's values for a merchant. */
export function merchantForm(merchant: MerchantResource): FormFields {
  const { payment_policy_amount_cents: threshold } = merchant;
  return {
    business_name: merchant.business_name,
    numbers: merchant.numbers.join('\n'),
    currency: merchant.currency,
    payment_policy: merchant.payment_policy,
    payment_policy_amount_cents: typedAmount(threshold, merchant.currency),
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
    partial_minimum_cents: typedAmount(merchant.partial_minimum_cents, merchant.currency),
    text_after_drop: onIf(merchant.text_after_drop),
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

function settingsOf(fields: FormFields): Record<string, unknown> {
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
    time_zone: text('time_zone'),
    return_mode: text('return_mode') || null,
    bank_debit_phone: text('bank_debit_phone') || null,
    asks_confirmation: isTicked('asks_confirmation'),
    asks_postal_code: isTicked('asks_postal_code'),
    tip_percentages: entriesOf(fields.tip_percentages).map(Number),
    partial_minimum_cents: amountIn('partial_minimum_cents'),
    text_after_drop: isTicked('text_after_drop'),
    order_source: sourceOf(fields),
  };
}

const sourceOf = ({ order_source: type, order_source_url: url }: FormFields) =>
  type === 'http' ? { type, url: url?.trim() ?? '' } : { type };

/** An invalid amount is passed on, and REST rejects it. */
function centsOf(amount: string, currency: string): number | string {
  const isKnown = CURRENCIES.some((each) => each === currency);
  return (isKnown ? minorUnits(amount, currency) : null) ?? amount;
}

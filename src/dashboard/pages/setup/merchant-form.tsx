/** The form of a merchant's settings: its fields, how a merchant fills it in, and what of it REST is asked to change. */
import { SPOKEN_LANGUAGES } from '../../../contract/translations.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { CURRENCIES } from '../../../domain/money.ts';
import type { Mode } from '../../../domain/session.ts';
import type { FormFields } from '../../page-routes.ts';
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
} from './fields.tsx';

const POLICIES: Choices = [
  ['always', 'Always: every checkout has to be paid'],
  ['above', 'From a threshold on'],
  ['optional', 'Optional: the caller may pay now'],
  ['never', 'Never'],
];
const RETURNS: Choices = [
  ['', 'As the service is set up'],
  ['auto', 'By REFER where the other side takes it, else a bridge'],
  ['refer', 'By REFER'],
  ['bridge', 'By a bridge'],
];
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
const LANGUAGES: Choices = SPOKEN_LANGUAGES.map((code) => [code, LANGUAGE_NAMES.of(code) ?? code]);
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
        hint="Spoken to callers, and shown on the pay page and the receipt."
        maxlength={100}
        required
      />
      <ListField
        form={form}
        name="numbers"
        label="Numbers that its callers dial"
        hint="One a line, as in +15550100201. They find the merchant of a call."
      />
      <MoneyFields form={form} />
      <LineFields form={form} />
      <ChoiceField
        form={form}
        name="order_source"
        label="Where orders are looked up"
        choices={[
          ...(mode === 'test' ? ([['sandbox', "The demo's orders"]] as const) : []),
          ['none', 'Nowhere: a checkout brings its amount'],
          ['http', 'At your own address'],
        ]}
      />
      <TextField form={form} name="order_source_url" label="Its address" hint="https. Asked with signed requests." />
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
        hint="An amount such as 20.00. Goes with “From a threshold on”, and with nothing else."
        maxlength={12}
      />
      <SeveralField form={form} name="accepted_brands" label="Cards that the line takes" choices={BRANDS} />
      <CheckField
        form={form}
        name="card_saving"
        label="Ask callers to keep their card for next time"
        hint="Once a call, where the processor can; their words of consent are kept."
      />
    </>
  );
}

function LineFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField form={form} name="language" label="Language" hint="BCP 47, such as en-US or fr." maxlength={35} />
      <ChoiceField
        form={form}
        name="second_language"
        label="Second language"
        hint="Offered in the greeting, in its own words: “para español, marque nueve”."
        choices={[['', 'None'], ...LANGUAGES]}
      />
      <TextField
        form={form}
        name="voice"
        label="Voice"
        hint="<synthesizer>:<voice>, such as polly:Joanna. Empty for the default voice of the language. “Hear the greeting” below lets you hear it."
        maxlength={100}
      />
      <TextField
        form={form}
        name="time_zone"
        label="Time zone"
        hint="In which texts tell the time, such as America/New_York."
        maxlength={50}
      />
      <ChoiceField form={form} name="return_mode" label="How a call comes back to the agent" choices={RETURNS} />
      <CheckField form={form} name="asks_confirmation" label="Read card and amount back, and wait for a 1" />
      <CheckField form={form} name="asks_postal_code" label="Ask for the postal code of the card" />
      <CheckField
        form={form}
        name="text_after_drop"
        label="Text the pay link where a call broke off unpaid"
        hint="20 seconds later, once a checkout, and only if the caller has not called again."
      />
    </>
  );
}

const onIf = (isTicked: boolean): string => (isTicked ? 'on' : '');

/** How a merchant fills the form in. */
export function merchantForm(merchant: MerchantResource): FormFields {
  const { payment_policy_amount_cents: threshold } = merchant;
  return {
    business_name: merchant.business_name,
    numbers: merchant.numbers.join('\n'),
    currency: merchant.currency,
    payment_policy: merchant.payment_policy,
    payment_policy_amount_cents: threshold === null ? '' : (threshold / 100).toFixed(2),
    ...ticked('accepted_brands', merchant.accepted_brands),
    card_saving: onIf(merchant.card_saving === 'ask'),
    language: merchant.language,
    second_language: merchant.second_language ?? '',
    voice: merchant.voice ?? '',
    time_zone: merchant.time_zone,
    return_mode: merchant.return_mode ?? '',
    asks_confirmation: onIf(merchant.asks_confirmation),
    asks_postal_code: onIf(merchant.asks_postal_code),
    text_after_drop: onIf(merchant.text_after_drop),
    order_source: merchant.order_source.type,
    order_source_url: merchant.order_source.url ?? '',
  };
}

/** The settings that the form has otherwise than the merchant. */
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
  return {
    business_name: text('business_name'),
    numbers: entriesOf(fields.numbers).sort(),
    currency: text('currency'),
    payment_policy: text('payment_policy'),
    payment_policy_amount_cents: text('payment_policy_amount_cents')
      ? centsOf(text('payment_policy_amount_cents'))
      : null,
    accepted_brands: tickedOf(fields, 'accepted_brands'),
    card_saving: isTicked('card_saving') ? 'ask' : 'never',
    language: text('language'),
    second_language: text('second_language') || null,
    voice: text('voice') || null,
    time_zone: text('time_zone'),
    return_mode: text('return_mode') || null,
    asks_confirmation: isTicked('asks_confirmation'),
    asks_postal_code: isTicked('asks_postal_code'),
    text_after_drop: isTicked('text_after_drop'),
    order_source: sourceOf(fields),
  };
}

const sourceOf = ({ order_source: type, order_source_url: url }: FormFields) =>
  type === 'http' ? { type, url: url?.trim() ?? '' } : { type };

/** All our currencies have two decimals. What is no amount goes to REST as it is, which says so. */
function centsOf(amount: string): number | string {
  return /^\d{1,7}(\.\d{1,2})?$/.test(amount) ? Math.round(Number(amount) * 100) : amount;
}

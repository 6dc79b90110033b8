/** The fields of a merchant's settings, in groups. merchant-form.ts has their values. */
import { CURRENCIES } from '../../../domain/money.ts';
import type { Mode } from '../../../domain/session.ts';
import type { KnownVoice } from '../../../speech/ports.ts';
import { BrandingFields } from '../account/page-branding.tsx';
import { FieldGroup, regionalLanguages, spokenLanguages, TimeZoneField } from '../form/choices.tsx';
import {
  CheckField,
  ChoiceField,
  type Choices,
  type FormState,
  ListField,
  SeveralField,
  SuggestField,
  TextField,
} from '../form/fields.tsx';

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

interface MerchantFieldsProps {
  form: FormState;
  mode: Mode;
  voices: readonly KnownVoice[];
}

export function MerchantFields({ form, mode, voices }: MerchantFieldsProps) {
  return (
    <>
      <FieldGroup title="Business">
        <BusinessFields form={form} />
      </FieldGroup>
      <FieldGroup title="Language and voice">
        <VoiceFields form={form} voices={voices} />
      </FieldGroup>
      <FieldGroup title="Payments">
        <MoneyFields form={form} />
      </FieldGroup>
      <FieldGroup title="During the call">
        <CallFields form={form} />
      </FieldGroup>
      <FieldGroup title="Pay page and emails">
        <BrandingFields form={form} isMerchants />
      </FieldGroup>
      <FieldGroup title="Orders">
        <OrderFields form={form} mode={mode} />
      </FieldGroup>
    </>
  );
}

export const BusinessName = ({ form }: { form: FormState }) => (
  <TextField
    form={form}
    name="business_name"
    label="Business name"
    hint="Spoken to callers and shown on the pay page and receipts."
    maxlength={100}
    required
  />
);

export const Currency = ({ form }: { form: FormState }) => (
  <ChoiceField form={form} name="currency" label="Currency" choices={CURRENCIES.map((each) => [each, each])} />
);

export const LanguageChoice = ({ form }: { form: FormState }) => (
  <ChoiceField
    form={form}
    name="language"
    label="Language"
    hint="Of the call, the pay page and the texts. The region sets the accent, and how dates are written."
    choices={regionalLanguages(form.values.language)}
  />
);

function BusinessFields({ form }: { form: FormState }) {
  return (
    <>
      <BusinessName form={form} />
      <ListField
        form={form}
        name="numbers"
        label="Phone numbers"
        hint="The numbers that callers dial, one per line, such as +15550100201. They identify the merchant of a call."
      />
      <TimeZoneField form={form} hint="For times in texts. Type a city, such as New York, and choose its zone." />
    </>
  );
}

function VoiceFields({ form, voices }: { form: FormState; voices: readonly KnownVoice[] }) {
  return (
    <>
      <LanguageChoice form={form} />
      <ChoiceField
        form={form}
        name="second_language"
        label="Second language"
        hint="Offered in the greeting, in that language: “para español, marque nueve”."
        choices={[['', 'None'], ...spokenLanguages()]}
      />
      <SuggestField
        form={form}
        name="voice"
        label="Voice"
        hint="Choose one, or enter <synthesizer>:<voice>. Leave empty for the language’s default voice. Play the greeting to hear it."
        maxlength={100}
        suggestions={voices.map(({ name, language }) => [name, language ?? 'Every language'])}
      />
    </>
  );
}

function MoneyFields({ form }: { form: FormState }) {
  return (
    <>
      <Currency form={form} />
      <ChoiceField form={form} name="payment_policy" label="When payment is required" choices={POLICIES} />
      <TextField
        form={form}
        name="payment_policy_amount_cents"
        label="Threshold"
        hint="An amount such as 20.00, or 2000 in JPY and KRW. Only used with “Above a threshold”."
        maxlength={12}
      />
      <SeveralField form={form} name="accepted_brands" label="Accepted cards" choices={BRANDS} />
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
      <TextField
        form={form}
        name="bank_debit_phone"
        label="Number for bank debits"
        hint="Callers can also pay from a US bank account, if the checkout offers it. They hear this number for questions. Leave empty to take cards only."
        maxlength={20}
      />
    </>
  );
}

function CallFields({ form }: { form: FormState }) {
  return (
    <>
      <CheckField form={form} name="asks_postal_code" label="Ask for the card’s postal code" />
      <CheckField form={form} name="asks_confirmation" label="Read back card and amount, and wait for 1" />
      <CheckField
        form={form}
        name="card_saving"
        label="Offer to save cards"
        hint="Asked once per call if the processor supports it. The caller’s consent is recorded."
      />
      <CheckField
        form={form}
        name="text_after_drop"
        label="Text the pay link after dropped calls"
        hint="20 seconds after an unpaid call drops, once per checkout, unless the caller calls again."
      />
      <ChoiceField form={form} name="return_mode" label="Return method" choices={RETURNS} />
    </>
  );
}

function OrderFields({ form, mode }: { form: FormState; mode: Mode }) {
  return (
    <>
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

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
import type { FormFields } from '../page/page-routes.ts';
import { choicesOf } from '../words/names/index.ts';
import { merchantWords } from './words/index.ts';

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
  /** Attributes of {@link VOICE_LIST}. */
  voicesFollow: object;
}

export function MerchantFields({ form, mode, voices, voicesFollow }: MerchantFieldsProps) {
  const w = merchantWords().groups;
  return (
    <>
      <FieldGroup title={w.business}>
        <BusinessFields form={form} />
      </FieldGroup>
      <FieldGroup title={w.voice}>
        <VoiceFields form={form} voices={voices} follow={voicesFollow} />
      </FieldGroup>
      <FieldGroup title={w.payments}>
        <MoneyFields form={form} />
      </FieldGroup>
      <FieldGroup title={w.call}>
        <CallFields form={form} />
      </FieldGroup>
      <FieldGroup title={w.page}>
        <BrandingFields form={form} isMerchants />
      </FieldGroup>
      <FieldGroup title={w.orders}>
        <OrderFields form={form} mode={mode} />
      </FieldGroup>
    </>
  );
}

export function BusinessName({ form }: { form: FormState }) {
  const { businessName, businessNameHint } = merchantWords().fields;
  return (
    <TextField form={form} name="business_name" label={businessName} hint={businessNameHint} maxlength={100} required />
  );
}

export function Currency({ form }: { form: FormState }) {
  const { currency } = merchantWords().fields;
  return <ChoiceField form={form} name="currency" label={currency} choices={CURRENCIES.map((each) => [each, each])} />;
}

export function LanguageChoice({ form }: { form: FormState }) {
  const { language, languageHint } = merchantWords().fields;
  const choices = regionalLanguages(form.values.language);
  return <ChoiceField form={form} name="language" label={language} hint={languageHint} choices={choices} />;
}

function BusinessFields({ form }: { form: FormState }) {
  const w = merchantWords().fields;
  return (
    <>
      <BusinessName form={form} />
      <ListField form={form} name="numbers" label={w.numbers} hint={w.numbersHint} />
      <TimeZoneField form={form} hint={w.timeZoneHint} />
    </>
  );
}

/** The suggested voices. */
export const VOICE_LIST = 'list-voice';

/** Those of the languages of the form, the best first. A call ignores a voice of another language. */
export function voiceChoices(
  { language = '', second_language: second = '' }: FormFields,
  voices: readonly KnownVoice[],
) {
  const spoken = [language, second].map(primaryOf);
  return voices
    .filter((voice) => voice.language === null || spoken.includes(primaryOf(voice.language)))
    .map(({ name, language: own }) => [name, own ?? merchantWords().fields.everyLanguage] as const);
}

const primaryOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? '';

interface VoiceFieldsProps {
  form: FormState;
  voices: readonly KnownVoice[];
  follow: object;
}

function VoiceFields({ form, voices, follow }: VoiceFieldsProps) {
  const w = merchantWords().fields;
  return (
    <>
      <LanguageChoice form={form} />
      <ChoiceField
        form={form}
        name="second_language"
        label={w.secondLanguage}
        hint={w.secondLanguageHint}
        choices={[['', w.none], ...spokenLanguages()]}
      />
      <SuggestField
        form={form}
        name="voice"
        label={w.voice}
        hint={w.voiceHint}
        maxlength={100}
        suggestions={voiceChoices(form.values, voices)}
        follows={follow}
      />
    </>
  );
}

function MoneyFields({ form }: { form: FormState }) {
  const w = merchantWords().fields;
  return (
    <>
      <Currency form={form} />
      <ChoiceField form={form} name="payment_policy" label={w.policy} choices={choicesOf(w.policies)} />
      <TextField
        form={form}
        name="payment_policy_amount_cents"
        label={w.threshold}
        hint={w.thresholdHint}
        maxlength={12}
      />
      <SeveralField form={form} name="accepted_brands" label={w.brands} choices={BRANDS} />
      <TextField form={form} name="tip_percentages" label={w.tips} hint={w.tipsHint} maxlength={20} />
      <TextField form={form} name="partial_minimum_cents" label={w.partial} hint={w.partialHint} maxlength={12} />
      <TextField form={form} name="bank_debit_phone" label={w.bankDebit} hint={w.bankDebitHint} maxlength={20} />
    </>
  );
}

function CallFields({ form }: { form: FormState }) {
  const w = merchantWords().fields;
  const { default: byService, ...returns } = w.returnModes;
  return (
    <>
      <CheckField form={form} name="asks_postal_code" label={w.postalCode} />
      <CheckField form={form} name="asks_confirmation" label={w.confirmation} />
      <CheckField form={form} name="card_saving" label={w.cardSaving} hint={w.cardSavingHint} />
      <CheckField form={form} name="text_after_drop" label={w.textAfterDrop} hint={w.textAfterDropHint} />
      <ChoiceField
        form={form}
        name="return_mode"
        label={w.returnMode}
        choices={[['', byService], ...choicesOf(returns)]}
      />
    </>
  );
}

function OrderFields({ form, mode }: { form: FormState; mode: Mode }) {
  const w = merchantWords().fields;
  const choices = choicesOf(w.orderSources).filter(([source]) => source !== 'sandbox' || mode === 'test');
  return (
    <>
      <ChoiceField form={form} name="order_source" label={w.orderSource} choices={choices} />
      <TextField form={form} name="order_source_url" label={w.orderSourceUrl} hint={w.orderSourceUrlHint} />
    </>
  );
}

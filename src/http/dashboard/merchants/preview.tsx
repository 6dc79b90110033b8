/**
 * The preview of a merchant's settings: what the line will say, in the words of real calls, and the pay page. It follows
 * the form as the user fills it in. Without JavaScript, a button does that.
 */
import type { ComponentChildren } from 'preact';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { type PreviewStep, previewOfLine } from '../../../speech/line-preview.ts';
import { ChangeMerchantRequest } from '../../api/routes/merchant-shapes.ts';
import { PAGE_FIELDS } from '../account/page-branding.tsx';
import { API_CALL_FORM, ApiCall } from '../form/api-call.tsx';
import type { FormFields } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { settingsOf, shownSettingsOf } from './merchant-form.ts';

/** The fields that the pay page shows. */
export const PAGE_PREVIEW_FIELDS = [
  'business_name',
  'currency',
  'language',
  'tip_percentages',
  'partial_minimum_cents',
  ...PAGE_FIELDS,
] as const;

const STEPS: Readonly<Record<PreviewStep, string>> = {
  greeting: 'Greeting, and the card number',
  expiry: 'Expiry date',
  security_code: 'Security code',
  postal_code: 'Postal code',
  part: 'Full or partial payment',
  tip: 'Tip',
  keep_card: 'Saving the card',
  confirmation: 'Confirmation',
  one_moment: 'While the card is charged',
  succeeded: 'Paid',
  declined: 'If the bank declines',
};

/** The merchant with those settings of the form that REST would accept. */
export function withFields(merchant: MerchantResource, fields: FormFields): MerchantResource {
  const accepted = Object.entries(settingsOf(fields)).filter(
    ([name, value]) => ChangeMerchantRequest.safeParse({ [name]: value }).success,
  );
  return { ...merchant, ...Object.fromEntries(accepted) };
}

interface MerchantPreviewProps {
  visit: Visit;
  merchant: MerchantResource;
  fields: FormFields;
}

/** @param children above the words: the greeting's player */
export function MerchantPreview({
  visit,
  merchant,
  fields,
  children,
}: MerchantPreviewProps & { children?: ComponentChildren }) {
  const path = `/setup/merchants/${merchant.merchant_id}`;
  const post = visit.base + path;
  return (
    <aside class="preview" aria-label="Preview">
      <h2>Preview</h2>
      <p class="hint">A payment of 42.50, with the entries of the form. Nothing is saved yet.</p>
      <div class="actions">
        <button type="submit" form={API_CALL_FORM} formaction={`${post}/greeting#heard`} formnovalidate>
          Play greeting
        </button>
        <noscript>
          <button type="submit" form={API_CALL_FORM} formaction={`${post}/preview#said`} formnovalidate>
            Update preview
          </button>
        </noscript>
      </div>
      {children}
      <WhatCallersHear visit={visit} merchant={merchant} fields={fields} />
      <WhatPayersSee visit={visit} merchant={merchant} fields={fields} />
      <ApiCall
        visit={visit}
        action={`${path}/preview/parts`}
        hasButton={false}
        question={{ method: 'PATCH', path: `/v1/merchants/${merchant.merchant_id}`, body: shownSettingsOf(fields) }}
      />
    </aside>
  );
}

/** Has the server render this part again after each change of the form, or of these fields. */
const following = (visit: Visit, { merchant_id }: MerchantResource, id: string, fields?: readonly string[]) =>
  ({
    'hx-post': `${visit.base}/setup/merchants/${merchant_id}/preview/parts`,
    'hx-trigger': (fields ?? ['']).map((name) => `change from:${placeOf(name)} delay:200ms`).join(', '),
    'hx-include': `#${API_CALL_FORM}`,
    'hx-select': `#${id}`,
    'hx-swap': 'outerHTML show:none',
    'hx-sync': 'this:replace',
  }) as const;

const placeOf = (field: string) => (field === '' ? `#${API_CALL_FORM}` : `#field-${field}`);

function WhatCallersHear({ visit, merchant, fields }: MerchantPreviewProps) {
  const settings = withFields(merchant, fields);
  const lines = previewOfLine({
    businessName: settings.business_name,
    currency: settings.currency,
    language: settings.language,
    secondLanguage: settings.second_language,
    acceptedBrands: settings.accepted_brands,
    tipPercentages: settings.tip_percentages,
    partialMinimumCents: settings.partial_minimum_cents,
    asksPostalCode: settings.asks_postal_code,
    asksConfirmation: settings.asks_confirmation,
    cardSaving: settings.card_saving,
  });
  return (
    <section class="said" id="said" aria-label="What callers hear" {...following(visit, merchant, 'said')}>
      <h3>What callers hear</h3>
      <dl>
        {lines.map(({ step, sentences }) => (
          <div key={step}>
            <dt>{STEPS[step]}</dt>
            <dd>
              {sentences.map(({ text, language }, place) => (
                <span key={place} lang={language}>
                  {text}{' '}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function WhatPayersSee({ visit, merchant, fields }: MerchantPreviewProps) {
  const shown = PAGE_PREVIEW_FIELDS.map((name) => [name, fields[name] ?? '']);
  const address = `${visit.base}/setup/merchants/${merchant.merchant_id}/pay-page?${new URLSearchParams(shown)}`;
  return (
    <section
      id="page-preview"
      aria-label="What payers see"
      {...following(visit, merchant, 'page-preview', PAGE_PREVIEW_FIELDS)}
    >
      <h3>What payers see</h3>
      {/* Without scripts and forms. */}
      <iframe src={address} title="Sample pay page" sandbox="" loading="lazy" />
      <p class="hint">
        <a href={address}>Open the sample pay page</a>. Its form is inactive.
      </p>
    </section>
  );
}

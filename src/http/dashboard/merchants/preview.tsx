/**
 * The preview of a merchant's settings: what the line will say, in the words of real calls, and the pay page. It follows
 * the form as the user fills it in. Without JavaScript, a button does that.
 */
import type { ComponentChildren } from 'preact';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { previewOfLine } from '../../../speech/line-preview.ts';
import { ChangeMerchantRequest } from '../../api/routes/merchant-shapes.ts';
import { PAGE_FIELDS, pageEntry } from '../account/page-branding.tsx';
import { API_CALL_FORM, ApiCall } from '../form/api-call.tsx';
import { maySend } from '../form/roles.tsx';
import type { FormFields } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { settingsOf, shownSettingsOf } from './merchant-form.ts';
import { merchantWords } from './words/index.ts';

/** The fields that the pay page shows. */
export const PAGE_PREVIEW_FIELDS = [
  'business_name',
  'currency',
  'language',
  'tip_percentages',
  'partial_minimum_cents',
  ...PAGE_FIELDS,
] as const;

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
  const w = merchantWords().preview;
  return (
    <aside class="preview" id="preview" aria-label={w.title}>
      <h2>{w.title}</h2>
      <p class="hint">{w.lead}</p>
      {maySend(visit, path) && (
        <div class="actions">
          <button type="submit" form={API_CALL_FORM} formaction={`${post}/greeting#heard`} formnovalidate>
            {w.play}
          </button>
          <noscript>
            <button type="submit" form={API_CALL_FORM} formaction={`${post}/preview#said`} formnovalidate>
              {w.update}
            </button>
          </noscript>
        </div>
      )}
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

/** Has the server render this part again after each change of the form, or of these fields. None if they are read-only. */
export function following(visit: Visit, { merchant_id }: MerchantResource, id: string, fields?: readonly string[]) {
  const path = `/setup/merchants/${merchant_id}/preview/parts`;
  if (!maySend(visit, path)) return {};
  return {
    'hx-post': visit.base + path,
    'hx-trigger': (fields ?? ['']).map((name) => `change from:${placeOf(name)} delay:200ms`).join(', '),
    'hx-include': `#${API_CALL_FORM}`,
    'hx-select': `#${id}`,
    'hx-swap': 'outerHTML show:none',
    'hx-sync': 'this:replace',
  } as const;
}

const placeOf = (field: string) => (field === '' ? `#${API_CALL_FORM}` : `#field-${field}`);

function WhatCallersHear({ visit, merchant, fields }: MerchantPreviewProps) {
  const w = merchantWords().preview;
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
    <section class="said" id="said" aria-label={w.heard} {...following(visit, merchant, 'said')}>
      <h3>{w.heard}</h3>
      <dl>
        {lines.map(({ step, sentences }) => (
          <div key={step}>
            <dt>{w.steps[step]}</dt>
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
  const w = merchantWords().preview;
  const shown = PAGE_PREVIEW_FIELDS.map((name) => [name, pageEntry(fields, name)]);
  const address = `${visit.base}/setup/merchants/${merchant.merchant_id}/pay-page?${new URLSearchParams(shown)}`;
  return (
    <section id="page-preview" aria-label={w.seen} {...following(visit, merchant, 'page-preview', PAGE_PREVIEW_FIELDS)}>
      <h3>{w.seen}</h3>
      {/* Without scripts and forms. */}
      <iframe src={address} title={w.page} sandbox="" loading="lazy" />
      <p class="hint">
        <a href={address}>{w.openPage}</a>. {w.inactive}
      </p>
    </section>
  );
}

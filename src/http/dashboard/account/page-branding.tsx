/** The branding of the pay page: the form's fields, and the accent color in each theme. */
import type { z } from 'zod';
import type { AccountResource } from '../../../contract/accounts.ts';
import { accentPalette, THEMES, type Theme } from '../../../domain/accent.ts';
import {
  type HexColor,
  MAX_HTTPS_URL_LENGTH,
  type PageBranding,
  parseHexColor,
  parseHttpsUrl,
} from '../../../domain/branding.ts';
import { SLIPS } from '../../../domain/page-colors.ts';
import { parseE164 } from '../../../domain/phone-number.ts';
import { parseEmail } from '../../../domain/user.ts';
import type { ChangeAccountRequest } from '../../api/routes/account.ts';
import { ColorField, colorIn } from '../form/color.tsx';
import { FormFault, type FormState, TextField } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import type { FormFields } from '../page/page-routes.ts';
import { Block } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { moneyText } from '../words/formats.ts';
import { accountWords } from './words/index.ts';

export const PAGE_FIELDS = [
  'page_accent_color',
  'page_support_phone',
  'page_support_email',
  'page_terms_url',
  'page_privacy_url',
] as const;
type PageField = (typeof PAGE_FIELDS)[number];
type PageChanges = Pick<z.input<typeof ChangeAccountRequest>, PageField>;

/** @param branded the account or a merchant, as REST shows it */
export const pageFormOf = (branded: Pick<AccountResource, PageField>): FormFields =>
  Object.fromEntries(PAGE_FIELDS.map((name) => [name, branded[name] ?? '']));

/** The entry of a field; empty if there is none. */
export const pageEntry = (fields: FormFields, name: string): string =>
  name === 'page_accent_color' ? colorIn(fields, name) : (fields[name]?.trim() ?? '');

/** The changes for REST. An empty field becomes null. */
export const pageChangesOf = (fields: FormFields): PageChanges =>
  Object.fromEntries(PAGE_FIELDS.map((name) => [name, pageEntry(fields, name) || null]));

/** The branding with valid values only. */
export function brandingOf(fields: FormFields): PageBranding {
  const changes = pageChangesOf(fields);
  const { page_accent_color: color, page_support_phone: phone, page_support_email: email } = changes;
  const { page_terms_url: terms, page_privacy_url: privacy } = changes;
  return {
    accentColor: color == null ? null : parseHexColor(color),
    supportPhone: phone == null ? null : parseE164(phone),
    supportEmail: email == null ? null : parseEmail(email),
    termsUrl: terms == null ? null : parseHttpsUrl(terms),
    privacyUrl: privacy == null ? null : parseHttpsUrl(privacy),
  };
}

/** The error of the first invalid field, or null. */
export function pageFaultOf(fields: FormFields): FormState['error'] {
  const { accentColor, supportPhone, supportEmail, termsUrl, privacyUrl } = brandingOf(fields);
  const read = {
    page_accent_color: accentColor,
    page_support_phone: supportPhone,
    page_support_email: supportEmail,
    page_terms_url: termsUrl,
    page_privacy_url: privacyUrl,
  };
  const given = pageChangesOf(fields);
  const wrong = PAGE_FIELDS.find((name) => given[name] !== null && read[name] === null);
  return wrong === undefined ? null : { param: wrong, message: accountWords().page.wrong[wrong], isOwn: true };
}

/** The pay page's block on the account page. */
export function PayPageBlock({ visit, form }: { visit: Visit; form: FormState }) {
  const w = accountWords().page;
  const { accentColor } = brandingOf(form.values);
  const query = new URLSearchParams(PAGE_FIELDS.map((name) => [name, pageEntry(form.values, name)]));
  return (
    <Block title={w.title} id="pay-page">
      <p>{w.about(visit.mode)}</p>
      <FormFault form={form} />
      <Form
        visit={visit}
        action="/setup/account/page"
        submit={w.save}
        instead={
          <button type="submit" formaction={`${visit.base}/setup/account/page/preview#pay-page`} formnovalidate>
            {w.preview}
          </button>
        }
      >
        <BrandingFields form={form} />
        {accentColor !== null && <Swatches color={accentColor} />}
        <p class="hint">
          <a href={`${visit.base}/setup/account/pay-page?${query}`}>{w.previewAll}</a>. {w.inactive}
        </p>
      </Form>
    </Block>
  );
}

/** @param isMerchants empty fields are the account's */
export function BrandingFields({ form, isMerchants = false }: { form: FormState; isMerchants?: boolean }) {
  const w = accountWords().page;
  return (
    <>
      <ColorField
        form={form}
        name="page_accent_color"
        label={w.color}
        pick={w.pickColor}
        hint={isMerchants ? w.colorHintOfMerchant : w.colorHint}
      />
      <TextField
        form={form}
        name="page_support_phone"
        label={w.phone}
        hint={isMerchants ? w.phoneHintOfMerchant : w.phoneHint}
        maxlength={20}
      />
      <TextField form={form} name="page_support_email" label={w.email} maxlength={254} />
      <TextField form={form} name="page_terms_url" label={w.terms} hint={w.urlHint} maxlength={MAX_HTTPS_URL_LENGTH} />
      <TextField
        form={form}
        name="page_privacy_url"
        label={w.privacy}
        hint={w.urlHint}
        maxlength={MAX_HTTPS_URL_LENGTH}
      />
    </>
  );
}

/** A sample button in each theme. SVG, because the policy forbids inline styles. */
function Swatches({ color }: { color: HexColor }) {
  return (
    <ul class="swatches">
      {THEMES.map((theme) => (
        <Swatch key={theme} color={color} theme={theme} />
      ))}
    </ul>
  );
}

function Swatch({ color, theme }: { color: HexColor; theme: Theme }) {
  const { accent, onAccent } = accentPalette(color, theme);
  const w = accountWords().page;
  return (
    <li>
      <svg viewBox="0 0 200 64" width="200" height="64" aria-hidden="true" font-size="14" font-weight="600">
        <rect width="200" height="64" rx="8" fill={SLIPS[theme]} stroke="#868e9a" />
        <rect x="12" y="14" width="104" height="36" rx="8" fill={accent} />
        <text x="64" y="37" text-anchor="middle" fill={onAccent}>
          {w.pay(moneyText(4_250, 'USD'))}
        </text>
        <text x="158" y="37" text-anchor="middle" fill={accent}>
          {w.link}
        </text>
      </svg>
      <span class="small">
        {w.themes[theme]}: <code>{accent}</code>
        {accent !== color && `, ${w.adjusted[theme]}`}
      </span>
    </li>
  );
}

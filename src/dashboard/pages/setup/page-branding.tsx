/** How an account's pay page looks: the fields of the form, and what an accent colour becomes in each theme. */
import type { ChangeAccountRequest } from '../../../api/routes/account.ts';
import type { z } from 'zod';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { PageBranding } from '../../../domain/account.ts';
import { type HexColor, parseHexColor } from '../../../domain/colors.ts';
import { parseE164 } from '../../../domain/phone-number.ts';
import { parseEmail } from '../../../domain/user.ts';
import { accentPalette, THEMES, type Theme } from '../../../page/views/accent.ts';
import { SLIPS } from '../../../page/views/style.ts';
import type { FormFields } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { Block } from '../../views/parts.tsx';
import type { Visit } from '../../visit.ts';
import { FormFault, type FormState, TextField } from './fields.tsx';

export const PAGE_FIELDS = ['page_accent_color', 'page_support_phone', 'page_support_email'] as const;
type PageField = (typeof PAGE_FIELDS)[number];
export type PageChanges = Pick<z.input<typeof ChangeAccountRequest>, PageField>;

export const pageFormOf = (account: AccountResource): FormFields =>
  Object.fromEntries(PAGE_FIELDS.map((name) => [name, account[name] ?? '']));

/** What REST is asked to change: an empty field is none. */
export const pageChangesOf = (fields: FormFields): PageChanges =>
  Object.fromEntries(PAGE_FIELDS.map((name) => [name, fields[name]?.trim() || null]));

/** As REST would take it; what it would not take is left out. */
export function brandingOf(fields: FormFields): PageBranding {
  const { page_accent_color: color, page_support_phone: phone, page_support_email: email } = pageChangesOf(fields);
  return {
    accentColor: color == null ? null : parseHexColor(color),
    supportPhone: phone == null ? null : parseE164(phone),
    supportEmail: email == null ? null : parseEmail(email),
  };
}

const WRONG: Record<PageField, string> = {
  page_accent_color: 'A colour is # and six hexadecimal digits, such as #24569b.',
  page_support_phone: 'A phone number begins with + and the country code, such as +15550100200.',
  page_support_email: 'This is no e-mail address.',
};

/** The first field that REST would not take; null where there is none. */
export function pageFaultOf(fields: FormFields): FormState['error'] {
  const { accentColor, supportPhone, supportEmail } = brandingOf(fields);
  const read = { page_accent_color: accentColor, page_support_phone: supportPhone, page_support_email: supportEmail };
  const given = pageChangesOf(fields);
  const wrong = PAGE_FIELDS.find((name) => given[name] !== null && read[name] === null);
  return wrong === undefined ? null : { param: wrong, message: WRONG[wrong] };
}

/** The block of the account's page. */
export function PayPageBlock({ visit, form }: { visit: Visit; form: FormState }) {
  const { accentColor } = brandingOf(form.values);
  const query = new URLSearchParams(PAGE_FIELDS.map((name) => [name, form.values[name] ?? '']));
  return (
    <Block title="The pay page" id="pay-page">
      <p>
        What payers see of you in {visit.mode} mode, besides the merchant’s name: a colour, and where they can ask.
        Whoever has a pay link reads it.
      </p>
      <FormFault form={form} />
      <Form
        visit={visit}
        action="/setup/account/page"
        submit="Save the pay page"
        instead={
          <button type="submit" formaction={`${visit.base}/setup/account/page/preview#pay-page`} formnovalidate>
            Preview
          </button>
        }
      >
        <BrandingFields form={form} />
        {accentColor !== null && <Swatches color={accentColor} />}
        <p class="hint">
          <a href={`${visit.base}/setup/account/pay-page?${query}`}>See the whole page like this</a>. Nothing on it can
          be sent.
        </p>
      </Form>
    </Block>
  );
}

function BrandingFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        form={form}
        name="page_accent_color"
        label="Accent colour"
        hint="# and six hexadecimal digits. Shown as dark or as light as text needs to be read on it. Empty: green."
        maxlength={7}
      />
      <TextField
        form={form}
        name="page_support_phone"
        label="Phone number for questions"
        hint="As in +15550100200."
        maxlength={20}
      />
      <TextField form={form} name="page_support_email" label="E-mail address for questions" maxlength={254} />
    </>
  );
}

/** A button in each theme. In SVG, whose attributes are no inline styles. */
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
  const change = { light: 'darker', dark: 'lighter' }[theme];
  return (
    <li>
      <svg viewBox="0 0 200 64" width="200" height="64" aria-hidden="true" font-size="14" font-weight="600">
        <rect width="200" height="64" rx="8" fill={SLIPS[theme]} stroke="#868e9a" />
        <rect x="12" y="14" width="104" height="36" rx="8" fill={accent} />
        <text x="64" y="37" text-anchor="middle" fill={onAccent}>
          Pay $42.50
        </text>
        <text x="158" y="37" text-anchor="middle" fill={accent}>
          A link
        </text>
      </svg>
      <span class="small">
        {theme === 'light' ? 'Light' : 'Dark'}: <code>{accent}</code>
        {accent !== color && `, ${change}, to be read`}
      </span>
    </li>
  );
}

/** Accounts as REST and the command line show them. */
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import type { Mode } from '../domain/session.ts';
import { FIELDS, field } from './fields.ts';

const HOSTS_MEANING =
  'Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses.';
const PREFIXES_MEANING =
  'Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called.';

export const ATTESTATION_URL_MEANING =
  'Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called.';

export const TEXT_COUNTRIES_MEANING =
  'Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted.';

export const RETURN_TARGETS = { hosts: HOSTS_MEANING, prefixes: PREFIXES_MEANING } as const;

/** How the pay page looks, in the mode of the key. */
export const PAGE_BRANDING = {
  accentColor:
    'The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green.',
  supportPhone:
    'Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown.',
  supportEmail:
    'Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown.',
  termsUrl:
    'Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown.',
  privacyUrl:
    'Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown.',
} as const;

export const AccountResource = z
  .object({
    account_id: FIELDS.account_id,
    name: field(z.string(), 'The name of the account, for display.', 'Ringkey demo'),
    currency: field(z.string(), 'ISO 4217. The currency of checkouts without a known merchant.', 'USD'),
    return_hosts: field(z.array(z.string()).nullable(), HOSTS_MEANING, ['*.example.com']),
    return_number_prefixes: field(z.array(z.string()), PREFIXES_MEANING, ['+44']),
    text_countries: field(z.array(z.string()), TEXT_COUNTRIES_MEANING, ['MX']),
    attestation_url: field(z.string().nullable(), ATTESTATION_URL_MEANING, 'https://voice.example.com/attestation'),
    page_accent_color: field(z.string().nullable(), PAGE_BRANDING.accentColor, '#24569b'),
    page_support_phone: field(z.string().nullable(), PAGE_BRANDING.supportPhone, '+15550100200'),
    page_support_email: field(z.string().nullable(), PAGE_BRANDING.supportEmail, 'billing@example.com'),
    page_terms_url: field(z.string().nullable(), PAGE_BRANDING.termsUrl, 'https://example.com/terms'),
    page_privacy_url: field(z.string().nullable(), PAGE_BRANDING.privacyUrl, 'https://example.com/privacy'),
  })
  .meta({ id: 'Account', description: 'The owner of keys, merchants and sessions, in both modes.' });
export type AccountResource = z.infer<typeof AccountResource>;

/** Omits the secret that signs the SIP headers. @param mode of the settings */
export function accountResource(
  { id, name, currency, returns, textCountries, attestationUrls, branding }: Account,
  mode: Mode,
): AccountResource {
  return {
    account_id: id,
    name,
    currency,
    return_hosts: returns.hosts === null ? null : [...returns.hosts],
    return_number_prefixes: [...returns.numberPrefixes],
    text_countries: [...textCountries],
    attestation_url: attestationUrls[mode],
    page_accent_color: branding[mode].accentColor,
    page_support_phone: branding[mode].supportPhone,
    page_support_email: branding[mode].supportEmail,
    page_terms_url: branding[mode].termsUrl,
    page_privacy_url: branding[mode].privacyUrl,
  };
}

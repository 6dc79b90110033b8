/** Accounts as REST and the command line show them. */
import { z } from 'zod';
import type { Account } from '../domain/account.ts';
import type { Mode } from '../domain/session.ts';
import { FIELDS, field } from './fields.ts';

const HOSTS_MEANING =
  'Hosts that a `return_to` with a SIP URI may lead to, in both modes: a name, `*.example.com` for every name below it, an address, or `*` for every public host. Null, as it is until it is set: every public host in test mode, none in live mode. Loopback and private addresses are allowed by whoever runs the service, not here.';
const PREFIXES_MEANING =
  'Beginnings of the numbers that a `return_to` may have called in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called.';

export const ATTESTATION_URL_MEANING =
  'HTTPS URL of yours that is asked, in the mode of the key, how far the carriers vouch for a call: once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is asked](/docs/screening#attestation-url). Null: nobody is asked.';

/** Also what {@link AccountResource} shows of them. */
export const RETURN_TARGETS = { hosts: HOSTS_MEANING, prefixes: PREFIXES_MEANING } as const;

/** How the pay page looks, in the mode of the key. */
export const PAGE_BRANDING = {
  accentColor:
    'The colour of the buttons, links and signs of the pay page, `#` and six hexadecimal digits, in the mode of the key. The page shows it as dark in its light theme, and as light in its dark one, as text needs to be read on it (WCAG 2.2, 4.5 to 1). Null: green, as it is until it is set.',
  supportPhone:
    'Phone number that the pay page names for questions, E.164, in the mode of the key. Public: whoever has a pay link reads it. Null: none.',
  supportEmail:
    'E-mail address that the pay page names for questions, in the mode of the key. Public: whoever has a pay link reads it. Null: none.',
} as const;

export const AccountResource = z
  .object({
    account_id: FIELDS.account_id,
    name: field(z.string(), 'Whose account it is, for people.', 'Ringkey demo'),
    currency: field(z.string(), 'ISO 4217: of checkouts whose merchant is not known.', 'USD'),
    return_hosts: field(z.array(z.string()).nullable(), HOSTS_MEANING, ['*.example.com']),
    return_number_prefixes: field(z.array(z.string()), PREFIXES_MEANING, ['+44']),
    attestation_url: field(z.string().nullable(), ATTESTATION_URL_MEANING, 'https://voice.example.com/attestation'),
    page_accent_color: field(z.string().nullable(), PAGE_BRANDING.accentColor, '#24569b'),
    page_support_phone: field(z.string().nullable(), PAGE_BRANDING.supportPhone, '+15550100200'),
    page_support_email: field(z.string().nullable(), PAGE_BRANDING.supportEmail, 'billing@example.com'),
  })
  .meta({ id: 'Account', description: 'The owner of keys, merchants and sessions, in both modes.' });
export type AccountResource = z.infer<typeof AccountResource>;

/** Leaves out the secret that signs the SIP headers. @param mode whose settings it shows */
export function accountResource(
  { id, name, currency, returns, attestationUrls, branding }: Account,
  mode: Mode,
): AccountResource {
  return {
    account_id: id,
    name,
    currency,
    return_hosts: returns.hosts === null ? null : [...returns.hosts],
    return_number_prefixes: [...returns.numberPrefixes],
    attestation_url: attestationUrls[mode],
    page_accent_color: branding[mode].accentColor,
    page_support_phone: branding[mode].supportPhone,
    page_support_email: branding[mode].supportEmail,
  };
}

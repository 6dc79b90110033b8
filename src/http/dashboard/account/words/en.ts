/** English words of the account's page, and of the pay page's branding. */
import type { Mode } from '../../../../domain/session.ts';

export const en = {
  title: 'Account',
  saved: 'Saved',
  save: 'Save',
  facts: { account: 'Account', currency: 'Default currency' },
  calls: 'Calls and texts',
  callsAbout:
    'A call only ever returns to the address in the checkout, and only if the lists below allow it. Texts are sent to your merchants’ countries and to the countries that you list.',
  secret: 'Signing secret for SIP headers',
  secretAbout:
    'Signs the outcome in the headers of calls that return to your agent. A new secret replaces the old one immediately, in both modes. Calls in progress may return with either signature.',
  roll: 'Roll secret',
  rolled: {
    title: 'New signing secret',
    copyNow: 'Copy the secret now',
    copy: 'Copy the secret',
    what: 'The HMAC key for the X-Ringkey-Signature header.',
  },
  fields: {
    anyHost: 'No host list',
    anyHostHint: 'Allows every public host in test mode and none in live mode. Clear it to use the list below.',
    hosts: 'Allowed SIP hosts (both modes)',
    hostsHint: 'One per line: a host name, *.example.com, an IP address, or * for every public host.',
    prefixes: 'Allowed prefixes (live mode)',
    prefixesHint: 'One per line: + and digits, such as +44. Emergency and premium numbers are never called.',
    countries: 'Additional countries for texts (both modes)',
    countriesHint:
      'One per line: a two-letter code, such as MX. Your merchants’ countries are always allowed. Premium and satellite numbers are never texted.',
    attestation: 'Attestation URL',
    attestationHint:
      'An https URL, for this mode only. Ringkey asks it for the STIR/SHAKEN attestation of a call. Leave empty to skip attestation.',
  },
  page: {
    title: 'Pay page',
    about: (mode: Mode) =>
      `The color, the contact details and the links that payers see in ${mode} mode, next to the merchant’s name. Anyone with a pay link can see them.`,
    save: 'Save pay page',
    preview: 'Preview',
    previewAll: 'Preview the whole page',
    inactive: 'Its form is inactive.',
    color: 'Accent color',
    pickColor: 'Choose a color',
    colorHint: '# and six hexadecimal digits. Adjusted in each theme to keep text readable. Leave empty for green.',
    colorHintOfMerchant:
      '# and six hexadecimal digits. Adjusted in each theme to keep text readable. Leave empty to use the account’s.',
    phone: 'Support phone number',
    phoneHint: 'Such as +15550100200.',
    phoneHintOfMerchant: 'Such as +15550100200. Leave empty to use the account’s.',
    email: 'Support email address',
    terms: 'Terms URL',
    privacy: 'Privacy policy URL',
    urlHint: 'An https:// URL. The page links to it.',
    wrong: {
      page_accent_color: 'Enter a color as # and six hexadecimal digits, such as #24569b.',
      page_support_phone: 'Enter a phone number with + and the country code, such as +15550100200.',
      page_support_email: 'Enter a valid email address.',
      page_terms_url: 'Enter an https:// URL, such as https://example.com/terms.',
      page_privacy_url: 'Enter an https:// URL, such as https://example.com/privacy.',
    },
    pay: (amount: string) => `Pay ${amount}`,
    link: 'A link',
    themes: { light: 'Light', dark: 'Dark' },
    adjusted: { light: 'darker for readability', dark: 'lighter for readability' },
  },
};

export type AccountWords = typeof en;

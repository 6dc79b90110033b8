/** Where a payer can ask, and what a payer can read: the account's contacts and links, below the slip. */

import type { PageBranding } from '../../../domain/account.ts';
import { readableNumber } from '../../../domain/phone-number.ts';
import { type Html, html } from '../html.ts';
import type { Place } from './view.ts';

export function supportOf({ words }: Place, { supportPhone, supportEmail }: PageBranding): Html | null {
  const phone = supportPhone === null ? [] : [html`<a href="tel:${supportPhone}">${readableNumber(supportPhone)}</a>`];
  const email =
    supportEmail === null ? [] : [html`<a href="mailto:${addressOfMail(supportEmail)}">${supportEmail}</a>`];
  const ways = [...phone, ...email];
  return ways.length === 0 ? null : html`<p class="support"><span>${words.support}</span> ${ways}</p>`;
}

/** RFC 6068: a `?` of the address would begin other headers. */
const addressOfMail = (email: string) => encodeURIComponent(email).replace('%40', '@');

/** In a new tab, so that what was typed into the form stays. */
export function policiesOf({ words }: Place, { termsUrl, privacyUrl }: PageBranding): Html | null {
  const link = (url: string, text: string) =>
    html`<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`;
  const links = [
    ...(termsUrl === null ? [] : [link(termsUrl, words.terms)]),
    ...(privacyUrl === null ? [] : [link(privacyUrl, words.privacy)]),
  ];
  return links.length === 0 ? null : html`<p class="support">${links}</p>`;
}

/** Whom a payer can ask: the account's phone number and e-mail address, below the slip. */
import { type Html, html } from '../html.ts';
import type { PageBranding } from '../../domain/account.ts';
import { readableNumber } from '../../domain/phone-number.ts';
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

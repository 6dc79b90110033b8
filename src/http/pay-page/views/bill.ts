/** The upper part of the page: who is paid, how much, for what and until when. */

import { logoPath } from '../../../domain/logo.ts';
import { amountText, timeText } from '../../../domain/written.ts';
import type { SavingWords } from '../../../languages/saving.ts';
import { type Html, html } from '../../../lib/html.ts';
import { ICONS } from './icons.ts';
import type { PageView } from './view.ts';

export function businessOf({ reading: { merchant } }: Pick<PageView, 'reading'>): string {
  return merchant?.businessName ?? '';
}

/** The page's title: the payment, or the hold of a session with manual capture, and the merchant's name. */
export function titleOf(view: PageView): string {
  const { words, reading } = view;
  return (reading.session.capture === 'manual' ? words.hold : words.pay)(businessOf(view));
}

export function billOf(view: PageView): Html {
  const { reading, locale, saving } = view;
  const { session } = reading;
  const business = businessOf(view);
  return html`<div class="bill">
<div class="payee">${markOf(reading, business)}<h1>${titleOf(view)}</h1></div>
${saving === null ? html`<p class="amount">${amountText(session.amount, locale)}</p>` : purposeOf(view, saving)}
${aboutOf(view)}
${itemsOf(view)}
</div>`;
}

/** Instead of an amount: what the saved card will be used for. */
function purposeOf(view: PageView, { notCharged, terms }: SavingWords): Html {
  const { amount, saving } = view.reading.session;
  if (saving === null) return html`<p class="quiet">${notCharged}</p>`;
  const { saveTerms, maxAmountCents } = saving;
  const max = maxAmountCents === null ? null : amountText({ ...amount, amountCents: maxAmountCents }, view.locale);
  return html`<p class="use">${notCharged} ${terms[saveTerms](businessOf(view), max)}</p>`;
}

/** The logo, otherwise the first letter. The heading beside it has the name, so it has no text. */
function markOf({ logo }: PageView['reading'], business: string): Html {
  if (logo === null) return html`<span class="mark" aria-hidden="true">${initialOf(business)}</span>`;
  const { width, height } = logo;
  return html`<img class="logo" src="${logoPath(logo)}" alt="" width="${width}" height="${height}">`;
}

/** The first letter or digit, in any alphabet. */
const initialOf = (name: string) => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';

function aboutOf({ words, reading: { session, textsTo } }: PageView): Html {
  return html`<p class="quiet">${session.orderId === null ? null : html`${words.order} ${session.orderId}`}</p>
${textsTo === null ? null : html`<p class="quiet">${words.forNumber(textsTo.slice(-2))}</p>`}`;
}

function itemsOf({ words, locale, reading: { session } }: PageView): Html | null {
  const { lineItems, amount } = session;
  if (lineItems.length === 0) return null;
  const price = (amountCents: number) => amountText({ ...amount, amountCents }, locale);
  const rows = lineItems.map(
    ({ name, quantity, amountCents }) =>
      html`<li><span>${name}</span>${
        quantity === 1 ? null : html` <span class="times">× ${quantity}</span>`
      }<span class="dots"></span><span class="price">${price(quantity * amountCents)}</span></li>`,
  );
  return html`<ul class="items" aria-label="${words.items}">${rows}</ul>`;
}

/** With more items, the amount at the top scrolls out of a phone's window. */
const LONG_BILL = 4;

/** The amount above the button: a part, or with a tip, or repeated below a long bill. */
export function totalOf(view: PageView): Html | null {
  const { words, locale, chosen, reading } = view;
  const { total, tip, partCents } = chosen;
  if (reading.session.lineItems.length < LONG_BILL && tip === null && partCents === null) return null;
  return html`<p class="total"><span>${words.total}</span><strong>${amountText(total, locale)}</strong></p>${remainderOf(view)}`;
}

/** What a part leaves to pay. */
function remainderOf({ words, locale, chosen: { partCents }, reading: { session } }: PageView): Html | null {
  if (partCents === null) return null;
  const remaining = amountText({ ...session.amount, amountCents: session.amount.amountCents - partCents }, locale);
  return html`<p class="total quiet"><span>${words.receipt.remaining}</span><span>${remaining}</span></p>`;
}

/** A short bill, below the message of a state. */
export function shortBillOf(view: PageView): Html {
  const { words, reading, locale, saving } = view;
  const { session, charge } = reading;
  if (saving !== null) return html`<div class="pay"><p class="quiet">${saving.notCharged}</p></div>`;
  const amount = charge?.status === 'pending' ? { ...session.amount, amountCents: charge.amountCents } : session.amount;
  const order = session.orderId === null ? null : html`<div><dt>${words.order}</dt><dd>${session.orderId}</dd></div>`;
  return html`<div class="pay"><dl class="facts">
<div class="sum"><dt>${businessOf(view)}</dt><dd>${amountText(amount, locale)}</dd></div>
${order}
</dl></div>`;
}

/** The end of the session. */
export function untilOf({ words, locale, now, reading: { session, merchant } }: PageView): Html {
  const { expiresAt } = session;
  const when = timeText(expiresAt, now, locale, merchant?.timeZone ?? 'UTC');
  return html`<p class="hint safe">${ICONS.smallClock}<span>${words.until(when)}</span></p>`;
}

/** The receipt of a payment, and the link back to the integrator's site. */

import type { ChargeAtPage } from '../../../db/pay-links/pay-page.ts';
import { brandText } from '../../../domain/card.ts';
import { amountText, dateText } from '../../../domain/written.ts';
import type { PageWords } from '../../../languages/page.ts';
import { Html, html } from '../../../lib/html.ts';
import type { ReturnLink } from '../return-link.ts';
import { businessOf } from './bill.ts';
import type { PageView } from './view.ts';

export function receiptOf(view: PageView, charge: ChargeAtPage): Html {
  const { words, locale, reading, saving } = view;
  const { session, merchant } = reading;
  const { receipt } = words;
  const amount = (amountCents: number) => amountText({ ...session.amount, amountCents }, locale);
  const { settledAtMs } = charge;
  const refundedCents = charge.refundedCents - charge.refundPendingCents;
  const isPaid = charge.status !== 'authorized' && saving === null;
  const rows: (readonly [string, string] | null)[] = [
    charge.tipCents === 0 ? null : [receipt.tip, amount(charge.tipCents)],
    charge.remainingCents === 0 ? null : [receipt.remaining, amount(charge.remainingCents)],
    [isPaid ? receipt.to : receipt.business, businessOf(view)],
    session.orderId === null ? null : [words.order, session.orderId],
    paidWith(receipt, charge),
    settledAtMs === null ? null : [receipt.when, dateText(new Date(settledAtMs), locale, merchant?.timeZone ?? 'UTC')],
    refundedCents === 0 ? null : [receipt.refunded, amount(refundedCents)],
    charge.refundPendingCents === 0 ? null : [receipt.refundPending, amount(charge.refundPendingCents)],
  ];
  return html`<div class="pay"><h2 class="unseen">${receipt.caption}</h2><dl class="facts">
${saving === null ? html`<div class="sum"><dt>${receipt.amount}</dt><dd>${amount(charge.capturedCents ?? charge.amountCents)}</dd></div>` : null}
${rows.flatMap((row) => (row === null || row[1] === '' ? [] : [html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`]))}
<div class="long"><dt>${receipt.reference}</dt><dd class="small">${charge.id}</dd></div>
</dl></div>`;
}

function paidWith(words: PageWords['receipt'], { paymentMethod, brand, lastFour }: ChargeAtPage) {
  if (paymentMethod === 'us_bank_account') return [words.account, words.accountEnding(lastFour)] as const;
  return lastFour === null ? null : ([words.card, words.cardEnding(brandText(brand), lastFour)] as const);
}

/** A button that shows the host. With JavaScript, the page follows it after a while unless the payer stays. */
export function wayOnOf({ words, nonce }: PageView, { url, host }: ReturnLink): Html {
  return html`<div class="ways">
<a class="button" id="return" href="${url}" rel="noreferrer">${words.continueTo(host)}</a>
<div id="follows" hidden><p class="hint">${words.followsSoon}</p><button type="button" class="plain" id="stay">${words.stay}</button></div>
</div>
<script nonce="${nonce}">${FOLLOW}</script>`;
}

const FOLLOW_AFTER_MS = 5_000;

/** WCAG 2.2, 2.2.1: the payer can stop the redirect. */
const FOLLOW = new Html(
  [
    "const follows=document.getElementById('follows');follows.hidden=false;",
    `const timer=setTimeout(()=>location.assign(document.getElementById('return').href),${FOLLOW_AFTER_MS});`,
    "document.getElementById('stay').onclick=()=>{clearTimeout(timer);follows.hidden=true;document.getElementById('return').focus()};",
  ].join(''),
);

/** The choice between all and a part of the amount, above the form. Works without JavaScript. */

import { majorUnits } from '../../../domain/money.ts';
import { amountText } from '../../../domain/written.ts';
import { type Html, html } from '../../../lib/html.ts';
import { choiceOf } from '../chosen-amount.ts';
import { addressOf, type PageView } from './view.ts';

/** The page scrolls here after the choice. */
const PART_ID = 'part';

const CURRENCY_AND_SEPARATOR = 2;

export function partPart(view: PageView): Html | null {
  const { chosen, words, locale, reading } = view;
  const { minimumCents, partCents } = chosen;
  if (minimumCents === null) return null;
  const whole = { ...chosen, partCents: null };
  const current = partCents === null && !view.isWrongPart ? html` aria-current="true"` : null;
  const all = words.part.all(amountText(reading.session.amount, locale));
  return html`<section class="pay" id="${PART_ID}" aria-labelledby="part-heading"><h2 id="part-heading">${words.part.heading}</h2>
<ul class="choices"><li><a href="${addressOf(view, choiceOf(whole))}#${PART_ID}"${current}>${all}</a></li></ul>
${partForm(view, minimumCents)}
</section>
<div class="tear"></div>`;
}

/** A GET form: it shows the page with this amount. */
function partForm(
  { path, language, words, locale, chosen, isWrongPart, reading }: PageView,
  minimumCents: number,
): Html {
  const { amount } = reading.session;
  const minimum = amountText({ ...amount, amountCents: minimumCents }, locale);
  const described = isWrongPart ? 'part-hint part-amount-fault' : 'part-hint';
  // In the address, a card number typed here would stay in the browser's history: there is only room for an amount.
  const room = majorUnits(amount).length + CURRENCY_AND_SEPARATOR;
  const value = chosen.partCents === null ? '' : majorUnits({ ...amount, amountCents: chosen.partCents });
  const fault = words.part.fault(minimum, amountText(amount, locale));
  return html`<form method="get" action="${path}#${PART_ID}" novalidate>
<input type="hidden" name="lang" value="${language}">
<div class="field"><label for="part-amount">${words.part.label} <span class="hint" id="part-hint">${words.part.atLeast(minimum)}</span></label>
<input id="part-amount" name="part" type="text" inputmode="decimal" autocomplete="off" maxlength="${room}" value="${value}" aria-describedby="${described}"${
    isWrongPart ? html` aria-invalid="true" autofocus` : null
  }>
${isWrongPart ? html`<p class="fault" id="part-amount-fault" role="alert">${fault}</p>` : null}
</div>
<button type="submit" class="second">${words.part.use}</button>
</form>`;
}

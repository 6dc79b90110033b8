/** The choice of a tip, above the form. Each is a link to the page with its total, so it works without JavaScript. */

import { amountText, percentText } from '../../../domain/written.ts';
import { type Html, html } from '../../../lib/html.ts';
import { choiceOf } from '../chosen-amount.ts';
import { addressOf, type PageView } from './view.ts';

/** The page scrolls here after the choice. */
const TIPS_ID = 'tips';

export function tipsPart(view: PageView): Html | null {
  const { chosen, words, locale } = view;
  if (chosen.tips.length === 0) return null;
  const amount = (amountCents: number) => amountText({ ...chosen.total, amountCents }, locale);
  const choices = [null, ...chosen.tips].map((tip) => {
    const text = tip === null ? words.tip.none : words.tip.of(percentText(tip.percent, locale), amount(tip.tipCents));
    const current = tip?.percent === chosen.tip?.percent ? html` aria-current="true"` : null;
    return html`<li><a href="${addressOf(view, choiceOf({ ...chosen, tip }))}#${TIPS_ID}"${current}>${text}</a></li>`;
  });
  return html`<nav class="pay" id="${TIPS_ID}" aria-labelledby="tips-heading"><h2 id="tips-heading">${words.tip.heading}</h2><ul class="choices">${choices}</ul></nav>
<div class="tear"></div>`;
}

/** The choice in a form. */
export function chosenFields({ chosen }: Pick<PageView, 'chosen'>): Html[] {
  return Object.entries(choiceOf(chosen)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** The saved cards below the form: the offer of a code, the field for it, and the cards. Works without JavaScript. */

import { brandText } from '../../../domain/card.ts';
import type { SavedCard } from '../../../domain/instrument.ts';
import { amountText } from '../../../domain/written.ts';
import { type Html, html } from '../../../lib/html.ts';
import type { SavedPart } from '../saved-cards.ts';
import { chosenFields } from './tips.ts';
import { type PageView, pathOf, STATUS, scriptMessages } from './view.ts';

/** The page scrolls here after each step. */
export const SAVED_ID = 'saved';

export function savedPart(view: PageView): Html | null {
  const { saved, words } = view;
  if (saved === null) return null;
  // Most payers have no saved cards, so the heading is a question at first.
  const isOffer = saved.kind === 'ask' && saved.fault === null;
  const step = isOffer
    ? html`<details><summary id="saved-heading">${words.saved.question}</summary><div class="fields">${stepOf(view, saved)}</div></details>`
    : html`<h2 id="saved-heading">${words.saved.heading}</h2>${stepOf(view, saved)}`;
  return html`<div class="tear"></div>
<section class="pay" id="${SAVED_ID}" aria-labelledby="saved-heading">
${step}
</section>`;
}

function stepOf(view: PageView, saved: SavedPart): Html {
  switch (saved.kind) {
    case 'ask':
      return askStep(view, saved);
    case 'code':
      return codeStep(view, saved);
    case 'cards':
      return cardsStep(view, saved.cards);
  }
}

type CodePart = Extract<SavedPart, { lastTwo: string }>;

function askStep(view: PageView, { lastTwo, fault }: CodePart): Html {
  const { saved } = view.words;
  const faultText = fault === null ? null : html`<p class="fault" role="alert">${saved.faults[fault]}</p>`;
  return html`<p class="hint">${saved.offer(lastTwo)}</p>
${faultText}
${requestForm(view, saved.ask)}`;
}

function requestForm(view: PageView, text: string): Html {
  return html`<form method="post" action="${pathOf(view, 'text-code')}">${chosenFields(view)}<button type="submit" class="second">${text}</button></form>`;
}

/** The error belongs to the field. */
function codeStep(view: PageView, { lastTwo, fault }: CodePart): Html {
  const { saved } = view.words;
  const described = fault === null ? 'code-hint' : 'code-hint code-fault';
  const invalid = fault === null ? null : html` aria-invalid="true" autofocus`;
  return html`<form method="post" action="${pathOf(view, 'check-code')}" novalidate>${chosenFields(view)}
<div class="field">
<label for="code">${saved.code}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required aria-describedby="${described}"${invalid}>
${fault === null ? null : html`<p class="fault" id="code-fault" role="alert">${saved.faults[fault]}</p>`}
<p class="hint" id="code-hint">${saved.sent(lastTwo)}</p>
</div>
<button type="submit">${saved.show}</button>
</form>
${requestForm(view, saved.again)}`;
}

function cardsStep(view: PageView, cards: readonly SavedCard[]): Html {
  const { words, attempt } = view;
  if (cards.length === 0) return html`<p>${words.saved.none}</p>`;
  return html`<form method="post" action="${pathOf(view, 'saved-card')}"${scriptMessages(view)}>
<div class="errors" role="alert" tabindex="-1"></div>
<input type="hidden" name="attempt" value="${attempt}">${chosenFields(view)}
${cards.map((card) => html`<button type="submit" class="second" name="card" value="${card.id}">${cardText(view, card)}</button>`)}
${STATUS}
</form>`;
}

function cardText({ words, locale, chosen, reading: { session } }: PageView, card: SavedCard): string {
  const { brand, lastFour, expiryMonth, expiryYear } = card;
  const name = words.receipt.cardEnding(brandText(brand), lastFour);
  const expiry = `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear).slice(-2)}`;
  const text = session.capture === 'manual' ? words.saved.holdWith : words.saved.payWith;
  return text(amountText(chosen.total, locale), name, expiry);
}

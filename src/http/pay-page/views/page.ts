/** The whole page, as a function of its state. */

import type { Note } from '../../../languages/page.ts';
import { type Html, html } from '../../../lib/html.ts';
import { ANSWERED_CHARGE } from '../../../payments/port/return-url.ts';
import { choiceOf } from '../chosen-amount.ts';
import { canBePaid } from '../state.ts';
import { billOf, businessOf, shortBillOf, titleOf } from './bill.ts';
import { dataOf, formOf, problemOf } from './card-form.ts';
import { ICONS } from './icons.ts';
import { framed } from './layout.ts';
import { checkAgain, type Message, messageOf, messagePart } from './message.ts';
import { onCallOf } from './on-call.ts';
import { partPart } from './part.ts';
import { receiptOf, wayOnOf } from './receipt.ts';
import { savedPart } from './saved-cards.ts';
import { tipsPart } from './tips.ts';
import { type PageView, type Place, pathOf, STATUS, scriptMessages, versionOf } from './view.ts';

const TEAR = html`<div class="tear"></div>`;
/** The reload interval without JavaScript, while the state can change. */
const RELOAD_SECONDS = 5;

export function renderPage(view: PageView): string {
  const { words, state, reading } = view;
  const isTest = reading.session.mode === 'test';
  const business = businessOf(view);
  const common = {
    business: business === '' ? null : business,
    branding: reading.branding,
    state: state.kind,
    version: versionOf(view),
    scripts: view.scripts,
    live: onCallOf(view),
  };
  const banner = (more: Html | null) => (isTest ? { banner: testBanner(view, more) } : {});
  if (canBePaid(state) && view.notice !== 'limit' && view.processor !== null) {
    const card = view.processor.way.kind === 'own_fields' ? html` ${words.testCard}` : null;
    const body = html`${noticeOf(view)}${billOf(view)}${TEAR}${partPart(view)}${tipsPart(view)}${formOf(view, view.processor)}${savedPart(view)}`;
    const title = [problemOf(view), titleOf(view)].filter((part) => part !== null).join(' · ');
    return framed(view, { ...common, ...banner(card), title, body, query: choiceOf(view.chosen) });
  }
  const message = messageOf(
    view,
    state.kind === 'ready' || state.kind === 'declined' ? { kind: 'no_more_attempts' } : state,
  );
  return framed(view, {
    ...common,
    ...banner(null),
    title: business === '' ? message.heading : `${message.heading} · ${business}`,
    body: html`${noticeOf(view)}${messagePart(message, nextOf(view, message))}${paperOf(view)}`,
    ...(message.isUnderWay && { reloadSeconds: RELOAD_SECONDS }),
  });
}

function testBanner({ words }: PageView, more: Html | null): Html {
  return html`<header class="test"><p><strong>${words.testMode}</strong>${more}</p></header>`;
}

/**
 * The URL keeps its notice when the page is reloaded. If it is paid by then, it must not say that nothing was charged.
 */
function noticeOf({ words, notice, state }: PageView): Html | null {
  if (notice === null || notice === 'limit') return null;
  if (notice === 'not_started' && !canBePaid(state) && state.kind !== 'action') return null;
  if (notice === 'sent_before' && !canBePaid(state)) return null;
  const texts = { other_attempt: words.otherAttempt, not_started: words.notStarted, sent_before: words.sentBefore };
  return html`<p class="notice" role="status">${texts[notice]}</p>`;
}

/** The next steps for the payer. */
function nextOf(view: PageView, { isUnderWay }: Message): Html | null {
  if (view.state.kind === 'action') return actionForm(view);
  return isUnderWay ? checkAgain(view) : wayOn(view);
}

/** After a payment, the payer returns to the integrator's site. */
function wayOn(view: PageView): Html | null {
  const isPaid = view.state.kind === 'paid' || view.state.kind === 'already_paid';
  return isPaid && view.returnLink !== null ? wayOnOf(view, view.returnLink) : null;
}

/** The receipt where something was paid, the bill where it may yet be. */
function paperOf(view: PageView): Html | null {
  const { state } = view;
  if ((state.kind === 'paid' || state.kind === 'already_paid') && state.charge !== null) {
    return html`${TEAR}${receiptOf(view, state.charge)}`;
  }
  if (state.kind === 'gone' || state.kind === 'nothing_to_pay') return null;
  return html`${TEAR}${shortBillOf(view)}`;
}

/** A page with one message and no session: a wrong link, a forged form, an error. */
export function renderNote(place: Place, note: Note, more: Html | null = null): string {
  return framed(place, {
    title: note.heading,
    business: null,
    state: 'not_found',
    body: messagePart({ sign: ICONS.link, ...note, isBad: true }, more),
  });
}

/**
 * The form of the bank's challenge (3-D Secure). The processor's script shows its dialog, and sends this form when it is
 * done. A payer who returns from the processor's own page has its answer in the URL, which the script sends at once. In the sandbox, which has no dialog, and after the bank has its answer, there are only the buttons.
 */
function actionForm(view: PageView): Html {
  const { words, processor, state, action, result } = view;
  const needsScript = processor?.way.kind === 'token' && action !== null;
  const data = needsScript
    ? html`${dataOf(view, processor)} data-action="${JSON.stringify(action)}"`
    : scriptMessages(view);
  return html`<form id="action" class="ways" method="post" action="${pathOf(view, 'action')}"${data}${result === null ? null : html` data-answered="true"`}>
<input type="hidden" name="${ANSWERED_CHARGE}" value="${state.kind === 'action' ? state.charge.id : ''}">
${result === null ? null : html`<input type="hidden" name="result" value="${result}">`}
<div id="form-errors" class="errors" role="alert" tabindex="-1"></div>
${needsScript ? html`<noscript><p>${words.withoutScript}</p></noscript>` : html`<button type="submit" name="answer" value="confirm">${words.confirm}</button>`}
<button type="submit" class="second" name="answer" value="cancel">${words.doNotConfirm}</button>
${STATUS}
</form>`;
}

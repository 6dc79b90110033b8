/** The states without a form: an icon, a heading that takes the focus, and what the state means for the payer. */

import { wordsOf } from '../../../contract/errors.ts';
import type { ChargeAtPage } from '../../../db/pay-links/pay-page.ts';
import { amountText } from '../../../domain/written.ts';
import { type Html, html } from '../../../lib/html.ts';
import type { PageState } from '../state.ts';
import { businessOf } from './bill.ts';
import { ICONS } from './icons.ts';
import { addressOf, type PageView } from './view.ts';

/** The message of a state. */
export interface Message {
  sign: Html;
  heading: string;
  text: string;
  /** An error, or the end of the session. */
  isBad?: boolean;
  /** The state changes by itself, and the page reloads. */
  isUnderWay?: boolean;
}

export function messageOf(view: PageView, state: Exclude<PageState, { kind: 'ready' | 'declined' }>): Message {
  const { words, language, promisesText, saving } = view;
  const shown = (name: Parameters<typeof wordsOf>[0]) => wordsOf(name, language).displayMessage;
  const business = businessOf(view);
  switch (state.kind) {
    case 'working':
      return { sign: ICONS.clock, ...words.working, isUnderWay: true };
    case 'action':
      return { sign: ICONS.bank, ...words.action };
    case 'paid':
      if (state.charge.status === 'authorized') return heldMessage(view, state.charge);
      return { sign: ICONS.check, heading: words.paid.heading, text: words.paid.text(business) };
    case 'no_more_attempts':
      return { sign: ICONS.cross, ...words.noMoreAttempts, text: shown('no_more_attempts'), isBad: true };
    case 'pending': {
      // Payers who did not confirm in time get no text.
      const isTexted = promisesText && view.reading.charge?.isUnknown === true;
      const text =
        saving === null
          ? shown(isTexted ? 'outcome_by_text' : 'processor_unavailable')
          : isTexted
            ? saving.outcomeByText
            : saving.pendingText;
      if (state.of === 'session') return { sign: ICONS.clock, ...words.pending, text, isUnderWay: true };
      return { sign: ICONS.clock, ...words.orderPending, text: shown('order_pending'), isUnderWay: true };
    }
    case 'on_phone':
      return { sign: ICONS.phone, ...words.onPhone, isUnderWay: true };
    case 'already_paid':
      if (state.charge?.status === 'authorized') return heldMessage(view, state.charge);
      if (state.isHeld) return { sign: ICONS.check, ...words.alreadyHeld };
      if (state.isPart) return { sign: ICONS.check, ...words.alreadyPaidInPart, text: shown('order_has_payment') };
      if ((state.charge?.remainingCents ?? 0) > 0) return { sign: ICONS.check, ...words.alreadyPaidInPart };
      return {
        sign: ICONS.check,
        ...words.alreadyPaid,
        ...(state.charge === null && saving === null && { text: shown('order_paid') }),
      };
    case 'expired':
      return { sign: ICONS.clock, heading: words.expired.heading, text: words.expired.text(business), isBad: true };
    case 'nothing_to_pay':
      return { sign: ICONS.check, ...words.nothingToPay };
    case 'gone':
      return { sign: ICONS.cross, ...words.gone, isBad: true };
  }
}

export function messagePart({ sign, heading, text, isBad, isUnderWay }: Message, more: Html | null = null): Html {
  return html`<div class="message${isBad ? ' bad' : ''}">
<div class="sign${isUnderWay ? ' turning' : ''}">${sign}</div>
<h1 tabindex="-1" autofocus>${heading}</h1>
<p>${text}</p>
${more}
</div>`;
}

/** A link to the page itself, for browsers without JavaScript and for payers who do not want to wait. */
export function checkAgain(view: PageView): Html {
  return html`<div class="ways"><a class="button second" href="${addressOf(view)}">${view.words.checkAgain}</a></div>`;
}

function heldMessage(view: PageView, { amountCents }: ChargeAtPage): Message {
  const { words, reading, locale } = view;
  const amount = amountText({ ...reading.session.amount, amountCents }, locale);
  return { sign: ICONS.check, heading: words.held.heading, text: words.held.text(amount, businessOf(view)) };
}

/** The lower part of the page while it can be paid: the form. */

import type { ProcessorAtPage } from '../../../accounts/merchants/page-processor.ts';
import { errorEntry } from '../../../contract/errors.ts';
import { type DeclineCode, failedCallReason } from '../../../domain/charge.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { type Currency, majorUnits } from '../../../domain/money.ts';
import { amountText } from '../../../domain/written.ts';
import type { FieldName } from '../../../languages/page.ts';
import { Html, html } from '../../../lib/html.ts';
import type { FieldsConfig } from '../../../payments/port/page-fields.ts';
import { FIELD_OF_FAULT, KEEP_BOX } from '../card-fields.ts';
import { keepBoxLanguage, keepBoxText, offersKeeping } from '../processor.ts';
import { businessOf, totalOf, untilOf } from './bill.ts';
import { ICONS } from './icons.ts';
import { chosenFields } from './tips.ts';
import { addressOf, type PageView, STATUS, scriptMessages } from './view.ts';

/** An error message. `field`: null if it does not concern one field. */
interface Fault {
  field: FieldName | typeof KEEP_BOX | null;
  text: string;
}

export function formOf(view: PageView, processor: ProcessorAtPage): Html {
  const { words, reading, chosen, locale, attempt } = view;
  const faults = faultsOf(view);
  return html`<form id="pay" class="pay" method="post" action="${addressOf(view)}" novalidate data-processor="${processor.name}"${dataOf(view, processor)}>
${summaryOf(view, faults)}
${holdNoticeOf(view)}
<input type="hidden" name="attempt" value="${attempt}">${chosenFields(view)}
${processor.way.kind === 'own_fields' ? cardFields(view, faults) : tokenFields(view, processor)}
${processor.way.kind === 'own_fields' ? html`${keepBox(view)}${totalOf(view)}${payButton()}${testWallet(view)}` : html`<div class="fields" data-needs-script hidden>${keepBox(view)}${totalOf(view)}${payButton()}</div>`}
${STATUS}
<div><p class="hint safe">${ICONS.lock}<span>${words.encrypted}</span></p>${untilOf(view)}</div>
</form>`;

  function payButton(): Html {
    if (view.saving !== null) return html`<button type="submit">${view.saving.button}</button>`;
    const text = reading.session.capture === 'manual' ? words.holdButton : words.payButton;
    return html`<button type="submit">${text(amountText(chosen.total, locale))}</button>`;
  }
}

function holdNoticeOf(view: PageView): Html | null {
  if (view.reading.session.capture !== 'manual') return null;
  return html`<p class="hint">${view.words.holdNotice(businessOf(view))}</p>`;
}

/** Never selected in advance: saving a card needs the payer's consent. */
function keepBox(view: PageView): Html | null {
  const { reading, processor } = view;
  if (!offersKeeping(reading, processor)) return null;
  const text = keepBoxText(reading, view);
  if (view.saving === null)
    return html`<label class="keep"><input type="checkbox" name="keep_card" value="1"><span>${text}</span></label>`;
  return html`<label class="keep"><input type="checkbox" id="${KEEP_BOX}" name="keep_card" value="1" required data-fault="${view.words.faults.consent_missing}"><span lang="${keepBoxLanguage(reading, view)}">${text}</span></label>`;
}

/** After the form's own button, which Enter presses. */
function testWallet({ words, saving }: PageView): Html | null {
  if (saving !== null) return null;
  return html`<button type="submit" class="second" name="wallet" value="apple_pay">${words.testWallet}</button>`;
}

/** Data for the page's script: the settings of the processor's fields, and its messages. */
export function dataOf(view: PageView, { way, can }: ProcessorAtPage): Html {
  const { words, language, reading, chosen } = view;
  const { total } = chosen;
  const spoken = scriptMessages(view);
  const faults = html` data-faults="${JSON.stringify({ heading: words.faultsHeading, ...words.faults })}"`;
  if (way.kind === 'own_fields') return html`${spoken}${faults}`;
  const config: FieldsConfig = {
    scripts: way.page.scripts.map(({ url }) => url),
    publicKey: way.tokenization.publicKey,
    locationId: way.tokenization.locationId,
    amountCents: total.amountCents,
    amount: majorUnits(total),
    currency: total.currency,
    country: countryOf(reading.merchant, total.currency),
    businessName: reading.merchant?.businessName ?? '',
    language,
    wallets: can.wallets && view.saving === null,
    savesOnly: view.saving !== null,
  };
  return html`${spoken} data-config="${JSON.stringify(config)}"${way.page.template === 'inputs' ? faults : null}`;
}

/** Currencies of exactly one country in which the processors have merchants. */
const COUNTRIES: Readonly<Partial<Record<Currency, string>>> = {
  USD: 'US',
  GBP: 'GB',
  CAD: 'CA',
  AUD: 'AU',
  JPY: 'JP',
  KRW: 'KR',
};

/** The merchant's country, which wallets need. For euros, from the merchant's language. Null if unknown. */
function countryOf(merchant: Merchant | null, currency: Currency): string | null {
  const region = merchant === null ? undefined : new Intl.Locale(merchant.language).region;
  return COUNTRIES[currency] ?? region ?? null;
}

/** The errors of the submitted fields, otherwise of the last decline. */
function faultsOf({ faults, state, words, language }: PageView): Fault[] {
  if (faults.length > 0) return faults.map((fault) => ({ field: FIELD_OF_FAULT[fault], text: words.faults[fault] }));
  if (state.kind !== 'declined') return [];
  const code = state.code === null ? 'merchant_credentials_invalid' : 'card_declined';
  const { displayMessage } = errorEntry(code, state.code, language);
  return [{ field: state.code === null ? null : (FIELD_OF_DECLINE[state.code] ?? null), text: displayMessage ?? '' }];
}

/** The field that a decline concerns. */
const FIELD_OF_DECLINE: Partial<Record<DeclineCode, FieldName>> = {
  incorrect_number: 'number',
  incorrect_expiry: 'expiry',
  expired_card: 'expiry',
  incorrect_cvc: 'security_code',
  incorrect_zip: 'postal_code',
};

/** The heading above the errors, or null if there are none. */
export function problemOf({ words, faults, state }: PageView): string | null {
  if (faults.length > 0) return words.faultsHeading;
  if (state.kind !== 'declined') return null;
  return (failedCallReason(state.code) === 'declined' ? words.declined : words.notTaken).heading;
}

/** The list of errors, each a link to its field. It takes the focus. If empty, the page's script may fill it. */
function summaryOf(view: PageView, faults: readonly Fault[]): Html {
  const { processor, reading } = view;
  if (faults.length === 0) return html`<div id="form-errors" class="errors" role="alert" tabindex="-1"></div>`;
  const isShown = (field: FieldName | typeof KEEP_BOX) =>
    field === KEEP_BOX ||
    (processor?.way.kind === 'own_fields' && (field !== 'postal_code' || reading.merchant?.asksPostalCode === true));
  const items = faults.map(({ field, text }) =>
    field !== null && isShown(field) ? html`<li><a href="#${field}">${text}</a></li>` : html`<li>${text}</li>`,
  );
  return html`<div id="form-errors" class="errors" role="alert" tabindex="-1" autofocus><h2>${problemOf(view) ?? ''}</h2><ul>${items}</ul></div>`;
}

/** `autocomplete` tokens of HTML. */
const AUTOCOMPLETE: Record<FieldName, string> = {
  number: 'cc-number',
  expiry: 'cc-exp',
  security_code: 'cc-csc',
  postal_code: 'billing postal-code',
};

function cardFields(view: PageView, faults: readonly Fault[]): Html {
  return html`<div id="card-fields" role="group" aria-label="${view.words.card}" class="fields">
${cardInputs(view, faults)}
</div>`;
}

function templateOf(view: PageView, template: 'inputs' | 'boxes'): Html {
  const inputs =
    template === 'inputs'
      ? cardInputs(view, [], false)
      : arranged(view, (name) => boxOf(view.words.fields[name], name));
  return html`<template id="card-inputs"><div class="fields">${inputs}</div></template>`;
}

const boxOf = ({ label }: { label: string }, name: FieldName) => html`<div class="field">
<label for="${name}">${label}</label>
<div id="${name}" class="box"></div>
</div>`;

/** @param areSent whether the form contains their values */
const cardInputs = (view: PageView, faults: readonly Fault[], areSent = true) =>
  arranged(view, (name) => fieldOf(view, name, faults, areSent));

function arranged({ words, reading }: PageView, fieldFor: (name: FieldName) => Html): Html {
  return html`${fieldFor('number')}
<div class="pair">${fieldFor('expiry')}${fieldFor('security_code')}</div>
<p class="hint" id="security_code-hint">${words.fields.security_code.hint ?? ''}</p>
${reading.merchant?.asksPostalCode === true ? fieldFor('postal_code') : null}`;
}

/** The number and the security code are never prefilled. */
function rememberedValue({ remembered }: PageView, name: FieldName): Html | null {
  const text = { number: '', expiry: remembered.expiry, security_code: '', postal_code: remembered.postalCode }[name];
  return text === '' ? null : html` value="${text}"`;
}

function fieldOf(view: PageView, name: FieldName, faults: readonly Fault[], isSent: boolean): Html {
  const { label, hint } = view.words.fields[name];
  const fault = faults.find(({ field }) => field === name);
  const isBeside = hint !== null && name !== 'security_code';
  const described = [
    ...(name === 'security_code' ? [`${name}-hint`] : []),
    ...(fault === undefined ? [] : [`${name}-fault`]),
  ].join(' ');
  const inputMode = name === 'postal_code' ? 'text' : 'numeric';
  const mark = name === 'number' ? html`<span class="brand" aria-hidden="true"></span>` : null;
  return html`<div class="field${mark === null ? '' : ' marked'}">
<label for="${name}">${label}${isBeside ? html` <span class="hint">${hint}</span>` : null}</label>
<input id="${name}"${isSent ? html` name="${name}"` : null} type="text" inputmode="${inputMode}" autocomplete="${AUTOCOMPLETE[name]}" autocapitalize="off" spellcheck="false" required${isSent ? rememberedValue(view, name) : null}${
    described === '' ? null : html` aria-describedby="${described}"`
  }${fault === undefined ? null : new Html(' aria-invalid="true"')}>${mark}
${fault === undefined ? null : html`<p class="fault" id="${name}-fault">${fault.text}</p>`}
</div>`;
}

/** The processor's script fills `card-fields` and `wallets`, then shows the button. */
function tokenFields(view: PageView, { can, way }: ProcessorAtPage): Html {
  const { words } = view;
  const template = way.kind === 'token' ? way.page.template : undefined;
  return html`<div id="wallets" hidden></div>
<div id="card-fields" role="group" aria-label="${words.card}" aria-busy="true"><p class="hint">${words.loadingFields}</p></div>
${template === undefined ? null : templateOf(view, template)}<input type="hidden" name="token" value="">
<noscript><p>${can.keypad ? words.withoutScriptKeypad : words.withoutScript}</p></noscript>`;
}

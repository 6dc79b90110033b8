/**
 * The pay page's own script. Without it the page shows everything and the sandbox's fields work; it adds the vendor's card
 * fields, keeps a form from being sent twice, and shows at once what happens on the phone. What it says is in the form's
 * `data-words`, in the page's language.
 */
import type { Fields } from '../../payments/browser/fields.ts';
import type { FieldsConfig, FieldsWords, StripeCardAction, Tokenized } from '../../payments/page-fields.ts';

/** The vendor's fields are late: the payer is told. */
const SLOW_MS = 6_000;
/** They will not come: the payer is told what else there is. */
const GIVE_UP_MS = 25_000;
const POLL_MS = 3_000;
/** An event stream that does not open in this time is given up. */
const STREAM_OPENS_MS = 8_000;

/** States with the form. A card that was declined elsewhere is no reason to take it away. */
const CAN_BE_PAID = ['ready', 'declined'];
/** Receipts: nothing but a refund changes them, which is shown once the payer looks again. */
const RECEIPTS = ['paid', 'already_paid'];
/** States in which something may still change. */
const CHANGING = ['ready', 'declined', 'working', 'action', 'pending', 'on_phone', 'no_more_attempts'];

const path = location.pathname;
const main = document.querySelector('main');
const state = main?.dataset.state ?? '';
let isSending = false;

function start(): void {
  sendOpened();
  for (const form of document.forms) form.addEventListener('submit', (event) => guardSubmit(form, event));
  const payForm = document.querySelector<HTMLFormElement>('form#pay[data-config]');
  if (payForm !== null) void startFields(payForm);
  const actionForm = document.querySelector<HTMLFormElement>('form#action[data-action]');
  if (actionForm !== null) void startAction(actionForm);
  if (CHANGING.includes(state)) watch();
  if (RECEIPTS.includes(state)) document.addEventListener('visibilitychange', () => void refresh());
  // A page that comes out of the browser's memory shows what was: its form may be answered already.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** Not by the GET: messaging apps and scanners open links, too. */
function sendOpened(): void {
  if (main === null) return;
  const isSent = navigator.sendBeacon?.(`${path}/opened`) ?? false;
  if (!isSent) void fetch(`${path}/opened`, { method: 'POST', keepalive: true }).catch(() => undefined);
}

/** A form is sent once; a vendor's form only with the token that was made for it. */
function guardSubmit(form: HTMLFormElement, event: SubmitEvent): void {
  if (isSending || event.defaultPrevented) {
    event.preventDefault();
    return;
  }
  setSending(form, true, event.submitter);
}

/** @param submitter the button that was pressed; the form's first where none was */
function setSending(form: HTMLFormElement, sending: boolean, submitter: HTMLElement | null = null): void {
  isSending = sending;
  form.setAttribute('aria-busy', String(sending));
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type=submit]')];
  // Not `disabled`: that would take the focus away, and a button's own value out of the form.
  for (const button of buttons) {
    button.setAttribute('aria-disabled', String(sending));
    if (!sending) button.textContent = button.dataset.label ?? button.textContent;
  }
  const pressed = buttons.find((button) => button === submitter) ?? buttons[0];
  const { working } = wordsOf(form);
  if (!sending || pressed === undefined || working === undefined) return;
  pressed.dataset.label ??= pressed.textContent ?? '';
  pressed.textContent = working;
}

const wordsOf = (form: HTMLFormElement) => JSON.parse(form.dataset.words ?? '{}') as Partial<FieldsWords>;

/** @param text null: nothing is wrong any more */
function showError(form: HTMLFormElement, text: string | null | undefined): void {
  const place = form.querySelector<HTMLElement>('#form-errors') ?? document.querySelector<HTMLElement>('#form-errors');
  if (place === null) return;
  place.textContent = text ?? '';
  if (text) place.focus();
}

function fieldsOf(form: HTMLFormElement): Fields | null {
  const config = JSON.parse(form.dataset.config ?? 'null') as FieldsConfig | null;
  if (config === null || window.ringkeyFields === undefined) return null;
  return window.ringkeyFields.create(config, { loadScript });
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(url));
    document.head.append(script);
  });
}

async function startFields(form: HTMLFormElement): Promise<void> {
  const words = wordsOf(form);
  const card = form.querySelector<HTMLElement>('#card-fields');
  const wallets = form.querySelector<HTMLElement>('#wallets') ?? document.createElement('div');
  const fields = fieldsOf(form);
  if (card === null) return;
  // Beside the words that say what is loading: a vendor wants an empty place.
  const place = card.appendChild(document.createElement('div'));
  let isReady = false;
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (!isReady || fields === null) setSending(form, false);
    else void payByCard(form, fields);
  });
  const waits = [
    setTimeout(() => showError(form, words.slow), SLOW_MS),
    setTimeout(() => showError(form, words.blocked), GIVE_UP_MS),
  ];
  try {
    if (fields === null) throw new Error('no fields');
    await fields.mount({ card: place, wallets }, (result) => payByToken(form, result));
    isReady = true;
    showError(form, null);
    // It must not be moved: its frames would load anew.
    for (const child of [...card.children]) if (child !== place) child.remove();
    for (const part of form.querySelectorAll<HTMLElement>('[data-needs-script]')) part.hidden = false;
  } catch {
    showError(form, words.blocked);
  } finally {
    for (const wait of waits) clearTimeout(wait);
    card.setAttribute('aria-busy', 'false');
    form.dataset.fields = isReady ? 'ready' : 'failed';
  }
}

async function payByCard(form: HTMLFormElement, fields: Fields): Promise<void> {
  showError(form, null);
  const keepsCard = form.querySelector<HTMLInputElement>('input[name=keep_card]')?.checked ?? false;
  payByToken(form, await fields.tokenize({ keepsCard }));
}

function payByToken(form: HTMLFormElement, result: Tokenized): void {
  if ('error' in result) {
    setSending(form, false);
    const { error } = result;
    showError(form, error === 'canceled' ? null : wordsOf(form)[error]);
    return;
  }
  setSending(form, true);
  setHidden(form, 'token', result.token);
  if (result.wallet !== undefined) {
    setHidden(form, 'wallet', result.wallet);
    // A wallet's card is never kept.
    const keep = form.querySelector<HTMLInputElement>('input[name=keep_card]');
    if (keep !== null) keep.checked = false;
  }
  form.submit();
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const known = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  const input = known ?? document.createElement('input');
  input.type = 'hidden';
  input.name = name;
  input.value = value;
  if (known === null) form.append(input);
}

/** The bank's dialog; then our server, which asks the processor what came of it, whatever the browser thinks. */
async function startAction(form: HTMLFormElement): Promise<void> {
  const action = JSON.parse(form.dataset.action ?? 'null') as StripeCardAction | null;
  const fields = fieldsOf(form);
  if (action === null || fields === null) {
    showError(form, wordsOf(form).not_shown);
    return;
  }
  // Nothing to ask our server then, which would only send the payer back here, again and again.
  if ((await fields.act(action)) === 'not_shown') {
    showError(form, wordsOf(form).not_shown);
    return;
  }
  if (isSending) return;
  setSending(form, true);
  form.submit();
}

/** Server-sent events say that something changed; where they fail, the page looks itself. */
function watch(): void {
  const poll = () => setInterval(() => void refresh(), POLL_MS);
  document.addEventListener('visibilitychange', () => void refresh());
  if (typeof EventSource === 'undefined') {
    poll();
    return;
  }
  const stream = new EventSource(`${path}/events`);
  const giveUp = () => {
    clearTimeout(opening);
    stream.close();
    poll();
  };
  const opening = setTimeout(giveUp, STREAM_OPENS_MS);
  stream.onopen = () => clearTimeout(opening);
  stream.onmessage = () => void refresh();
  // What breaks is opened again by the browser; what the server refuses is not.
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) giveUp();
  };
}

/** Shows the page as it is now: a form that someone types into stays, as long as it can be sent. */
async function refresh(): Promise<void> {
  if (isSending || document.hidden || main === null) return;
  const answer = await fetch(`${path}/state${languageAsked()}`, { cache: 'no-store' }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const next = (await answer.json()) as { state: string; version: string; on_call: string };
  if (next.version === main.dataset.version || isSending) return;
  const isFormKept = CAN_BE_PAID.includes(next.state) && CAN_BE_PAID.includes(state);
  if ((next.state !== state && !isFormKept) || RECEIPTS.includes(state)) {
    location.replace(path + languageAsked());
    return;
  }
  const live = main.querySelector('#live');
  if (live !== null && live.textContent !== next.on_call) live.textContent = next.on_call;
  main.dataset.version = next.version;
}

/** Of the address only the language stays. */
function languageAsked(): string {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === null ? '' : `?${new URLSearchParams({ lang })}`;
}

start();

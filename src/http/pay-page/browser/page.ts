/**
 * The pay page's own script. Without it, the page shows everything and the sandbox's fields work. The script adds the
 * vendor's card fields, sends the form so that it survives a network failure, and shows the state of the call. Its
 * messages are in the form's `data-words`, in the page's language.
 */

import type { BrowserWords } from '../../../languages/page.ts';
import type { Fields } from '../../../payments/browser/fields.ts';
import type { FieldsConfig, StripeCardAction, Tokenized } from '../../../payments/port/page-fields.ts';

/** After this time, the page says that the vendor's fields are slow. */
const SLOW_MS = 6_000;
/** After this time, the page gives up on them and names the other ways to pay. */
const GIVE_UP_MS = 25_000;
const POLL_MS = 3_000;
/** After this time, the page says that the payment is still being sent. */
const STILL_MS = 3_000;
/** A response that takes longer counts as lost. */
const ANSWER_MS = 60_000;
/** The delays before a form is sent again. */
const REPEAT_MS = [1_000, 3_000, 8_000, 15_000];
/** An event stream that takes longer to open is replaced by polling. */
const STREAM_OPENS_MS = 8_000;

/** States with the form. The form stays if a card is declined elsewhere. */
const CAN_BE_PAID = ['ready', 'declined'];
/** Receipts only change by refunds. They are checked when the payer returns to the window. */
const RECEIPTS = ['paid', 'already_paid'];
/** States that can still change. */
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
  const ownForm = document.querySelector<HTMLFormElement>('form#pay[data-faults]');
  if (ownForm !== null) window.ringkeyOwnFields?.start(ownForm);
  const actionForm = document.querySelector<HTMLFormElement>('form#action[data-action]');
  if (actionForm !== null) void startAction(actionForm);
  const answered = document.querySelector<HTMLFormElement>('form#action[data-answered]');
  if (answered !== null) sendAnswer(answered);
  else offerChallengeAgain();
  if (CHANGING.includes(state)) watch();
  if (RECEIPTS.includes(state)) document.addEventListener('visibilitychange', () => void refresh());
  // A page restored from the browser's cache is out of date.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** A separate request, because messaging apps and scanners open links too. */
function sendOpened(): void {
  if (main === null) return;
  const isSent = navigator.sendBeacon?.(`${path}/opened`) ?? false;
  if (!isSent) void fetch(`${path}/opened`, { method: 'POST', keepalive: true }).catch(() => undefined);
}

/** Submits a form once. The script sends the forms that pay, so that they survive a network failure. */
function guardSubmit(form: HTMLFormElement, event: SubmitEvent): void {
  if (isSending) {
    event.preventDefault();
    return;
  }
  if (form.dataset.words !== undefined) event.preventDefault();
  if (isFaulty(form, event.submitter) || isUnagreed(form)) return;
  setSending(form, true, event.submitter);
  if (form.dataset.words === undefined) return;
  if (form.dataset.config !== undefined && form.id === 'pay') payByFields();
  else void send(form, event.submitter);
}

/** Whether our own fields have errors, which are shown. Nothing is sent then, and the values stay. */
function isFaulty(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  if (form.dataset.faults === undefined || submitter?.getAttribute('name') === 'wallet') return false;
  return window.ringkeyOwnFields?.showFaults(form) ?? false;
}

/** Whether the box that must be ticked is not. */
function isUnagreed(form: HTMLFormElement): boolean {
  const box = form.querySelector<HTMLInputElement>('input[name=keep_card][required]');
  if (box === null || box.checked) return false;
  showError(form, box.dataset.fault);
  return true;
}

/** The last body without a response. If it is sent again unchanged, the server treats it as the script's own repeat. */
let lost = '';

/** Sends a form, and repeats the attempt if there is no response. The server carries out an attempt once. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null = null): Promise<void> {
  const body = bodyOf(form, submitter);
  const text = body.toString();
  if (text === lost) body.set('repeat', '1');
  showError(form, null);
  const still = setTimeout(() => say(form, wordsOf(form).still), STILL_MS);
  for (const wait of [...REPEAT_MS, 0]) {
    const next = await post(form.action, body);
    if (next !== null) {
      clearTimeout(still);
      leaveFor(form, next, submitter);
      return;
    }
    lost = text;
    body.set('repeat', '1');
    clearTimeout(still);
    if (wait === 0) break;
    say(form, wordsOf(form).offline);
    await pause(wait);
  }
  setSending(form, false);
  showError(form, wordsOf(form).unsent);
  void refresh();
}

function bodyOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => {
    body.append(name, String(value));
  });
  if (submitter instanceof HTMLButtonElement && submitter.name !== '') body.append(submitter.name, submitter.value);
  return body;
}

/**
 * @returns the URL of the page with the outcome; empty if the server refuses the form; null if there is no response
 */
async function post(url: string, body: URLSearchParams): Promise<string | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    const init = { method: 'POST', body, headers: { accept: 'application/json' }, signal: late.signal };
    const answer = await fetch(url, init);
    if (answer.ok) return ((await answer.json()) as { next: string }).next;
    return answer.status >= 500 || answer.status === 429 ? null : '';
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, at most until the browser is online again. */
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    addEventListener('online', () => resolve(), { once: true });
  });

function leaveFor(form: HTMLFormElement, next: string, submitter: HTMLElement | null): void {
  if (next === '') {
    // Submitted again without the script: the server's page explains the error.
    if (submitter instanceof HTMLButtonElement && submitter.name !== '')
      setHidden(form, submitter.name, submitter.value);
    form.submit();
    return;
  }
  // The browser's cache must not keep them.
  for (const field of form.querySelectorAll<HTMLInputElement>('input#number, input#security_code')) field.value = '';
  const { origin, pathname, search, hash } = new URL(next, location.href);
  // The processor's page, with the bank's challenge.
  if (origin !== location.origin) {
    keepChallenge(next);
    location.assign(next);
    return;
  }
  // If only the fragment differed, the browser would scroll instead of loading.
  if (pathname + search === location.pathname + location.search) location.replace(pathname + search);
  else location.assign(pathname + search + hash);
}

/** Shows the status below the button. */
function say(form: HTMLFormElement, text: string | undefined): void {
  const place = form.querySelector('.still');
  if (place !== null) place.textContent = text ?? '';
}

/** @param submitter the button that was pressed. Default: the form's first */
function setSending(form: HTMLFormElement, sending: boolean, submitter: HTMLElement | null = null): void {
  isSending = sending;
  form.setAttribute('aria-busy', String(sending));
  if (!sending) say(form, '');
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type=submit]')];
  // Not `disabled`, which would remove the focus and the button's value.
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

const wordsOf = (form: HTMLFormElement) => JSON.parse(form.dataset.words ?? '{}') as Partial<BrowserWords>;

/** @param text null removes the error */
function showError(form: HTMLFormElement, text: string | null | undefined): void {
  const place = form.querySelector<HTMLElement>('.errors') ?? document.querySelector<HTMLElement>('.errors');
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

/** Set when the vendor's fields are ready. */
let payByFields: () => void = () => {
  isSending = false;
};

async function startFields(form: HTMLFormElement): Promise<void> {
  const words = wordsOf(form);
  const card = form.querySelector<HTMLElement>('#card-fields');
  const wallets = form.querySelector<HTMLElement>('#wallets') ?? document.createElement('div');
  const fields = fieldsOf(form);
  if (card === null) return;
  // Next to the loading message, because vendors need an empty element.
  const place = card.appendChild(document.createElement('div'));
  let isReady = false;
  payByFields = () => {
    if (!isReady || fields === null) setSending(form, false);
    else void payByCard(form, fields);
  };
  const waits = [
    setTimeout(() => showError(form, words.slow), SLOW_MS),
    setTimeout(() => showError(form, words.blocked), GIVE_UP_MS),
  ];
  try {
    if (fields === null) throw new Error('no fields');
    await fields.mount({ card: place, wallets }, (result) => payByToken(form, result));
    isReady = true;
    showError(form, null);
    // Moving it would reload its frames.
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
    // Wallet cards are never saved.
    const keep = form.querySelector<HTMLInputElement>('input[name=keep_card]');
    if (keep !== null) keep.checked = false;
  }
  void send(form);
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const known = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  const input = known ?? document.createElement('input');
  input.type = 'hidden';
  input.name = name;
  input.value = value;
  if (known === null) form.append(input);
}

/** Shows the bank's dialog. Our server then asks the processor for the outcome, whatever the browser reports. */
async function startAction(form: HTMLFormElement): Promise<void> {
  const action = JSON.parse(form.dataset.action ?? 'null') as StripeCardAction | null;
  const fields = fieldsOf(form);
  if (action === null || fields === null) {
    showError(form, wordsOf(form).not_shown);
    return;
  }
  // Our server would only redirect back here, in a loop.
  if ((await fields.act(action)) === 'not_shown') {
    showError(form, wordsOf(form).not_shown);
    return;
  }
  if (isSending) return;
  setSending(form, true);
  void send(form);
}

const CHALLENGE = `challenge:${path}`;

/** For a payer who comes back without an answer. Only this tab can read it. */
function keepChallenge(url: string): void {
  try {
    sessionStorage.setItem(CHALLENGE, url);
  } catch {
    // Storage is off: the payer can give up, and pay again.
  }
}

/** The page's button leads back to the bank, if the payer left for it from this tab. */
function offerChallengeAgain(): void {
  const button = document.querySelector<HTMLButtonElement>('form#action:not([data-action]) button[value=confirm]');
  button?.addEventListener('click', (event) => {
    const url = keptChallenge();
    if (url === null || isSending) return;
    event.preventDefault();
    location.assign(url);
  });
}

function keptChallenge(): string | null {
  try {
    return sessionStorage.getItem(CHALLENGE);
  } catch {
    return null;
  }
}

/** The payer has returned from the processor's page. */
function sendAnswer(form: HTMLFormElement): void {
  setSending(form, true);
  void send(form);
}

/** Refreshes the page on server-sent events. Without them, the page polls. */
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
  // The browser reopens a broken stream, but not one that the server refused.
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) giveUp();
  };
}

/** Updates the page. A form in use stays as long as it can be sent. */
async function refresh(): Promise<void> {
  if (isSending || document.hidden || main === null) return;
  const answer = await fetch(`${path}/state${requestedLanguage()}`, { cache: 'no-store' }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const next = (await answer.json()) as { state: string; version: string; on_call: string; is_stop: boolean };
  if (next.version === main.dataset.version || isSending) return;
  const keepsForm = CAN_BE_PAID.includes(next.state) && CAN_BE_PAID.includes(state);
  if ((next.state !== state && !keepsForm) || RECEIPTS.includes(state)) {
    location.replace(path + requestedLanguage());
    return;
  }
  const live = main.querySelector('#live');
  if (live !== null && live.textContent !== next.on_call) live.textContent = next.on_call;
  live?.toggleAttribute('data-stop', next.is_stop);
  main.dataset.version = next.version;
}

/** Keeps only the language in the URL. */
function requestedLanguage(): string {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === null ? '' : `?${new URLSearchParams({ lang })}`;
}

start();

/**
 * Browser code for every page, in addition to htmx: copy buttons, menus, forms that submit once, running
 * durations of live calls. The pages work without it.
 */
import type { BrowserWords } from '../page/browser-words.ts';
import type { PluralForms } from '../words/plural-forms.ts';

interface HtmxFailure {
  target: Element | null;
  pathInfo: { finalRequestPath: string };
}

(() => {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as BrowserWords;
  const { lang } = document.documentElement;
  /** Some browsers hide their time zone or report an unknown one. */
  function knownZone(given: string | undefined): string {
    try {
      new Intl.DateTimeFormat('en-GB', { timeZone: given });
      return given || 'UTC';
    } catch {
      return 'UTC';
    }
  }

  /** Also called after htmx inserts content. */
  function enhance(root: ParentNode): void {
    for (const field of root.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
      field.value = knownZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
      // Once: the user may enter another zone.
      field.removeAttribute('data-own-zone');
    }
    const scripted = 'button[data-copy], button[data-print], [data-densities], [data-themes]';
    for (const place of root.querySelectorAll<HTMLElement>(scripted)) place.hidden = false;
    for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-full-screen]')) {
      button.hidden = !document.fullscreenEnabled;
    }
  }

  const numberFormat = new Intl.NumberFormat(lang);
  const pluralRules = new Intl.PluralRules(lang);
  function plural(count: number, forms: PluralForms): string {
    const category = pluralRules.select(count);
    const form = category === 'one' || category === 'many' ? forms[category] : undefined;
    return (form ?? forms.other).replace('#', numberFormat.format(count));
  }

  function tell(text: string): void {
    const status = document.getElementById('status');
    if (status !== null) status.textContent = text;
  }

  async function copy(button: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      button.classList.add('done');
      tell(words.copied);
      setTimeout(() => button.classList.remove('done'), 1_500);
    } catch {
      tell(words.notCopied);
    }
  }

  const toggleFullScreen = () =>
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen();

  const YEAR_SECONDS = 365 * 24 * 60 * 60;

  /** Keeps a choice of the user menu in the browser, and marks its button. */
  function keepChoice(button: HTMLElement, kind: 'density' | 'theme'): string {
    const chosen = button.dataset[kind] ?? '';
    const secure = location.protocol === 'https:' ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist over plain http.
    document.cookie = `ringkey-${kind}=${chosen}; path=/dashboard; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
    for (const each of document.querySelectorAll<HTMLElement>(`button[data-${kind}]`))
      each.setAttribute('aria-pressed', String(each === button));
    return chosen;
  }

  function chooseDensity(button: HTMLElement): void {
    document.body.dataset.density = keepChoice(button, 'density');
  }

  function chooseTheme(button: HTMLElement): void {
    document.documentElement.dataset.theme = keepChoice(button, 'theme');
    tell(button.textContent ?? '');
  }

  /** Keeps the digits of a color and the color input beside them the same (form/color.tsx). */
  function followColor(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement)) return;
    const [digits, picker, shown] = target.closest('.with-color')?.querySelectorAll('input') ?? [];
    if (digits === undefined || picker === undefined || shown === undefined) return;
    if (target === picker) digits.value = picker.value;
    else if (/^#[0-9a-f]{6}$/i.test(digits.value)) picker.value = digits.value;
    shown.value = picker.value;
  }
  document.addEventListener('input', ({ target }) => followColor(target));
  document.addEventListener('change', ({ target }) => {
    // The preview follows the digits.
    if (!(target instanceof Element) || !target.matches('.with-color [type=color]')) return;
    target.parentElement?.querySelector('input')?.dispatchEvent(new Event('change', { bubbles: true }));
  });

  const ATTENTION_MS = 60_000;
  let attentionAt = Date.now();

  /** Shows the number of open attention items in the menu, on its button on phones, and before the window's title. */
  function showAttention(text: string): void {
    for (const place of document.querySelectorAll<HTMLElement>('[data-attention]')) {
      place.textContent = text;
      place.hidden = text === '';
    }
    titleAttention();
  }

  function titleAttention(): void {
    const text = document.querySelector('[data-attention]')?.textContent ?? '';
    const title = document.title.replace(/^\(\d+\+?\) /, '');
    document.title = text === '' ? title : `(${text}) ${title}`;
  }

  /** Once a minute while the page is visible. A page whose user has signed out keeps its number. */
  async function refreshAttention(): Promise<void> {
    const { base } = document.body.dataset;
    if (base === undefined || document.hidden || Date.now() - attentionAt < ATTENTION_MS) return;
    attentionAt = Date.now();
    const answer = await fetch(`${base}/attention/count`, { redirect: 'error' }).catch(() => null);
    if (answer?.ok) showAttention(await answer.text());
  }
  document.addEventListener('visibilitychange', () => void refreshAttention());
  // htmx replaces the title with that of the page it has read.
  document.addEventListener('htmx:afterSettle', titleAttention);

  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details[data-closes][open]');

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('button[data-copy]');
    if (button !== null) void copy(button);
    const density = target.closest<HTMLElement>('button[data-density]');
    if (density !== null) chooseDensity(density);
    const theme = target.closest<HTMLElement>('button[data-theme]');
    if (theme !== null) chooseTheme(theme);
    if (target.closest('button[data-full-screen]') !== null) void toggleFullScreen();
    if (target.closest('button[data-print]') !== null) print();
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
  });

  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  });

  // Ignores a second submit while the first is in progress. The server also processes each attempt only once.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-once]')) return;
    if (form.dataset.sent !== undefined) event.preventDefault();
    form.dataset.sent = '';
    for (const button of form.querySelectorAll('button[type=submit]')) button.setAttribute('aria-disabled', 'true');
  });
  // A page restored from the browser's cache can submit its forms again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled');
    }
  });

  /** The IDs of open details in a part that is about to be replaced. */
  let openFolds: string[] = [];
  document.addEventListener('htmx:beforeSwap', ({ target }) => {
    if (!(target instanceof Element)) return;
    openFolds = [...target.querySelectorAll('details.fold[open]')].map(({ id }) => id);
  });

  document.addEventListener('htmx:afterSwap', ({ target }) => {
    for (const id of openFolds.splice(0)) document.getElementById(id)?.setAttribute('open', '');
    enhance(document);
    if (!(target instanceof Element)) return;
    const { count } = document.getElementById('results')?.dataset ?? {};
    if (target.id === 'results' && count !== undefined)
      tell(count === '0' ? words.noResults : plural(Number(count), words.shown));
  });

  /** Whether it is what a form of filters replaces: the list, or all of the page. */
  const isPart = (target: Element | null | undefined): target is Element =>
    target?.id === 'results' || target?.id === 'main';

  // Shows the error page, because an unchanged list would look like a filtered one.
  document.addEventListener('htmx:responseError', (event) => {
    const { target, pathInfo } = (event as CustomEvent<HtmxFailure>).detail;
    if (isPart(target)) location.assign(pathInfo.finalRequestPath);
  });
  for (const failure of ['htmx:sendError', 'htmx:timeout']) {
    document.addEventListener(failure, (event) => {
      const { target } = (event as CustomEvent<HtmxFailure>).detail;
      if (!isPart(target) || target.querySelector('[data-no-answer]') !== null) return;
      const notice = document.createElement('div');
      Object.assign(notice, { className: 'notice bad', role: 'alert', textContent: words.noAnswer });
      notice.dataset.noAnswer = '';
      target.prepend(notice);
    });
  }

  /** The state of the event stream. Without a stream, the page polls live calls every three seconds. */
  const live = { isStreaming: false, isOver: false, isAnswered: true, secondsWithout: 0, count: '' };
  const ASK_SECONDS = 3;
  // Not on open: the service may be unable to read the data. Each stream starts with the current state.
  document.addEventListener('htmx:sseMessage', () => {
    live.isStreaming = true;
  });
  document.addEventListener('htmx:sseClose', () => {
    live.isOver = true;
  });
  document.addEventListener('htmx:sseError', () => {
    live.isStreaming = false;
  });
  for (const failure of ['htmx:sendError', 'htmx:responseError', 'htmx:timeout']) {
    document.addEventListener(failure, () => {
      live.isAnswered = false;
    });
  }
  document.addEventListener('htmx:afterSwap', () => {
    live.isAnswered = true;
  });

  /** @param asks whether the page polls if there is no stream */
  function showLiveState(place: HTMLElement, asks: boolean): void {
    // A stream that ends on schedule reopens within a second or two.
    const isInterrupted = live.secondsWithout > (asks ? 1 : 4);
    const [text, tone] = !isInterrupted
      ? [words.upToDate, 'good']
      : asks && live.isAnswered
        ? [words.polling, 'wait']
        : [words.noConnection, 'bad'];
    place.hidden = live.isOver;
    if (place.textContent !== text) place.textContent = text;
    place.className = `badge ${tone}`;
  }

  /** `12 s`, `1 min 12 s`, in the server's format. */
  function durationText(ms: number): string {
    const seconds = Math.max(0, Math.round(ms / 1_000));
    const space = document.documentElement.lang === 'en' ? ' ' : '\u00a0';
    const unit = (value: number, name: string) => `${value}${space}${name}`;
    return seconds < 60 ? unit(seconds, 's') : `${unit(Math.floor(seconds / 60), 'min')} ${unit(seconds % 60, 's')}`;
  }

  let clock = { of: '', serverAheadMs: 0 };
  function tick(): void {
    const state = document.querySelector<HTMLElement>('[data-live-state]');
    if (state === null) return;
    const part = document.querySelector<HTMLElement>('[data-live-calls]');
    live.secondsWithout = live.isStreaming ? 0 : live.secondsWithout + 1;
    showLiveState(state, part !== null);
    if (part !== null) goOn(part);
  }

  /** Polls live calls if there is no stream, and updates their durations. */
  function goOn(part: HTMLElement): void {
    if (live.secondsWithout > 0 && live.secondsWithout % ASK_SECONDS === 0) {
      part.parentElement?.dispatchEvent(new CustomEvent('ask'));
    }
    const { liveCalls: count = '', now = '' } = part.dataset;
    // The browser's clock may be wrong.
    if (clock.of !== now) clock = { of: now, serverAheadMs: Date.parse(now) - Date.now() };
    for (const place of part.querySelectorAll<HTMLElement>('[data-since]')) {
      place.textContent = durationText(Date.now() + clock.serverAheadMs - Date.parse(place.dataset.since ?? ''));
    }
    if (live.count !== '' && live.count !== count) tell(plural(Number(count), words.liveCalls));
    live.count = count;
  }

  setInterval(tick, 1_000);
  setInterval(() => void refreshAttention(), 1_000);
  titleAttention();
  enhance(document);
})();

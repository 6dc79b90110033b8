/**
 * The keyboard: the command palette (⌘K, Ctrl+K), the list of shortcuts (`?`), and single keys. Options come from the
 * server; the buttons of the page are added here, so they are what its object and the user's role allow.
 */
import type { BrowserWords } from '../page/browser-words.ts';

(() => {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as BrowserWords;
  const palette = document.querySelector<HTMLDialogElement>('dialog#palette');
  const shortcuts = document.querySelector<HTMLDialogElement>('dialog#shortcuts');
  const input = palette?.querySelector<HTMLInputElement>('input') ?? null;
  const list = document.getElementById('palette-options');
  if (palette === null || shortcuts === null || input === null || list === null) return;
  const [status] = palette.querySelectorAll('[role=status]');

  /** Longer than most pauses between two keys: a search costs up to a dozen queries. */
  const ASK_AFTER_MS = 200;
  let timer: number | undefined;
  let asked: AbortController | null = null;
  let active: HTMLElement | null = null;
  /** The options are not yet those of the text. Enter then waits for them. */
  let isPending = false;
  let isEntered = false;

  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];

  function activate(option: HTMLElement | null): void {
    active?.setAttribute('aria-selected', 'false');
    active = option;
    active?.setAttribute('aria-selected', 'true');
    active?.scrollIntoView({ block: 'nearest' });
    if (active === null) input?.removeAttribute('aria-activedescendant');
    else input?.setAttribute('aria-activedescendant', active.id);
  }

  /** The buttons of the page: links of actions, and forms except filters. Their texts begin with the words. */
  function ownActions(text: string): [name: string, button: HTMLElement][] {
    const all = document.querySelectorAll<HTMLElement>('main a.button, main form:not(.filters) button[type=submit]');
    const typed = text.toLowerCase().split(/\s+/);
    const known = new Map<string, HTMLElement>();
    for (const button of all) {
      const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim().replace(/\s+/g, ' ');
      const parts = name.toLowerCase().split(' ');
      const isMatch = typed.every((word) => parts.some((part) => part.startsWith(word)));
      if (name !== '' && isMatch && button.checkVisibility() && !known.has(name)) known.set(name, button);
    }
    return [...known].slice(0, 8);
  }

  /** Buttons that send a form only get the focus: some move money, and the first option is active at once. */
  function press(button: HTMLElement): void {
    palette?.close();
    button.focus();
    if (button.matches('a')) button.click();
  }

  function groupOfActions(text: string): HTMLElement | null {
    const actions = ownActions(text);
    if (actions.length === 0) return null;
    const group = document.createElement('div');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', words.onThisPage);
    const title = document.createElement('p');
    title.textContent = words.onThisPage;
    title.ariaHidden = 'true';
    group.append(title);
    for (const [name, button] of actions) {
      const option = document.createElement('div');
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      option.textContent = name;
      option.addEventListener('click', () => press(button));
      group.append(option);
    }
    return group;
  }

  function show(html: string, text: string): void {
    if (list === null) return;
    list.innerHTML = html;
    const own = groupOfActions(text);
    if (own !== null) list.prepend(own);
    for (const [place, option] of options().entries()) option.id = `palette-${place}`;
    activate(options()[0] ?? null);
    const count = options().length;
    isPending = false;
    if (isEntered) enter();
    if (status === undefined) return;
    const rules = new Intl.PluralRules(document.documentElement.lang);
    const form = rules.select(count) === 'one' ? words.results.one : words.results.other;
    status.textContent = count === 0 ? words.noResults : form.replace('#', String(count));
  }

  /** Follows the active option. Without one, the form goes to the search. */
  function enter(): void {
    isEntered = isPending;
    if (isPending) return;
    if (active !== null) active.click();
    else if (input?.value.trim() !== '') input?.form?.submit();
  }

  async function ask(): Promise<void> {
    asked?.abort();
    asked = new AbortController();
    isPending = true;
    const text = input?.value.trim() ?? '';
    try {
      const url = `${palette?.dataset.options}?${new URLSearchParams({ q: text })}`;
      const answer = await fetch(url, { signal: asked.signal, headers: { accept: 'text/html' } });
      // Signed out: the page leads to the sign-in.
      if (answer.redirected) return location.reload();
      show(answer.ok ? await answer.text() : '', text);
    } catch (error) {
      if ((error as Error).name !== 'AbortError') show('', text);
    }
  }

  function openPalette(): void {
    if (palette?.open === true || input === null || list === null) return;
    shortcuts?.close();
    input.value = '';
    isEntered = false;
    list.replaceChildren();
    activate(null);
    palette?.showModal();
    input.focus();
    void ask();
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    isPending = true;
    isEntered = false;
    timer = setTimeout(() => void ask(), ASK_AFTER_MS);
  });

  const MOVES: Record<string, (at: number, count: number) => number> = {
    ArrowDown: (at, count) => (at + 1) % count,
    ArrowUp: (at, count) => (at + count - 1) % count,
    PageDown: (at, count) => Math.min(at + 8, count - 1),
    PageUp: (at) => Math.max(at - 8, 0),
  };

  input.addEventListener('keydown', (event) => {
    const all = options();
    const move = MOVES[event.key];
    if (move !== undefined && all.length > 0) {
      event.preventDefault();
      activate(all[move(active === null ? -1 : all.indexOf(active), all.length)] ?? null);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      enter();
    }
  });

  // Links within the page: the browser opens what they are in, and focuses them. They send nothing. A theme is chosen.
  list.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (link === null) return;
    palette.close();
    const button = document.getElementById(link.hash.slice(1));
    if (button?.dataset.theme === undefined) return;
    event.preventDefault();
    button.click();
  });

  for (const dialog of [palette, shortcuts]) {
    // A press on the backdrop.
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
  }

  const OFF = 'ringkey-single-keys-off';
  const usesSingleKeys = () => localStorage.getItem(OFF) === null;
  const toggle = shortcuts.querySelector<HTMLInputElement>('[data-single-keys]');
  if (toggle !== null) {
    toggle.checked = usesSingleKeys();
    toggle.addEventListener('change', () => {
      if (toggle.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, '1');
    });
  }

  /** Rows of tables, and items of lists, which have buttons of their own. */
  function moveRow(by: 1 | -1): void {
    const all = document.querySelectorAll<HTMLElement>('main a.row-link, main [data-row]');
    const rows = [...all].filter((row) => row.checkVisibility());
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  }

  /** After `g`, the next key goes to a page. */
  let isGoing = false;
  function pressKey(key: string): boolean {
    if (isGoing) {
      isGoing = false;
      const link = [...(shortcuts?.querySelectorAll<HTMLElement>('[data-go]') ?? [])].find(
        (each) => each.dataset.go === key,
      );
      link?.click();
      return link !== undefined;
    }
    isGoing = key === 'g';
    if (key === '/') document.querySelector<HTMLInputElement>('[data-search]')?.focus();
    else if (key === '?') shortcuts?.showModal();
    else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1);
    else return isGoing;
    return true;
  }

  /** An item is opened like the link of a row. */
  function openItem(target: EventTarget | null): void {
    if (target instanceof Element && target.matches('[data-row]')) target.querySelector('a')?.click();
  }

  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
      return;
    }
    const isTyping = target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
    if (isTyping || ctrlKey || metaKey || altKey || !usesSingleKeys()) return;
    if (key === 'Enter') openItem(target);
    else if (pressKey(key)) event.preventDefault();
  });

  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
    button.hidden = false;
    if (button.parentElement?.hidden === true) button.parentElement.hidden = false;
    const keys = button.querySelector('kbd');
    if (keys !== null && isMac) keys.textContent = '⌘K';
    button.addEventListener('click', () => {
      if (button.dataset.opens === 'palette') openPalette();
      else shortcuts.showModal();
    });
  }
})();

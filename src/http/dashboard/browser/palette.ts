/**
 * The command palette (⌘K, Ctrl+K) and the results of the search field, while you type. Both are comboboxes (WAI-ARIA)
 * whose options come from the server. The palette adds the buttons of the page, so they are what its object and the
 * user's role allow.
 */
import type { BrowserWords } from '../page/browser-words.ts';

(() => {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as BrowserWords;

  /** Longer than most pauses between two keys: a search costs up to a dozen queries. */
  const ASK_AFTER_MS = 200;

  interface Behavior {
    /** Options of the page, before those of the server. */
    ownOptions?: (text: string) => HTMLElement | null;
    /** The first option is active at once, and Enter waits for it. Otherwise, Enter sends the form until one is chosen. */
    startsActive: boolean;
    /** The options of a text have arrived. @param count null if the request failed @returns whether they are shown */
    shown?: (count: number | null, text: string) => boolean;
    /** An option is followed. */
    chosen: () => void;
  }

  interface Combobox {
    isEmpty(): boolean;
    ask(): void;
    /** Removes the options. No answer that is still on its way shows them again. */
    clear(): void;
  }

  /** @param list has the address of the options, and its status behind it */
  function startCombobox(input: HTMLInputElement, list: HTMLElement, behavior: Behavior): Combobox {
    const { ownOptions, startsActive, shown, chosen } = behavior;
    const status = list.nextElementSibling;
    let timer: number | undefined;
    let asked: AbortController | null = null;
    let active: HTMLElement | null = null;
    /** The options are not yet those of the text. */
    let isPending = false;
    let isEntered = false;

    const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];

    function activate(option: HTMLElement | null): void {
      active?.setAttribute('aria-selected', 'false');
      active = option;
      active?.setAttribute('aria-selected', 'true');
      active?.scrollIntoView({ block: 'nearest' });
      if (active === null) input.removeAttribute('aria-activedescendant');
      else input.setAttribute('aria-activedescendant', active.id);
    }

    function say(count: number | null): void {
      if (status === null) return;
      const rules = new Intl.PluralRules(document.documentElement.lang);
      const form = rules.select(count ?? 0) === 'one' ? words.results.one : words.results.other;
      const text = count === 0 ? words.noResults : form.replace('#', String(count));
      status.textContent = count === null ? '' : text;
    }

    function show(html: string | null, text: string): void {
      list.innerHTML = html ?? '';
      const own = ownOptions?.(text) ?? null;
      if (own !== null) list.prepend(own);
      const all = options();
      for (const [place, option] of all.entries()) option.id = `${list.id}-${place}`;
      activate(startsActive ? (all[0] ?? null) : null);
      isPending = false;
      say(shown?.(html === null ? null : all.length, text) === false ? null : all.length);
      if (isEntered) enter();
    }

    /** Follows the active option. Without one, the form goes to the search. */
    function enter(): void {
      isEntered = isPending;
      if (isPending) return;
      if (active !== null) active.click();
      else if (input.value.trim() !== '') input.form?.submit();
    }

    async function ask(): Promise<void> {
      stop();
      const asking = new AbortController();
      asked = asking;
      isPending = true;
      const text = input.value.trim();
      // Not in the address, which proxies and browsers log: it may be a part of a card number.
      const headers = { accept: 'text/html', 'x-ringkey-text': encodeURIComponent(text) };
      try {
        const answer = await fetch(list.dataset.options ?? '', { signal: asking.signal, headers });
        // Signed out: the page leads to the sign-in.
        if (answer.redirected) return location.reload();
        const html = answer.ok ? await answer.text() : null;
        if (!asking.signal.aborted) show(html, text);
      } catch {
        if (!asking.signal.aborted) show(null, text);
      }
    }

    function stop(): void {
      clearTimeout(timer);
      asked?.abort();
    }

    function clear(): void {
      stop();
      isEntered = false;
      list.replaceChildren();
      activate(null);
      say(null);
    }

    input.addEventListener('input', () => {
      stop();
      isPending = true;
      isEntered = false;
      if (!startsActive) activate(null);
      timer = setTimeout(() => void ask(), ASK_AFTER_MS);
    });

    const MOVES: Record<string, (at: number, count: number) => number> = {
      ArrowDown: (at, count) => (at + 1) % count,
      ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
      PageDown: (at, count) => Math.min(at + 8, count - 1),
      PageUp: (at) => Math.max(at - 8, 0),
    };

    input.addEventListener('keydown', (event) => {
      // Enter then accepts what an input method suggests.
      if (event.isComposing) return;
      const all = options();
      const move = MOVES[event.key];
      if (move !== undefined && all.length > 0) {
        event.preventDefault();
        activate(all[move(active === null ? -1 : all.indexOf(active), all.length)] ?? null);
      }
      if (event.key === 'Enter' && (startsActive || active !== null)) {
        event.preventDefault();
        if (startsActive) enter();
        else active?.click();
      }
    });

    // Links within the page: the browser opens what they are in, and focuses them. They send nothing. A theme is chosen.
    list.addEventListener('click', (event) => {
      const option = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
      if (option === null) return;
      chosen();
      const hash = option.getAttribute('href') ?? '';
      const button = hash.startsWith('#') ? document.getElementById(hash.slice(1)) : null;
      if (button?.dataset.theme === undefined) return;
      event.preventDefault();
      button.click();
    });

    return { isEmpty: () => options().length === 0, ask: () => void ask(), clear };
  }

  function startPalette(palette: HTMLDialogElement, input: HTMLInputElement, list: HTMLElement): void {
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
      palette.close();
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

    const combobox = startCombobox(input, list, {
      ownOptions: groupOfActions,
      startsActive: true,
      chosen: () => palette.close(),
    });

    function open(): void {
      if (palette.open) return;
      document.querySelector<HTMLDialogElement>('dialog#shortcuts')?.close();
      input.value = '';
      combobox.clear();
      palette.showModal();
      input.focus();
      combobox.ask();
    }

    document.addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    });
    // A press on the backdrop.
    palette.addEventListener('click', ({ target }) => {
      if (target === palette) palette.close();
    });
    const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
    for (const button of document.querySelectorAll<HTMLElement>('[data-opens=palette]')) {
      button.hidden = false;
      const keys = button.querySelector('kbd');
      if (keys !== null && isMac) keys.textContent = '⌘K';
      button.addEventListener('click', open);
    }
  }

  /** Without scripts, the field is plain, and Enter goes to the search. It still does until an option is chosen. */
  function startSearch(input: HTMLInputElement, panel: HTMLElement, list: HTMLElement): void {
    const SHORTEST = Number(panel.dataset.shortest);
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-autocomplete', 'list'],
      ['aria-controls', list.id],
      ['aria-expanded', 'false'],
    ] as const)
      input.setAttribute(name, value);

    /** @param count of options; null closes the panel @returns whether it is open */
    function open(count: number | null): boolean {
      panel.dataset.open = String(count !== null);
      list.hidden = count === null || count === 0;
      input.setAttribute('aria-expanded', String(!list.hidden));
      return count !== null;
    }

    function close(): void {
      combobox.clear();
      open(null);
    }

    const combobox = startCombobox(input, list, {
      startsActive: false,
      // Short texts find no objects, so they do not say that there are no results.
      shown: (count, text) => open(text === '' || (count === 0 && text.length < SHORTEST) ? null : count),
      chosen: close,
    });

    input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' && combobox.isEmpty() && input.value.trim() !== '') combobox.ask();
      // Only closes. A second Escape empties the field, as the browser does.
      if (event.key !== 'Escape' || panel.dataset.open !== 'true') return;
      event.preventDefault();
      close();
    });
    input.form?.addEventListener('submit', close);
    // A press on an option leaves the focus in the field, which would close the list before the click.
    panel.addEventListener('mousedown', (event) => event.preventDefault());
    input.addEventListener('blur', close);
  }

  const part = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);
  const [palette, input, list] = [
    part<HTMLDialogElement>('dialog#palette'),
    part<HTMLInputElement>('dialog#palette input'),
    part('#palette-options'),
  ];
  if (palette !== null && input !== null && list !== null) startPalette(palette, input, list);
  const [search, panel, found] = [part<HTMLInputElement>('[data-search]'), part('.found'), part('#search-options')];
  if (search !== null && panel !== null && found !== null) startSearch(search, panel, found);
})();

/** The live tail: inserts new entries once, keeps a limited number, and holds them back while it is paused. */
import type { BrowserWords } from '../page/browser-words.ts';

(() => {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as BrowserWords;
  const list = document.querySelector<HTMLElement>('[data-tail]');
  const button = document.querySelector<HTMLButtonElement>('[data-pause-tail]');
  if (list === null || button === null) return;

  const MOST_SHOWN = 200;
  /** Entries that came while paused, the oldest first. */
  let held: Element[] = [];
  let isPaused = false;

  function insert(entries: readonly Element[]): void {
    for (const entry of entries) if (document.getElementById(entry.id) === null) list?.prepend(entry);
    while (list !== null && list.children.length > MOST_SHOWN) list.lastElementChild?.remove();
  }

  function label(): void {
    if (button === null) return;
    const rules = new Intl.PluralRules(document.documentElement.lang);
    const withNew = rules.select(held.length) === 'one' ? words.resumeNew.one : words.resumeNew.other;
    const resume = held.length === 0 ? words.resume : withNew.replace('#', String(held.length));
    button.textContent = isPaused ? resume : words.pause;
    button.setAttribute('aria-pressed', String(isPaused));
  }

  button.hidden = false;
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    if (!isPaused) {
      insert(held);
      held = [];
    }
    label();
  });

  // Instead of htmx: a browser that reconnects gets entries again that it already shows.
  list.addEventListener('htmx:sseBeforeMessage', (event) => {
    const message = (event as CustomEvent<MessageEvent<string>>).detail;
    event.preventDefault();
    const template = document.createElement('template');
    template.innerHTML = message.data;
    const entries = [...template.content.children].reverse();
    if (isPaused) {
      const known = new Set(held.map(({ id }) => id));
      const added = entries.filter(({ id }) => !known.has(id) && document.getElementById(id) === null);
      held = [...held, ...added].slice(-MOST_SHOWN);
      label();
    } else insert(entries);
    // The page then knows that the stream works.
    document.dispatchEvent(new CustomEvent('htmx:sseMessage'));
  });
})();

/** Single keys, and the list of shortcuts (`?`), where they can be turned off. */
(() => {
  const shortcuts = document.querySelector<HTMLDialogElement>('dialog#shortcuts');
  if (shortcuts === null) return;

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
    const isTyping = target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
    if (isTyping || ctrlKey || metaKey || altKey || !usesSingleKeys()) return;
    if (key === 'Enter') openItem(target);
    else if (pressKey(key)) event.preventDefault();
  });

  for (const button of document.querySelectorAll<HTMLElement>('[data-opens=shortcuts]')) {
    button.hidden = false;
    if (button.parentElement?.hidden === true) button.parentElement.hidden = false;
    button.addEventListener('click', () => shortcuts.showModal());
  }
  // A press on the backdrop.
  shortcuts.addEventListener('click', ({ target }) => {
    if (target === shortcuts) shortcuts.close();
  });
})();

/**
 * What every page of the dashboard does in the browser beside htmx: times in the viewer's zone, buttons that copy, menus that
 * close, forms that are sent once. The pages work without it.
 */
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const short: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  const formats: Record<string, Intl.DateTimeFormat> = {
    short: new Intl.DateTimeFormat('en-GB', { ...short, timeZone: zone }),
    full: new Intl.DateTimeFormat('en-GB', {
      ...short,
      ...{ year: 'numeric', second: '2-digit', timeZone: zone },
    }),
  };

  /** `Europe/Berlin (GMT+1)`. */
  function zoneName(): string {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
    const offset = parts.filter(({ type }) => type === 'timeZoneName').map(({ value }) => value)[0];
    const place = zone.replace(/_/g, ' ');
    return offset === undefined || offset === place ? place : `${place} (${offset})`;
  }

  /** To be called for what htmx has put in, too. */
  function enhance(root: ParentNode): void {
    for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-time]')) {
      const format = formats[time.dataset.time ?? ''];
      if (format !== undefined) time.textContent = format.format(new Date(time.dateTime));
    }
    for (const place of root.querySelectorAll('[data-zone]')) place.textContent = zoneName();
    for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
  }

  function tell(text: string): void {
    const told = document.getElementById('told');
    if (told !== null) told.textContent = text;
  }

  async function copy(button: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      button.classList.add('done');
      tell('Copied');
      setTimeout(() => button.classList.remove('done'), 1_500);
    } catch {
      tell('The browser does not let the page copy');
    }
  }

  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details[data-closes][open]');

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('button[data-copy]');
    if (button !== null) void copy(button);
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
  });

  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') {
      for (const menu of openMenus()) {
        menu.open = false;
        menu.querySelector('summary')?.focus();
      }
    }
    const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null;
    if (key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      document.querySelector<HTMLInputElement>('[data-search]')?.focus();
    }
  });

  // A second press sends nothing: the first is on its way. The server carries a form with an attempt out once in any case.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-once]')) return;
    if (form.dataset.sent !== undefined) event.preventDefault();
    form.dataset.sent = '';
    for (const button of form.querySelectorAll('button[type=submit]')) button.setAttribute('aria-disabled', 'true');
  });
  // Out of the browser's memory a form can be sent anew.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled');
    }
  });

  document.addEventListener('htmx:afterSwap', ({ target }) => {
    enhance(document);
    if (!(target instanceof Element)) return;
    const { count } = document.getElementById('results')?.dataset ?? {};
    if (target.id === 'results' && count !== undefined) tell(count === '0' ? 'Nothing matches' : `${count} shown`);
  });

  enhance(document);
})();

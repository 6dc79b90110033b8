/** Lists and refunds in a real browser: keyboard only, parts exchanged by htmx, without scripts. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { startDashboard } from './dashboard.ts';
import { liveCall, paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);

beforeAll(async () => {
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  for (let made = 1; made <= 25; made += 1) {
    const at = new Date(Date.UTC(2026, 2, made)).toISOString();
    const status = made % 2 === 0 ? 'succeeded' : 'failed';
    await seedPayment(dashboard.api.database, scope, { merchant: DEMO_DINER, at, status });
  }
  await dashboard.api.post('/v1/keys', { name: 'A key' });
});

/** Opens a page as the owner, and fails on script errors. @param path within `/dashboard` */
async function onPage(path: string, use: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  // On a busy machine, Chromium reports a skipped view transition as a page error.
  const context = await chrome.browser.newContext({ reducedMotion: 'reduce', ...options });
  try {
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`${dashboard.api.url}/dashboard${path}`);
    await use(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

/** The focused element, and whether its focus is visible: in view, not covered, with an outline. */
interface Stop {
  text: string;
  html: string;
  isSeen: boolean;
  /** Whether it follows the previous stop in the document. True if htmx has removed that one. */
  isInOrder: boolean;
}

/** Waits up to 60 frames for the focus to be visible, because a new page is painted with a delay. */
const STOP = `(async () => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const shown = element.matches('.unseen, input[type=radio], input[type=checkbox]') ? element.closest('label') : element;
  const isSeen = () => {
    const { left, top, width, height } = shown.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    const style = getComputedStyle(shown);
    return above !== null && shown.contains(above) && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  };
  for (let frame = 0; frame < 60 && !isSeen(); frame += 1) await new Promise(requestAnimationFrame);
  const before = globalThis.stopBefore;
  globalThis.stopBefore = element;
  // A date has a stop for its day, month and year.
  const isPartOfDate = element === before && element.type === 'date';
  return {
    text: element.innerText?.trim() || element.getAttribute('aria-label') || element.id,
    html: element.outerHTML,
    isSeen: isSeen(),
    isInOrder: isPartOfDate || before?.isConnected !== true || (before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  };
})()`;

const MOST_STOPS = 120;

/** Presses Tab until `isThere`. Fails if a stop's focus is not visible, or a stop is out of order. @returns the stops */
async function tabTo(page: Page, isThere: (stop: Stop) => boolean): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(STOP);
    if (stop === null) break;
    stops.push(stop);
    if (!stop.isSeen || !stop.isInOrder || isThere(stop)) break;
  }
  const last = stops.at(-1);
  expect(last, last?.html).toMatchObject({ isSeen: true, isInOrder: true });
  expect(last !== undefined && isThere(last), stops.map(({ html }) => html).join('\n')).toBe(true);
  return stops;
}

const hasText = (text: string) => (stop: Stop) => stop.text === text;
const SAME_PAGE = 'Object.assign(globalThis, { isSamePage: true })';
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in globalThis);

test('refunds a charge with the keyboard only', async () => {
  const { charge } = await paidCharge(dashboard.api);
  await onPage('/test/charges', async (page) => {
    const [skip] = await tabTo(page, hasText('Skip to content'));
    expect(skip?.text).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.evaluate(SAME_PAGE);
    await tabTo(page, ({ html }) => html.includes('id="filter-status"'));
    await page.keyboard.type('Succ');
    await page.waitForURL(/status=succeeded/);
    expect(await isSamePage(page)).toBe(true);
    expect(await page.evaluate('document.activeElement.id')).toBe('filter-status');
    await expect.poll(() => page.locator('#status').textContent()).toMatch(/^\d+ shown$/);
    await tabTo(page, ({ html }) => html.includes(charge));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/charges/${charge}`);
    await tabTo(page, ({ html }) => html.includes(`/charges/${charge}/refund`));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/refund?*');
    await page.waitForFunction("document.activeElement.id === 'amount'");
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3.50');
    await tabTo(page, hasText('Continue'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/amount=3\.50/);
    // Not the button: Enter, held down on the page before, would press it.
    await page.waitForFunction("document.activeElement.matches('.notice')");
    expect(await tabTo(page, hasText('Refund $3.50'))).toHaveLength(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/refunds/re_*');
    expect(await page.locator('h1').textContent()).toMatch(/\$3\.50.*Succeeded/);
  });
});

test.each(['/test/overview', '/test/now', '/test/start', '/test/setup/keys/new', '/test/search?q=x'])(
  'shows the focus of every element on %s, in order',
  (path) =>
    onPage(path, async (page) => {
      const last = await page.evaluate<string>(
        `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
           .filter((each) => each.checkVisibility() && each.type !== 'hidden' && !each.disabled).at(-1).outerHTML`,
      );
      await tabTo(page, ({ html }) => html === last);
    }),
);

test.each(LANGUAGE_TAGS)('shows the whole hint of the search on phones in %s', (locale) =>
  onPage(
    '/test/now',
    async (page) => {
      const [needed, room] = await page.locator('.search input[name="q"]').evaluate((input: HTMLInputElement) => {
        const style = getComputedStyle(input);
        const text = document.createElement('span');
        Object.assign(text.style, { font: style.font, letterSpacing: style.letterSpacing, whiteSpace: 'pre' });
        text.style.position = 'absolute';
        text.textContent = input.placeholder;
        document.body.append(text);
        const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
        return [text.getBoundingClientRect().width, input.clientWidth - padding];
      });
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect(needed).toBeGreaterThan(0);
      expect(needed).toBeLessThanOrEqual(room ?? 0);
    },
    { locale, viewport: { width: 390, height: 800 } },
  ),
);

describe('htmx', () => {
  const rows = (page: Page) =>
    page.locator('a.row-link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

  test('replaces the list and the URL when a filter changes, also on Back and Forward', () =>
    onPage('/test/charges', async (page) => {
      const all = await rows(page);
      await page.evaluate(SAME_PAGE);
      await page.getByLabel('Status').selectOption('failed');
      await page.waitForURL(/status=failed/);
      const failed = await rows(page);
      expect(failed).not.toEqual(all);
      expect(await isSamePage(page)).toBe(true);
      // The links follow the filter.
      expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain('status=failed');
      expect(await page.getByRole('link', { name: 'Clear' }).getAttribute('href')).toBe('/dashboard/test/charges');
      await page.goBack();
      await page.waitForURL(/charges$/);
      await expect.poll(() => rows(page)).toEqual(all);
      expect(await page.getByLabel('Status').inputValue()).toBe('');
      await page.goForward();
      await page.waitForURL(/status=failed/);
      await expect.poll(() => rows(page)).toEqual(failed);
      expect(await page.getByLabel('Status').inputValue()).toBe('failed');
    }));

  test.each([
    ['/test/reports', '#merchant', /merchant_id=mer_demo_books/],
    ['/test/overview', '#days', /days=30/],
  ])('shows the page %s of another choice in %s at once, and keeps the focus', (path, field, url) =>
    onPage(path, async (page) => {
      await page.evaluate(SAME_PAGE);
      await page.locator(field).focus();
      await page.locator(field).selectOption(field === '#days' ? '30' : 'mer_demo_books');
      await page.waitForURL(url);
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(field.slice(1));
      expect(await page.locator(field).inputValue()).toBe(field === '#days' ? '30' : 'mer_demo_books');
      expect(await isSamePage(page)).toBe(true);
    }),
  );

  test('keeps the columns of a list in place when a filter changes its rows', () =>
    onPage('/test/charges', async (page) => {
      const columns = () =>
        page.locator('thead th').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x));
      const badges = () => page.locator('tbody td:nth-child(2)').allTextContents();
      const before = await columns();
      expect(new Set(await badges()).size).toBeGreaterThan(1);
      await page.getByLabel('Status').selectOption('failed');
      await expect.poll(async () => new Set(await badges()).size).toBe(1);
      expect(await columns()).toEqual(before);
    }));

  test('shows an entry of the audit trail in two lines on a phone, and its changes when they are opened', () =>
    onPage(
      '/test/audit',
      async (page) => {
        const row = page.locator('tbody tr').first();
        const height = async () => (await row.boundingBox())?.height ?? Number.POSITIVE_INFINITY;
        expect(await height()).toBeLessThan(85);
        expect(await row.locator('pre').isVisible()).toBe(false);
        await row.locator('summary').focus();
        await page.keyboard.press('Enter');
        await row.locator('pre').waitFor();
        expect(await row.locator('.names').isVisible()).toBe(true);
      },
      { viewport: { width: 390, height: 844 } },
    ));

  test.each(['de', 'en', 'es', 'fr'])('shows the whole name of each step of the funnel on a phone: %s', (locale) =>
    onPage(
      '/test/overview?from=2026-03-01&to=2026-03-20',
      async (page) => {
        const names = page.locator('tr:has(.share) > td:first-child');
        expect(await names.count()).toBeGreaterThan(5);
        const cut = await names.evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
        );
        expect(cut).toEqual([]);
      },
      { viewport: { width: 390, height: 844 }, locale },
    ),
  );

  test('opens the tabs of the settings as a menu on a phone, with the keyboard and without scripts', async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    const strip = 'nav.tabs';
    await onPage(
      '/test/setup/keys',
      async (page) => {
        const menu = page.locator('.tab-menu');
        expect(await page.locator(strip).isVisible()).toBe(false);
        expect(await menu.locator('summary').textContent()).toBe('Settings API keys');
        await menu.locator('summary').focus();
        await page.keyboard.press('Enter');
        expect(await menu.getByRole('link').count()).toBe(7);
        await menu.getByRole('link', { name: 'Users' }).click();
        await page.waitForURL('**/test/setup/users');
        expect(await menu.getByRole('link').count()).toBe(0);
      },
      { ...phone, javaScriptEnabled: false },
    );
    await onPage('/test/setup/keys', async (page) => {
      expect(await page.locator(strip).isVisible()).toBe(true);
      expect(await page.locator('.tab-menu').isVisible()).toBe(false);
    });
  });

  test('replaces the list by older and newer pages, and by the previous one on Back', () =>
    onPage('/test/charges', async (page) => {
      const first = await rows(page);
      await page.evaluate(SAME_PAGE);
      await page.getByRole('link', { name: 'Older' }).click();
      await page.waitForURL(/starting_after=/);
      const second = await rows(page);
      expect(second.filter((href) => first.includes(href))).toEqual([]);
      await page.getByRole('link', { name: 'Newer' }).click();
      await expect.poll(() => rows(page)).toEqual(first);
      expect(await isSamePage(page)).toBe(true);
      await page.goBack();
      await expect.poll(() => rows(page)).toEqual(second);
      // A new filter starts at the newest entries.
      await page.getByLabel('Status').selectOption('failed');
      await page.waitForURL(/status=failed/);
      expect(page.url()).not.toContain('starting_after');
    }));

  test('keeps the list if the service does not respond, and says so', () =>
    onPage('/test/charges', async (page) => {
      const { database } = dashboard.api;
      const { query } = database;
      try {
        database.query = (() => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))) as never;
        await page.getByLabel('Status').selectOption('failed');
        await page.getByText('cannot reach its database').waitFor();
        expect(page.url()).toContain('status=failed');
      } finally {
        database.query = query;
      }
      await page.reload();
      const left = await rows(page);
      await page.route('**/charges?*', (route) => route.abort());
      await page.getByLabel('Status').selectOption('succeeded');
      await page.getByText('The list has not changed.').waitFor();
      expect(await rows(page)).toEqual(left);
    }));
});

test('keeps what is open on the page of a live call while the page updates itself', async () => {
  const { session } = await paidCharge(dashboard.api);
  const call = await liveCall(dashboard.api, session, 'expiry');
  await onPage(`/test/calls/${call}`, async (page) => {
    await page.locator('#technical > summary').click();
    await page.evaluate("document.getElementById('call').dataset.isOld = ''");
    await page.locator('#call:not([data-is-old])').waitFor({ timeout: 120_000 });
    expect(await page.locator('#technical').getAttribute('open')).toBe('');
  });
});

test('keeps the density that the user has chosen in the browser', () =>
  onPage('/test/charges', async (page) => {
    const heightOf = () =>
      page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height);
    const before = await heightOf();
    await page.locator('details.user > summary').click();
    await page.getByRole('button', { name: 'Compact' }).click();
    const compact = await heightOf();
    expect(compact).toBeLessThan(before - 5);
    await page.reload();
    expect(await heightOf()).toBe(compact);
    await page.locator('details.user > summary').click();
    expect(await page.getByRole('button', { name: 'Compact' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Comfortable' }).click();
    expect(await heightOf()).toBe(before);
  }));

describe('the theme', () => {
  const themeOf = (page: Page) =>
    page.evaluate<string>(`(() => {
      const { colorScheme } = getComputedStyle(document.documentElement);
      const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
      return colorScheme + ', ' + (red > 128 ? 'light' : 'dark') + ' paper';
    })()`);
  const dark = 'dark, dark paper';

  test('is kept as the user has chosen it, from the first byte, on the sign-in page and the wall board too', () =>
    onPage('/test/charges', async (page) => {
      expect(await themeOf(page)).toBe('light dark, light paper');
      await page.locator('details.user > summary').click();
      await page.getByRole('button', { name: 'Dark', exact: true }).click();
      expect(await themeOf(page)).toBe(dark);
      for (const path of ['/test/charges', '/test/wall', '/test/nothing', '/sign-in?again=1', '/invitation/none']) {
        const html = await (await page.goto(`${dashboard.api.url}/dashboard${path}`))?.text();
        expect(html, path).toContain('data-theme="dark"');
        expect(html, path).toContain('<meta name="color-scheme" content="dark"/>');
        expect(await themeOf(page), path).toBe(dark);
      }
      await page.goto(`${dashboard.api.url}/dashboard/test/charges`);
      await page.emulateMedia({ media: 'print' });
      expect(await themeOf(page)).toMatch(/^light, /);
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
      await page.locator('details.user > summary').click();
      expect(await page.getByRole('button', { name: 'Dark', exact: true }).getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('button', { name: 'Light', exact: true }).click();
      expect(await themeOf(page)).toBe('light, light paper');
      await page.getByRole('button', { name: 'System', exact: true }).click();
      await page.reload();
      expect(await themeOf(page)).toBe('light dark, dark paper');
    }));

  test('is chosen in the command palette', () =>
    onPage('/test/charges', async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('#palette input').fill('theme dark');
      await page.getByRole('option', { name: 'Theme: Dark', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('html[data-theme=dark]').waitFor();
      expect(await page.locator('dialog#palette').getAttribute('open')).toBeNull();
      expect(await page.locator('#status').textContent()).toBe('Dark');
      await page.reload();
      expect(await themeOf(page)).toBe(dark);
    }));
});

test('filters, pages and refunds without scripts', async () => {
  const { charge } = await paidCharge(dashboard.api);
  await onPage(
    '/test/charges',
    async (page) => {
      await page.getByLabel('Status').selectOption('succeeded');
      await page.getByRole('button', { name: 'Filter' }).click();
      expect(page.url()).toContain('status=succeeded');
      await page.getByRole('link', { name: 'Clear' }).click();
      await page.getByRole('link', { name: 'Older' }).click();
      expect(page.url()).toContain('starting_after=');
      await page.getByRole('link', { name: 'Newer' }).click();
      await page.locator(`a.row-link[href$="${charge}"]`).click();
      await page.locator(`a[href$="/charges/${charge}/refund"]`).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: /^Refund \$/ }).click();
      expect(page.url()).toContain('/refunds/re_');
      await page.getByText('Times in UTC').first().waitFor();
    },
    { javaScriptEnabled: false },
  );
});

test('a merchant’s form starts with UTC if the browser has no valid time zone', () =>
  onPage('/test/setup/merchants/new', async (page) => {
    for (const zone of [undefined, '', 'Etc/Unknown', 'Mars/Phobos']) {
      await page.addInitScript((given) => {
        const { resolvedOptions } = Intl.DateTimeFormat.prototype;
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return { ...resolvedOptions.call(this), timeZone: given as string };
        };
      }, zone);
      await page.goto(`${dashboard.api.url}/dashboard/test/setup/merchants/new`);
      expect(await page.getByLabel('Time zone').inputValue(), zone).toBe('UTC');
    }
  }));

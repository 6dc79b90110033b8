/** Every page of the dashboard on a phone, on a tablet and on paper: nothing scrolls sideways or is cut off. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';

const dashboard = useFixture(() => startFilledDashboard());
const chrome = useFixture(startTestBrowser);

const LIMIT_MS = 600_000;
const PHONE = { width: 390, height: 844 };
const TABLET = { width: 768, height: 1_024 };
/** A4 between its margins, at 96 pixels per inch. */
const SHEET = { width: 688, height: 1_000 };

/** What does not fit into the width of the page. Code and tables of their own may scroll on a screen. */
const CUT = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page scrolls sideways'] : []),
  ...[...document.querySelectorAll('.tabs a, .head a, .head button, table')]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < -1 || right > document.documentElement.clientWidth + 1;
    })
    .map((element) => 'cut off: ' + element.outerHTML.slice(0, 100)),
]`;

/** What belongs on screens only. */
const ON_PAPER = `[
  ...[...document.querySelectorAll('nav, .bar, .filters, button, a.button, .skip')]
    .filter((element) => element.checkVisibility())
    .map((element) => 'on paper: ' + element.outerHTML.slice(0, 100)),
  ...(getComputedStyle(document.documentElement).colorScheme === 'light' ? [] : ['dark paper']),
]`;

/** The paths of all pages, without streams, files, parts of pages, and previews of the pay page. */
async function pagePaths(): Promise<string[]> {
  const paths = dashboard.pathsOf('GET').filter((path) => !isStream(path));
  const filled = paths.map((path) => `/test${filledPath(path, dashboard.ids)}`);
  const answers = await Promise.all(filled.map((path) => dashboard.get(path)));
  return filled.filter((_, at) => {
    const { status, headers, html } = answers[at] ?? { status: 0, headers: new Headers(), html: '' };
    return status < 400 && /text\/html/.test(headers.get('content-type') ?? '') && html.includes('<body data-mode');
  });
}

async function faultsOf(page: Page, path: string): Promise<string[]> {
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.goto(`${dashboard.api.url}/dashboard${path}`);
  const onPhone = await page.evaluate<string[]>(CUT);
  await page.setViewportSize(TABLET);
  const onTablet = await page.evaluate<string[]>(CUT);
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const onPaper = [...(await page.evaluate<string[]>(CUT)), ...(await page.evaluate<string[]>(ON_PAPER))];
  const faults = { phone: onPhone, tablet: onTablet, paper: onPaper };
  return Object.entries(faults).flatMap(([on, found]) => found.map((fault) => `${path}, ${on}: ${fault}`));
}

test(
  'fits every page on a phone, on a tablet and on paper, which has no navigation and no dark background',
  async () => {
    const context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
    try {
      const [name = '', value = ''] = dashboard.user.cookie.split('=');
      await context.addCookies([{ name, value, url: dashboard.api.url }]);
      const page = await context.newPage();
      const paths = await pagePaths();
      expect(paths.length).toBeGreaterThan(40);
      const faults: string[] = [];
      for (const path of paths) faults.push(...(await faultsOf(page, path)));
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  },
  LIMIT_MS,
);

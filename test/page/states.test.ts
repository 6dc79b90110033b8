/**
 * Every state of the pay page in a browser, in every language and both themes, on the narrowest phone: axe-core finds no
 * barriers, and the page does not scroll sideways. With RINGKEY_TEST_SCREENSHOTS, screenshots are kept.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../../src/http/api/rate-limiter.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { findBarriers } from './axe.ts';
import { STATES } from './page-states.ts';
import { getPage, openTestPage, postForm, VISA } from './pages.ts';
import { keepsScreenshots, takeScreenshots } from './screenshots.ts';

const NARROWEST = { width: 320, height: 640 };

/** Disables the redirect of the receipt after 5 s, which a busy machine would not finish in. */
const STAY = `const { setTimeout } = window;
  window.setTimeout = (run, ms, ...given) => (ms >= 5000 ? 0 : setTimeout(run, ms, ...given));`;

const api = useFixture(() => startTestApi({ vault: createVault([Buffer.alloc(32, 7)]) }));
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  context = await chrome.browser.newContext({ viewport: NARROWEST, reducedMotion: 'reduce' });
  await context.addInitScript(STAY);
});
afterAll(() => context.close());
// Each test has a new page, because a pending navigation of the last page would disturb the next test.
beforeEach(async () => {
  page = await context.newPage();
});
afterEach(() => page.close());

/** How far the page scrolls sideways, and the elements that extend beyond the window. */
const OVERFLOW = `({
  scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  sticksOut: [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML),
})`;

/** WCAG 2.5.8: targets are at least 24 px high and wide. */
const TOO_SMALL = `[...document.querySelectorAll('a, button, input:not([type=hidden])')]
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < 24 || height < 24;
  })
  .map((element) => element.outerHTML)`;

/** The focused element, which a screen reader reads first: the heading of a new state, or the form's errors. */
const FOCUSED = 'document.activeElement.id || document.activeElement.localName';
const firstRead = (name: string) => (/^ready-wrong|^declined/.test(name) ? 'form-errors' : 'h1');

/** Invalid fields without an error message, or without a reference to it. */
const WITHOUT_ERROR = `[...document.querySelectorAll('input[aria-invalid=true]')]
  .filter((input) => !document.getElementById(input.id + '-fault')?.textContent
    || !input.getAttribute('aria-describedby')?.split(' ').includes(input.id + '-fault'))
  .map((input) => input.id)`;

describe.each(STATES)('$name', ({ name, state, reach }) => {
  test('has no accessibility barrier in any language, light and dark', async () => {
    const [path, query = ''] = (await reach(api)).split('?');
    for (const [at, language] of LANGUAGE_TAGS.entries()) {
      await page.setViewportSize(NARROWEST);
      await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'light' : 'dark' });
      await page.goto(`${api.url}${path}?${query}&lang=${language}`);
      expect(await page.locator('main').getAttribute('data-state')).toBe(state);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.evaluate(OVERFLOW), language).toEqual({ scrolls: 0, sticksOut: [] });
      expect(await findBarriers(page), language).toEqual([]);
      if (language === 'en') {
        expect(await page.evaluate(TOO_SMALL)).toEqual([]);
        expect(await page.evaluate(WITHOUT_ERROR)).toEqual([]);
        expect(await page.evaluate('document.getAnimations().length'), 'motion').toBe(0);
        if (!/^ready(?!-wrong)/.test(name)) expect(await page.evaluate(FOCUSED)).toBe(firstRead(name));
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await findBarriers(page), 'dark').toEqual([]);
      }
      if (keepsScreenshots) await takeScreenshots(page, `${name}-${language}`);
    }
  });
});

// A window of 1,280 px at 200% (WCAG 1.4.4), and a phone whose font size is set to 200%.
test.each(STATES.filter(({ name }) => /^(ready-whole|ready-wrong|action|paid|declined-field)/.test(name)))(
  '$name can be enlarged to 200%',
  async ({ reach }) => {
    const path = await reach(api);
    await page.setViewportSize({ width: 640, height: 360 });
    await page.goto(`${api.url}${path}`);
    expect(await page.evaluate(OVERFLOW)).toEqual({ scrolls: 0, sticksOut: [] });
    await page.setViewportSize({ width: 390, height: 844 });
    // Set through the debugger, because the CSP forbids inline styles.
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await page.evaluate(OVERFLOW)).toEqual({ scrolls: 0, sticksOut: [] });
    const cut = await page.evaluate(`[...document.querySelectorAll('main p, main dd, main h1, main button')]
      .filter((element) => !element.closest('.unseen') && element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.outerHTML)`);
    expect(cut).toEqual([]);
  },
);

test('fits the reference of a receipt on one line on the narrowest phone', async () => {
  const paid = STATES.find(({ name }) => name === 'paid');
  const path = await paid?.reach(api);
  await page.setViewportSize(NARROWEST);
  for (const language of LANGUAGE_TAGS) {
    await page.goto(`${api.url}${path}?lang=${language}`);
    const [height = Number.NaN, line = Number.NaN] = (await page.evaluate(`(() => {
      const reference = document.querySelector('.facts .small');
      return [reference.getBoundingClientRect().height, parseFloat(getComputedStyle(reference).lineHeight)];
    })()`)) as number[];
    expect(height, language).toBeLessThan(1.5 * line);
  }
});

describe('error pages', () => {
  const strangers = { 'sec-fetch-site': 'cross-site' };
  const limits = { ...RATE_LIMITS, link: { requests: 1, windowSeconds: 600 } };
  const broken = useFixture(() =>
    startTestApi({ rateLimits: limits, pay: () => Promise.reject(new Error('failure of the test')) }),
  );

  test.each([
    ['403', async () => ({ form: { headers: strangers } })],
    ['429', async () => ({ path: '/p/abcdefghijkm' })],
    ['500', async () => ({ form: { headers: { 'sec-fetch-site': 'same-origin' } } })],
  ] as const)('have no accessibility barriers in any language: %s', async (status, setUp) => {
    const { path: wrong, form } = { path: undefined, form: undefined, ...(await setUp()) };
    const own = await openTestPage(broken.database);
    const { attempt = '' } = await getPage(broken.url + own.path);
    if (wrong !== undefined) await getPage(broken.url + wrong);
    for (const language of LANGUAGE_TAGS) {
      const url = `${broken.url}${wrong ?? own.path}?lang=${language}`;
      const answer = form === undefined ? await getPage(url) : await postForm(url, { attempt, ...VISA }, form.headers);
      expect(String(answer.status)).toBe(status);
      await page.setViewportSize(NARROWEST);
      // Serves the fetched response with its headers, because the browser cannot send a form of another site here.
      await page.route(url, (route) =>
        route.fulfill({ status: 200, headers: Object.fromEntries(answer.headers), body: answer.html }),
      );
      await page.goto(url);
      await page.unroute(url);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await expect.poll(() => page.evaluate(FOCUSED)).toBe('h1');
      expect(await page.evaluate(OVERFLOW), language).toEqual({ scrolls: 0, sticksOut: [] });
      expect(await findBarriers(page), language).toEqual([]);
    }
    if (keepsScreenshots) await takeScreenshots(page, `note-${status}`);
  });
});

test('animates the progress icon unless the payer prefers reduced motion', async () => {
  const working = STATES.find(({ name }) => name === 'working');
  await page.goto(`${api.url}${await working?.reach(api)}`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  try {
    expect(await page.evaluate('document.getAnimations().length')).toBe(1);
  } finally {
    await page.emulateMedia({ reducedMotion: 'reduce' });
  }
});

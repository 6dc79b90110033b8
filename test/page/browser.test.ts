/** Paying on the page in a browser with the keyboard only, with and without JavaScript. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { openTestPage } from './pages.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);

/** Opens a new page. Fails on console errors, warnings and script errors. */
async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await chrome.browser.newContext(options);
  const errors: string[] = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await use(page);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
  }
}

const stateOf = (page: Page) => page.locator('main').getAttribute('data-state');

/** More than the number of elements that Tab stops at. */
const MOST_STOPS = 20;

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** Enters a card with the keyboard, starting at the focused element. */
async function typeCard(page: Page, number: string): Promise<void> {
  await tabTo(page, '#number');
  await page.keyboard.type(number);
  await page.keyboard.press('Tab');
  await page.keyboard.type('12 / 39');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await Promise.all([page.waitForURL(/\?/), page.keyboard.press('Enter')]);
}

describe.each([
  ['without JavaScript', { javaScriptEnabled: false }],
  ['with JavaScript', {}],
])('%s', (_name, options) => {
  test('pays with another card after a decline, and shows the receipt on Back', async () => {
    const { path } = await openTestPage(api.database);
    await withPage(options, async (page) => {
      await page.goto(`${api.url}${path}`);
      await typeCard(page, '4000000000009995');
      await page.locator('main[data-state=declined]').waitFor();
      expect(await page.locator('#form-errors').textContent()).toContain('did not approve this amount');
      expect(await page.locator(':focus').getAttribute('id')).toBe('form-errors');
      await typeCard(page, '4242424242424242');
      await page.locator('main[data-state=paid]').waitFor();
      expect(await page.locator(':focus').textContent()).toBe('Paid');
      await page.goBack({ waitUntil: 'load' });
      await page.reload();
      expect(await stateOf(page)).toBe('paid');
    });
  });

  test('shows a form that pays when the payer goes back after a decline', async () => {
    const { path } = await openTestPage(api.database);
    await withPage(options, async (page) => {
      await page.goto(`${api.url}${path}`);
      const sent = await page.locator('input[name=attempt]').getAttribute('value');
      await typeCard(page, '4000000000009995');
      await page.locator('main[data-state=declined]').waitFor();
      await page.goBack();
      await page.locator('main[data-state=declined]').waitFor();
      expect(await page.locator('input[name=attempt]').getAttribute('value')).not.toBe(sent);
      await typeCard(page, '4242424242424242');
      await page.locator('main[data-state=paid]').waitFor();
    });
  });

  test('shows errors above the form, each with a link to its field', async () => {
    const { path } = await openTestPage(api.database);
    await withPage(options, async (page) => {
      await page.goto(`${api.url}${path}`);
      await page.getByRole('button', { name: 'Pay $42.50', exact: true }).click();
      const [first] = await page.locator('#form-errors a').all();
      await first?.click();
      expect(await page.locator(':focus').getAttribute('id')).toBe('number');
      expect(await page.locator('#number').getAttribute('aria-invalid')).toBe('true');
    });
  });
});

test('redirects from the receipt to the integrator’s site unless the payer stays', async () => {
  const [back, stays] = await Promise.all(
    [1, 2].map(() => openTestPage(api.database, { session: { returnTo: `${api.url}/docs` } })),
  );
  await withPage({}, async (page) => {
    await page.clock.install();
    await page.goto(`${api.url}${stays?.path}`);
    await typeCard(page, '4242424242424242');
    await page.locator('#stay').click();
    await page.clock.fastForward(20_000);
    expect(await stateOf(page)).toBe('paid');
  });
  await withPage({}, async (page) => {
    await page.goto(`${api.url}${back?.path}`);
    await typeCard(page, '4242424242424242');
    await page.waitForURL(`${api.url}/docs`);
  });
});

test('loads with two requests and at most 15 KB, compressed', async () => {
  const { path } = await openTestPage(api.database);
  await withPage({}, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const sizes = new Map<string, number>();
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      sizes.set(requestId, encodedDataLength),
    );
    const requested = new Map<string, string>();
    session.on('Network.requestWillBeSent', ({ requestId, request: { url, method } }) => {
      // Without the beacon and the requests for the state of the call, which follow once the page is loaded.
      if (method === 'GET' && !url.startsWith('data:') && !/\/(events|state)/.test(url)) requested.set(requestId, url);
    });
    await page.goto(`${api.url}${path}`, { waitUntil: 'load' });
    await expect.poll(() => [...requested.keys()].every((id) => sizes.has(id))).toBe(true);
    expect([...requested.values()]).toHaveLength(2);
    const bytes = [...requested.keys()].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
    expect(bytes).toBeLessThanOrEqual(15 * 1024);
  });
});

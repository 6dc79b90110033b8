/**
 * Filters of a list in a browser: two on a phone, the others behind "More filters"; all of them where there is room.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1_280, height: 844 };

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  await paidCharge(dashboard.api, 'A-1001');
  context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  const [name = '', value = ''] = dashboard.user.cookie.split('=');
  await context.addCookies([{ name, value, url: dashboard.api.url }]);
});
afterAll(() => context.close());
beforeEach(async () => {
  page = await context.newPage();
});
afterEach(() => page.close());

async function open(path: string, viewport: typeof PHONE): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto(`${dashboard.api.url}/dashboard/test${path}`);
}
const field = (label: string) => page.getByLabel(label, { exact: true });
const more = () => page.locator('.more-filters > summary');
const isVisible = (label: string) => field(label).isVisible();

async function expectNoBarriers(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page), colorScheme).toEqual([]);
  }
}

test('a phone shows two, and the list below them', async () => {
  await open('/charges', PHONE);
  expect(await page.locator('.filters .field:visible').count()).toBe(2);
  expect(await isVisible('Order')).toBe(false);
  const { y = Number.POSITIVE_INFINITY } = (await page.locator('#results').boundingBox()) ?? {};
  expect(y).toBeLessThan(PHONE.height / 2);
  await expectNoBarriers();
});

test('the others are reached by the keyboard, filter, and stay open', async () => {
  await open('/charges', PHONE);
  await page.locator('.filters .field:visible').last().locator('input, select').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.localName')).toBe('summary');
  await page.keyboard.press('Enter');
  await field('Order').focus();
  await page.keyboard.type('A-1001');
  await page.keyboard.press('Enter');
  await page.waitForURL(/order_id=A-1001/);
  expect(await isVisible('Order')).toBe(true);
  await expectNoBarriers();
});

test('an active one among them opens them, and is counted', async () => {
  await open('/charges?order_id=A-1001&last_four=4242', PHONE);
  expect(await more().textContent()).toBe('More filters (2 set)');
  expect(await field('Order').inputValue()).toBe('A-1001');
  expect(await isVisible('Order')).toBe(true);
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-filters-open');
  // One of the first two does not.
  await open('/charges?since=7d', PHONE);
  expect(await isVisible('Order')).toBe(false);
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-filters');
});

test('a desk shows all, without anything to open', async () => {
  await open('/charges', DESK);
  expect(await more().isVisible()).toBe(false);
  const all = await page.locator('.filters .field').count();
  expect(all).toBeGreaterThan(4);
  expect(await page.locator('.filters .field:visible').count()).toBe(all);
  const seen = new Set<string>();
  await page.locator('.filters select').first().focus();
  for (let pressed = 0; pressed < all; pressed += 1) {
    seen.add(String(await page.evaluate('document.activeElement.name')));
    await page.keyboard.press('Tab');
  }
  expect(seen.size).toBe(all);
  await field('Order').fill('A-1001');
  await page.keyboard.press('Enter');
  await page.waitForURL(/order_id=A-1001/);
  await expectNoBarriers();
});

test('a browser that cannot show a closed part has it open by hand, on a desk, too', async () => {
  await open('/charges', DESK);
  await page.evaluate(WITHOUT_SUPPORT);
  expect(await more().isVisible()).toBe(true);
  expect(await isVisible('Order')).toBe(false);
  await more().click();
  expect(await isVisible('Order')).toBe(true);
  await expectNoBarriers();
});

/** Takes what stands behind `@supports selector(::details-content)` out of the style sheets. */
const WITHOUT_SUPPORT = `for (const sheet of document.styleSheets)
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1)
    if (sheet.cssRules[at].conditionText?.includes('details-content')) sheet.deleteRule(at);`;

/** The filters of a list in a browser: two on a phone, three on a desktop, the others under "More filters". */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1_280, height: 844 };

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  await paidCharge(dashboard.api, 'A-1001');
  context = await chrome.browser.newContext({ reducedMotion: 'reduce', timezoneId: 'America/New_York' });
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

test('shows two filters on a phone, with the list below them', async () => {
  await open('/charges', PHONE);
  expect(await page.locator('.filters .field:visible').count()).toBe(2);
  expect(await isVisible('Order')).toBe(false);
  const { y = Number.POSITIVE_INFINITY } = (await page.locator('#results').boundingBox()) ?? {};
  expect(y).toBeLessThan(PHONE.height / 2);
  await expectNoBarriers();
});

test('opens the other filters with the keyboard, and keeps them open after filtering', async () => {
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

test('opens the other filters if one of them is set, and shows how many are', async () => {
  await open('/charges?order_id=A-1001&last_four=4242', PHONE);
  expect(await more().textContent()).toBe('More filters (2 set)');
  expect(await field('Order').inputValue()).toBe('A-1001');
  expect(await isVisible('Order')).toBe(true);
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-filters-open');
  // The first two filters do not count.
  await open('/charges?since=7d', PHONE);
  expect(await isVisible('Order')).toBe(false);
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-filters');
});

test('shows status, period and merchant in one row on a desktop, with the others one key away', async () => {
  await open('/charges', DESKTOP);
  const shown = () => page.locator('.filters .field:visible > label').allTextContents();
  expect(await shown()).toEqual(['Status', 'Created', 'Merchant']);
  const { height = Number.POSITIVE_INFINITY } = (await page.locator('.filters').boundingBox()) ?? {};
  expect(height).toBeLessThan(80);
  await expectNoBarriers();
  const all = await page.locator('.filters .field').count();
  expect(all).toBeGreaterThan(8);
  await more().focus();
  const before = await more().boundingBox();
  await page.keyboard.press('Enter');
  expect(await shown()).toHaveLength(all);
  expect(await more().boundingBox()).toEqual(before);
  const seen = new Set<string>();
  await page.locator('.filters select').first().focus();
  // A date has a stop for its day, month and year, and for its calendar.
  for (let pressed = 0; pressed < 4 * all && seen.size < all; pressed += 1) {
    const name = await page.evaluate('document.activeElement.name');
    if (name !== undefined) seen.add(String(name));
    await page.keyboard.press('Tab');
  }
  expect(seen.size).toBe(all);
  await field('Order').fill('A-1001');
  await page.keyboard.press('Enter');
  await page.waitForURL(/order_id=A-1001/);
  await expectNoBarriers();
});

test('counts the set filters under "More filters", also without scripts, and keeps the merchant on a phone if set', async () => {
  await open('/charges', DESKTOP);
  await more().click();
  await page.locator('#filter-needs_settling').selectOption('true');
  await expect.poll(() => more().textContent()).toBe('More filters (1 set)');
  await open('/charges?merchant_id=mer_demo_diner', PHONE);
  expect(await page.locator('.filters .field:visible > label').allTextContents()).toContain('Merchant');
  const scriptless = await chrome.browser.newContext({ javaScriptEnabled: false });
  await scriptless.addCookies(await context.cookies());
  const plain = await scriptless.newPage();
  await plain.goto(`${dashboard.api.url}/dashboard/test/charges`);
  await plain.locator('.more-filters > summary').click();
  await plain.getByLabel('Order', { exact: true }).fill('A-1001');
  await plain.getByRole('button', { name: 'Filter', exact: true }).click();
  await plain.waitForURL(/order_id=A-1001/);
  expect(await plain.locator('.more-filters > summary').textContent()).toBe('More filters (1 set)');
  await scriptless.close();
});

test('says at the day what is wrong with it while the filters change, and until it is right', async () => {
  await open('/charges', DESKTOP);
  await more().click();
  await field('From').fill('2026-11-02');
  await page.waitForURL(/from=2026-11-02/);
  await field('To').fill('2026-11-01');
  const fault = page.locator('#filter-to-fault', { hasText: 'This must not be before the first day.' });
  await fault.waitFor();
  expect(await field('To').getAttribute('aria-describedby')).toBe('filter-to-fault');
  expect(await page.locator('#results table').count()).toBe(0);
  await expectNoBarriers();
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-filters-wrong-days');
  await field('To').fill('2099-12-31');
  await fault.waitFor({ state: 'detached' });
  await page.locator('#results', { hasText: '2026-11-02 to 2099-12-31' }).waitFor();
});

test('names the filters of a printed list, which has no form', async () => {
  await open('/charges?status=failed&merchant_id=mer_demo_diner&since=7d', DESKTOP);
  const printed = page.locator('.printed');
  expect(await printed.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.filters').isVisible()).toBe(false);
  expect(await printed.locator('dt').allTextContents()).toEqual(['Created', 'Status', 'Merchant']);
  expect(await printed.locator('dd').allTextContents()).toEqual(['Last 7 days', 'Failed', 'Demo Diner']);
});

test('filters by days of the time zone that the page shows times in, and keeps the zone of a link', async () => {
  const books = 'mer_demo_books';
  await dashboard.api.database.query(`update merchants set time_zone = 'Asia/Kolkata' where id = $1`, [books]);
  await open('/charges', DESKTOP);
  const named = () => page.locator('[data-zone]').allTextContents();
  expect(await named()).toEqual(['UTC', 'UTC']);
  await field('Merchant').selectOption(books);
  await page.waitForURL(/merchant_id=mer_demo_books/);
  await page.locator('#time-zone', { hasText: 'Asia/Kolkata' }).waitFor();
  expect(await named()).toEqual(['Asia/Kolkata (GMT+5:30)', 'Asia/Kolkata (GMT+5:30)']);
  await more().click();
  await field('From').fill('2026-11-01');
  await page.waitForURL(/from=2026-11-01/);
  expect(new URL(page.url()).searchParams.get('zone')).toBe('Asia/Kolkata');
  await page.locator('#results', { hasText: 'days in Asia/Kolkata' }).waitFor();
  await open('/charges?from=2026-11-01&to=2099-12-31&zone=Pacific%2FAuckland', PHONE);
  expect(await page.locator('#results').textContent()).toContain('days in Pacific/Auckland');
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-days');
  await expectNoBarriers();
  await field('To').fill('2099-12-30');
  await page.waitForURL(/to=2099-12-30/);
  expect(new URL(page.url()).searchParams.get('zone')).toBe('Pacific/Auckland');
});

test('opens "More filters" on a desktop in browsers without ::details-content', async () => {
  await open('/charges', DESKTOP);
  await page.evaluate(WITHOUT_SUPPORT);
  expect(await more().isVisible()).toBe(true);
  expect(await isVisible('Order')).toBe(false);
  await more().click();
  expect(await isVisible('Order')).toBe(true);
  await expectNoBarriers();
});

/** Deletes the rules within `@supports selector(::details-content)` from the style sheets. */
const WITHOUT_SUPPORT = `for (const sheet of document.styleSheets)
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1)
    if (sheet.cssRules[at].conditionText?.includes('details-content')) sheet.deleteRule(at);`;

/** Typing a card into the page's own fields in a browser: format, brand, and errors when a field is left. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { findBarriers } from './axe.ts';
import { getPage, openTestPage, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await chrome.browser.newContext({ viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  const { path } = await openTestPage(api.database, { merchant: { asksPostalCode: true } });
  await page.goto(api.url + path);
});
afterEach(() => context.close());

const shownIn = (name: string) => page.locator(`#${name}`).inputValue();

test.each([
  ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
  ['378282246310005', '3782 822463 10005', 'Amex'],
  ['5555-5555-5555-4444', '5555 5555 5555 4444', 'Mastercard'],
  ['2223', '2223', 'Mastercard'],
  ['2720', '2720', 'Mastercard'],
  ['9', '9', ''],
])('shows the number %s as %s, with the brand %s', async (typed, shown, brand) => {
  await page.locator('#number').pressSequentially(typed);
  expect(await shownIn('number')).toBe(shown);
  expect(await page.locator('.brand').textContent()).toBe(brand);
});

test('inserts a digit at the caret in the middle of a number', async () => {
  await page.locator('#number').pressSequentially('424242424242424');
  for (let place = 0; place < 15; place += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('9');
  expect(await shownIn('number')).toBe('4249 2424 2424 2424');
  await page.keyboard.press('Backspace');
  expect(await shownIn('number')).toBe('4242 4242 4242 424');
});

test.each([
  ['1239', '12 / 39'],
  ['439', '04 / 39'],
  ['4/39', '04 / 39'],
  ['1/39', '01 / 39'],
  ['12 / 39', '12 / 39'],
  ['12/2039', '12 / 2039'],
])('shows the expiry %s as %s', async (typed, shown) => {
  await page.locator('#expiry').pressSequentially(typed);
  expect(await shownIn('expiry')).toBe(shown);
});

test('lets the payer delete the slash of the expiry', async () => {
  await page.locator('#expiry').pressSequentially('12');
  expect(await shownIn('expiry')).toBe('12 / ');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  expect(await shownIn('expiry')).toBe('1');
});

test.each([
  ['number', '4242424242424241', 'a digit is wrong'],
  ['number', '42424242', 'too short'],
  ['expiry', '0120', 'in the past'],
  ['expiry', '1339', 'month and year'],
  ['security_code', '12', 'wrong length'],
  ['postal_code', '1', 'Check the postal code'],
])('shows the error of %s %s when the field is left, until it is corrected', async (name, typed, words) => {
  const field = page.locator(`#${name}`);
  await field.pressSequentially(typed);
  expect(await page.locator('.fault').count()).toBe(0);
  await page.keyboard.press('Tab');
  const fault = page.locator(`#${name}-fault`);
  expect(await fault.textContent()).toContain(words);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.getAttribute('aria-describedby')).toContain(`${name}-fault`);
  expect(await findBarriers(page)).toEqual([]);
  await field.fill({ ...VISA, postal_code: 'SW1A 1AA' }[name] ?? '');
  expect(await fault.count()).toBe(0);
  expect(await field.getAttribute('aria-invalid')).toBeNull();
});

test('shows no error for a field that is left empty', async () => {
  await page.locator('#number').focus();
  for (let stop = 0; stop < 4; stop += 1) await page.keyboard.press('Tab');
  expect(await page.locator('.fault').count()).toBe(0);
});

test('shows errors in the page’s language without a request, and keeps the values', async () => {
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  const before = posts.length;
  await page.locator('#number').fill('4242 4242 4242 4241');
  await page.locator('#expiry').fill('12 / 39');
  await page.locator('#pay button[type=submit]').first().click();
  const said = await page.locator('#form-errors li').allTextContents();
  const { pathname } = new URL(page.url());
  const server = await getPage(`${api.url}${pathname}?fix=number_wrong,security_code_missing,postal_code_missing`);
  for (const words of said) expect(server.html).toContain(words);
  expect(said).toHaveLength(3);
  expect(await page.evaluate('document.activeElement.id')).toBe('form-errors');
  expect(await shownIn('number')).toBe('4242 4242 4242 4241');
  expect(posts.slice(before).filter((url) => !url.endsWith('/opened'))).toEqual([]);
});

test('removes number and code from the page when the payer leaves it', async () => {
  await page.locator('#number').fill('4000000000009995');
  await page.locator('#expiry').fill(VISA.expiry);
  await page.locator('#security_code').fill(VISA.security_code);
  await page.locator('#postal_code').fill('12345');
  await page.locator('#pay button[type=submit]').first().click();
  await page.locator('main[data-state=declined]').waitFor();
  expect([await shownIn('number'), await shownIn('security_code')]).toEqual(['', '']);
});

/** The search field in the header: its results while you type. */
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { seedMerchant } from '../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { MERCHANT_DEFAULTS } from '../../src/domain/merchant.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';
import { signedInUser } from './users.ts';

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);
let charge: string;
beforeAll(async () => {
  charge = (await paidCharge(dashboard.api, 'A-2002')).charge;
});

/** The number of the caller of the charge, as people say it. */
const SAID = 'five five five, oh one oh, one two three four';
const CALLER = '+15550101234';

async function onPage(run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const { api, user } = dashboard;
  const context = await chrome.browser.newContext(options);
  const [name = '', value = ''] = user.cookie.split('=');
  await context.addCookies([{ name, value, url: api.url }]);
  const page = await context.newPage();
  await page.goto(`${api.url}/dashboard/test/calls`);
  await run(page);
  await context.close();
}

const field = (page: Page) => page.locator('[data-search]');
const list = (page: Page) => page.locator('#search-options');
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name });
const payment = (page: Page) => option(page, /^\$40\.00, succeeded, Visa/);

async function find(page: Page, text: string): Promise<void> {
  await field(page).click();
  await page.keyboard.type(text);
  await payment(page).waitFor();
}

test('shows the caller and the newest payments of a number in words, as a combobox', () =>
  onPage(async (page) => {
    const before = await page.locator('main').boundingBox();
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await find(page, SAID);
    await option(page, CALLER).waitFor();
    const role = page.getByRole('combobox', { name: 'Search', exact: true, expanded: true });
    expect(await role.getAttribute('aria-controls')).toBe('search-options');
    const count = await list(page).getByRole('option').count();
    expect(await page.locator('.found [role=status]').textContent()).toBe(`${count} results`);
    expect(await page.locator('main').boundingBox()).toEqual(before);
    expect(await findBarriers(page)).toEqual([]);
    if (keepsScreenshots) await takeScreenshots(page, 'dashboard-search-field');
  }));

test('goes to an option with the arrow keys and Enter', () =>
  onPage(async (page) => {
    await find(page, SAID);
    expect(await field(page).getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowDown');
    const first = (await field(page).getAttribute('aria-activedescendant')) ?? '';
    expect(await page.locator(`#${first}`).textContent()).toBe(CALLER);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await payment(page).getAttribute('aria-selected')).toBe('true');
    expect(await list(page).locator('[aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await option(page, CALLER).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/callers?number=*');
  }));

test('goes to an option with the mouse', () =>
  onPage(async (page) => {
    await find(page, SAID);
    await payment(page).click();
    await page.waitForURL(`**/charges/${charge}`);
  }));

test('fits on a phone, and goes to an option by touch', () =>
  onPage(
    async (page) => {
      await find(page, SAID);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(wide)).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      for (const each of await list(page).getByRole('option').all()) {
        const box = await each.boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(24);
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 390).toBe(true);
      }
      await payment(page).tap();
      await page.waitForURL(`**/charges/${charge}`);
    },
    { hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } },
  ));

test('goes to the search page on Enter if no option is chosen', () =>
  onPage(async (page) => {
    await find(page, SAID);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/search?q=five*');
    expect(await list(page).isVisible()).toBe(false);
  }));

test('closes the list on Escape and if the focus leaves, and keeps the text', () =>
  onPage(async (page) => {
    await find(page, SAID);
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'hidden' });
    expect(await field(page).inputValue()).toBe(SAID);
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await payment(page).waitFor();
    await page.keyboard.press('Tab');
    await list(page).waitFor({ state: 'hidden' });
    expect(await field(page).inputValue()).toBe(SAID);
  }));

test('says that there are no results', () =>
  onPage(async (page) => {
    await field(page).fill('zzz');
    const status = page.locator('.found [role=status]');
    await expect.poll(() => status.textContent()).toBe('No results');
    expect((await status.boundingBox())?.height).toBeGreaterThan(24);
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    expect(await findBarriers(page)).toEqual([]);
  }));

test('cancels the request for an older text, whose results would replace newer ones', () =>
  onPage(async (page) => {
    const textOf = (request: Request) => decodeURIComponent(request.headers()['x-ringkey-text'] ?? '');
    const [held, canceled]: [string[], string[]] = [[], []];
    page.on('requestfailed', (request) => canceled.push(textOf(request)));
    await page.route('**/test/palette', async (route) => {
      const text = textOf(route.request());
      if (text === 'refunds') held.push(text);
      else await route.continue();
    });
    await field(page).fill('refunds');
    await expect.poll(() => held).toEqual(['refunds']);
    await field(page).fill(SAID);
    await expect.poll(() => canceled).toEqual(['refunds']);
    await payment(page).waitFor();
    expect(await option(page, 'Refunds').count()).toBe(0);
  }));

test('puts nothing that is typed in an address, not even a part of a card number', () =>
  onPage(async (page) => {
    const card = '4539 5787 6362 1486';
    const answers: [address: string, text: string, status: number][] = [];
    page.on('response', (response) => {
      const text = decodeURIComponent(response.request().headers()['x-ringkey-text'] ?? '');
      answers.push([response.url(), text, response.status()]);
    });
    for (const text of [card.slice(0, -1), card]) {
      await field(page).fill(text);
      await expect.poll(() => answers.map(([, sent]) => sent)).toContain(text);
    }
    await page.keyboard.press('Control+k');
    await page.locator('#palette').getByRole('option', { name: 'Overview' }).waitFor();
    await page.locator('#palette input').fill(card);
    await expect.poll(() => answers.filter(([, sent]) => sent === card)).toHaveLength(2);
    expect(answers.filter(([address]) => new URL(address).search !== '')).toEqual([]);
    expect(answers.filter(([, sent]) => sent === card).map(([, , status]) => status)).toEqual([400, 400]);
    expect(await list(page).isVisible()).toBe(false);
  }));

test('works without scripts as a plain field', () =>
  onPage(
    async (page) => {
      expect(await field(page).getAttribute('role')).toBeNull();
      expect(await list(page).isVisible()).toBe(false);
      await field(page).fill(SAID);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/test/search?q=five*');
      expect(await page.locator('main').textContent()).toContain(CALLER);
    },
    { javaScriptEnabled: false },
  ));

/** The answer to what is typed. */
const answerTo = (encoded: string, cookie = dashboard.user.cookie) =>
  dashboard.get('/test/palette', { cookie, 'x-ringkey-text': encoded });

test('shows a limited user what belongs to their merchants only', async () => {
  const { database } = dashboard.api;
  expect((await answerTo('A-2002')).html).toContain(charge);
  const { user, cookie } = await signedInUser(database, 'support', DEMO_ACCOUNT);
  const own = { id: newId('Merchant'), slug: 'corner-books', businessName: 'Corner Books' };
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' as const };
  await seedMerchant(database, { ...MERCHANT_DEFAULTS, ...scope, ...own, processor: 'sandbox' }, []);
  await changeMerchants(database, SYSTEM, { accountId: DEMO_ACCOUNT, userId: user.id, merchants: [own.id] });
  expect((await answerTo('corner', cookie)).html).toContain('Corner Books');
  expect((await answerTo('A-2002', cookie)).html).not.toContain(charge);
});

test('refuses card data and malformed text', async () => {
  for (const text of [
    '4539578763621486',
    'four five three nine five seven eight seven six three six two one four eight six',
  ])
    expect((await answerTo(encodeURIComponent(text))).status, text).toBe(400);
  expect((await answerTo('%E0%A4%A')).status).toBe(400);
  expect((await answerTo('%3Cimg%20src%3Dx%3E')).html).not.toContain('<img');
});

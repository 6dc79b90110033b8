/** The month-end report in the dashboard: the page, its CSV file, how it looks and prints. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/ids.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedOfCharge, seedPayout } from '../support/seed-money.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);
const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

let scope: Scope;
let merchant = '';
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  const { database } = dashboard.api;
  const created = await createTestMerchant(database);
  scope = { accountId: created.accountId, mode: created.mode };
  merchant = created.merchantId;
  for (let day = 1; day <= 31; day += 1) {
    const at = `2026-10-${String(day).padStart(2, '0')}T12:00:00.000Z`;
    await seedPayment(database, scope, { merchant, at, status: 'succeeded', cents: 10_000 });
  }
  const last = { merchant, at: '2026-10-31T23:00:00.000Z' };
  await seedOfCharge(database, scope, 'refunds', { ...last, cents: 1_234, status: 'succeeded' });
  await seedOfCharge(database, scope, 'disputes', { ...last, cents: 500, status: 'lost' });
  await seedPayout(database, scope, { ...last, cents: 20_000, status: 'paid', arrival: '2026-10-20' });
  await dashboard.as('viewer', scope.accountId);
  context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  const [name = '', value = ''] = dashboard.user.cookie.split('=');
  await context.addCookies([{ name, value, url: dashboard.api.url }]);
  page = await context.newPage();
});
afterAll(() => context.close());
beforeEach(() => page.goto(`${dashboard.api.url}/dashboard/test/reports?merchant_id=${merchant}&month=2026-10`));

test('shows what a merchant took in a month, net of refunds, with links to the lists', async () => {
  const { html } = await dashboard.get(`/test/reports?merchant_id=${merchant}&month=2026-10`);
  const text = readable(html);
  expect(text).toContain('October 2026, days in UTC, test mode');
  expect(text).toContain('Net $3,087.66 Gross less refunds Gross $3,100.00 31 payments Refunded $12.34 1 refund');
  expect(text).toContain('Disputed $5.00 1 dispute , $5.00 lost Paid out $200.00 1 payout , $20.00 fees');
  expect(text).toContain('Call 31 $3,100.00');
  expect(text).toContain('Sat 31 Oct 1 $100.00 $12.34 $87.66');
  const list = `from=2026-10-01&amp;to=2026-10-31&amp;zone=UTC&amp;merchant_id=${merchant}`;
  expect(html).toContain(`href="/dashboard/test/refunds?${list}"`);
  expect(html).toContain(`href="/dashboard/test/charges?${list}&amp;status=succeeded"`);
});

test('says how many payouts other merchants with the same account at the processor have, too', async () => {
  const { database } = dashboard.api;
  const second = newId('Merchant');
  await database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, created_at)
     values ($1, $2, $3, 'second', 'Corner Shop', 'USD', 'always', '2020-01-01')`,
    [second, scope.accountId, scope.mode],
  );
  const payout = { at: '2026-09-10T12:00:00.000Z', cents: 100, status: 'paid', arrival: '2026-09-10' };
  for (const shop of [merchant, second])
    await seedPayout(database, scope, { ...payout, merchant: shop, reference: 'shared_payout' });
  const { html } = await dashboard.get(`/test/reports?merchant_id=${merchant}&month=2026-09`);
  expect(readable(html)).toContain('Paid out $1.00 1 payout , $0.10 fees, 1 shared with other merchants');
});

test('exports each day of the month as CSV', async () => {
  const { html, headers } = await dashboard.get(`/test/reports.csv?merchant_id=${merchant}&month=2026-10&zone=UTC`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="report-2026-10.csv"');
  const [head, ...rows] = html.trim().split('\r\n');
  expect(head).toMatch(/^date,currency,payments,gross_cents,refunds,refunded_cents,net_cents,merchant_id,/);
  expect(rows).toHaveLength(31);
  expect(rows[30]).toMatch(/^2026-10-31,USD,1,10000,1,1234,8766,mer_/);
});

test('shows the newest merchant and the month before by default, and says if nothing happened', async () => {
  const text = readable((await dashboard.get('/test/reports')).html);
  expect(text).toMatch(/Month-end report .*, days in UTC/);
  const empty = readable((await dashboard.get(`/test/reports?month=2020-01`)).html);
  expect(empty).toContain('No activity in January 2020');
  const wrong = (await dashboard.get('/test/reports?month=monday')).html;
  expect(wrong).toMatch(/role="alert"[^>]*><strong>The month must be a month that has started/);
});

test('is found in the menu, and shows another month with the keyboard', async () => {
  await page.setViewportSize({ width: 1_280, height: 844 });
  await page.goto(`${dashboard.api.url}/dashboard/test/charges`);
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByLabel('Month', { exact: true }).selectOption('2026-10');
  await page.getByLabel('Month', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/month=2026-10/);
  expect(await page.locator('.month-figures').textContent()).toContain('$3,087.66');
});

test.each([1_280, 768, 390])('has no barrier and no sideways scroll at %d px', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page), colorScheme).toEqual([]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  if (keepsScreenshots && width === 1_280) await takeScreenshots(page, 'dashboard-report');
});

/** Cells whose text is wider than they are. */
const TOO_WIDE = `[...document.querySelectorAll('main td')].filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
  return inner.left < outer.left - 1 || inner.right > outer.right + 1;
}).map((cell) => cell.innerText)`;

test.each([1_440, 820, 660])('shows sums of millions within their columns at %d px', async (width) => {
  const payment = { merchant, at: '2026-08-10T12:00:00.000Z', status: 'succeeded', cents: 123_456_789 } as const;
  await seedPayment(dashboard.api.database, scope, payment);
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${dashboard.api.url}/dashboard/test/reports?merchant_id=${merchant}&month=2026-08`);
  expect(await page.locator('main td.money').first().innerText()).toMatch(/^\$\d,\d{3},\d{3}\.\d\d$/);
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
});

test.each(['A4', 'Letter'])('prints on one page of %s', async (format) => {
  await page.setViewportSize({ width: 1_280, height: 844 });
  await page.emulateMedia({ colorScheme: null });
  const pdf = (await page.pdf({ format })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
});

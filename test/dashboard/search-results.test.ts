/** The links from the newest results of a search to the lists of all of them. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { seedMerchant } from '../../src/db/merchants/merchant-records.ts';
import type { Scope } from '../../src/domain/account.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type MerchantId, newId } from '../../src/domain/ids.ts';
import { MERCHANT_DEFAULTS } from '../../src/domain/merchant.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);

let scope: Scope;
/** The first has eleven payments of the order `A-11`, the second ten of `B-10`, and the others none. */
const merchants: MerchantId[] = [];

beforeAll(async () => {
  const { database } = dashboard.api;
  const { accountId, mode } = await createTestMerchant(database);
  scope = { accountId, mode };
  for (let place = 0; place < 11; place += 1) {
    const names = { id: newId('Merchant'), slug: `books-${place}`, businessName: `Corner Books ${place}` };
    await seedMerchant(database, { ...MERCHANT_DEFAULTS, ...scope, ...names, processor: 'sandbox' }, []);
    merchants.push(names.id);
  }
  for (const [place, count, order] of [
    [0, 11, 'A-11'],
    [1, 10, 'B-10'],
  ] as const) {
    const merchant = merchants[place] ?? '';
    for (let minute = 0; minute < count; minute += 1) {
      const at = new Date(Date.UTC(2026, 3, 1, 12 + place, minute)).toISOString();
      await seedPayment(database, scope, { merchant, status: 'succeeded', at, steps: ['greeting'] });
    }
    const update = `update checkout_sessions set caller_phone = '+14155554242', order_id = $2 where merchant_id = $1`;
    await database.query(update, [merchant, order]);
  }
  await database.query(`update charges set brand = 'visa', last_four = '4242' where account_id = $1`, [accountId]);
});
beforeEach(() => dashboard.as('owner', scope.accountId));

const searchFor = async (text: string) =>
  (await dashboard.get(`/test/search?${new URLSearchParams({ q: text })}`)).html;

/** The addresses of the links that lead to all results, by their text. */
const linksIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<a href="\/dashboard([^"]+\?(?:order_id|last_four|caller_phone|search)=[^"]+)">([^<]+)</g)].map(
      ([, path = '', text = '']) => [text, path.replaceAll('&amp;', '&')],
    ),
  );

/** The objects whose pages the rows open. */
const rowsOf = (html: string, list: string): string[] => [
  ...new Set([...html.matchAll(new RegExp(`/test/${list}/([a-z]+_\\w+)"`, 'g'))].map(([, id = '']) => id)),
];

const ONLY_NEWEST = 'Only the newest are shown.';

test('leads from the newest ten of each list to the list with all eleven', async () => {
  const html = await searchFor('A-11');
  expect(html.split(ONLY_NEWEST)).toHaveLength(4);
  const links = linksIn(html);
  expect(Object.keys(links)).toEqual(['All charges: Order', 'All calls: Order', 'All checkouts: Order']);
  for (const [place, list] of ['charges', 'calls', 'checkouts'].entries()) {
    const shown = rowsOf(html, list);
    const all = rowsOf((await dashboard.get(Object.values(links)[place] ?? '')).html, list);
    expect([list, shown.length, all.length]).toEqual([list, 10, 11]);
    expect(all.slice(0, 10)).toEqual(shown);
  }
});

test('has no link if all results are shown', async () => {
  const html = await searchFor('B-10');
  expect(rowsOf(html, 'charges')).toHaveLength(10);
  expect(html).not.toContain(ONLY_NEWEST);
  expect(linksIn(html)).toEqual({});
});

test('has a link for each filter that matches more, and for the merchants', async () => {
  const links = linksIn(await searchFor('4242'));
  expect(Object.keys(links)).toEqual(expect.arrayContaining(['All charges: Caller', 'All charges: Card’s last 4']));
  for (const [text, path] of Object.entries(links)) {
    const list = path.replace(/^\/test\/(\w+).*/, '$1');
    // The first page of 21.
    expect(rowsOf((await dashboard.get(path)).html, list), text).toHaveLength(20);
  }
  expect(linksIn(await searchFor('orner boo'))).toEqual({ 'All merchants': '/test/setup/merchants?search=orner+boo' });
});

test('leads a user who is limited to merchants to their results only, and not to settings', async () => {
  const limited = async (own: MerchantId[]) => {
    await dashboard.as('support', scope.accountId);
    const user = { accountId: scope.accountId, userId: dashboard.user.user.id };
    await changeMerchants(dashboard.api.database, SYSTEM, { ...user, merchants: own });
  };
  await limited(merchants.slice(0, 1));
  const path = linksIn(await searchFor('4242'))['All charges: Caller'] ?? '';
  expect(rowsOf((await dashboard.get(path)).html, 'charges')).toHaveLength(11);
  await limited(merchants.slice(1, 2));
  expect(linksIn(await searchFor('4242'))).toEqual({});
  await limited(merchants);
  const html = await searchFor('orner boo');
  expect(html).toContain(ONLY_NEWEST);
  expect(html).not.toContain('/setup/merchants');
});

test.each(LANGUAGE_TAGS)('gives each link its own name in the language %s', async (tag) => {
  const { user } = dashboard.user;
  await dashboard.api.database.query('update users set language = $2 where id = $1', [user.id, tag]);
  const html = await searchFor('4242');
  const links = [...html.matchAll(/<a href="\/dashboard\/test\/\w+\?(?:last_four|caller_phone)=4242">([^<]+)</g)];
  const texts = links.map(([, text]) => text);
  expect(texts.length).toBeGreaterThanOrEqual(4);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toContain(
    {
      en: 'All charges: Caller',
      de: 'Alle Abbuchungen: Anrufer',
      es: 'Todos los cobros: Llamante',
      fr: 'Tous les débits\u202f: Appelant',
    }[tag],
  );
});

test('follows the last row with the link, for the keyboard', async () => {
  const { api, user } = dashboard;
  const context = await chrome.browser.newContext();
  const [name = '', value = ''] = user.cookie.split('=');
  await context.addCookies([{ name, value, url: api.url }]);
  const page = await context.newPage();
  await page.goto(`${api.url}/dashboard/test/search?q=A-11`);
  expect(await findBarriers(page)).toEqual([]);
  if (keepsScreenshots) await takeScreenshots(page, 'dashboard-search-results');
  await page.locator('table[aria-label="Calls"] a.row-link').last().focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('All calls: Order');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/test/calls?order_id=A-11');
  await context.close();
});

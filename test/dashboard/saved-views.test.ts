/** Saved views: the filters of a list under a name, of a user or shared in the account, each with its own address. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeUser } from '../../src/accounts/users/manage.ts';
import { MAX_VIEWS, saveView } from '../../src/accounts/users/saved-views.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/domain/user.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);

const QUERY = 'since=7d&status=failed';
const LIST = `/test/charges?${QUERY}`;

let account: AccountId;
beforeEach(async () => {
  account = (await createTestMerchant(dashboard.api.database)).accountId;
  await dashboard.as('owner', account);
});

/** @returns the IDs of the views above the list */
async function shownViews(path = '/test/charges'): Promise<string[]> {
  const { html } = await dashboard.get(path);
  return [...html.matchAll(/href="[^"]*\/views\/(view_[a-z0-9]+)"/g)].map(([, id]) => id ?? '');
}

const save = (fields: Record<string, string>, page = LIST) =>
  dashboard.submit(page, `${page.split('?', 1)[0]}/views`, { query: QUERY, name: 'Failed this week', ...fields });

test('saves the filters of a list for the user, and opens them by an address of their own', async () => {
  expect((await dashboard.get('/test/charges')).html).not.toContain('Save view');
  const saved = await save({});
  expect(saved.status).toBe(303);
  expect(saved.headers.get('location')).toBe(`/dashboard${LIST}`);
  const [id] = await shownViews();
  const opened = await dashboard.get(`/test/views/${id}`);
  expect(opened.headers.get('location')).toBe(`/dashboard${LIST}`);
  const { html } = await dashboard.get(LIST);
  expect(html).toContain('Failed this week');
  expect(html).toContain('Rename');
  expect(html).not.toContain('Save view');
  // Other lists do not show it.
  expect(await shownViews('/test/refunds')).toEqual([]);
});

test('hides the views of a user from others, who see those that are shared', async () => {
  await save({});
  await save({ name: 'For all of us', shared: 'on', query: 'status=pending' }, '/test/charges?status=pending');
  const own = await shownViews();
  expect(own).toHaveLength(2);
  await dashboard.as('viewer', account);
  const shown = await shownViews();
  expect(shown).toHaveLength(1);
  const hidden = own.find((id) => !shown.includes(id));
  expect((await dashboard.get(`/test/views/${hidden}`)).status).toBe(404);
  expect((await dashboard.submit(LIST, `/test/views/${hidden}/delete`)).status).toBe(404);
  const other = await createTestMerchant(dashboard.api.database);
  await dashboard.as('owner', other.accountId);
  expect(await shownViews()).toEqual([]);
  for (const id of own) {
    expect((await dashboard.get(`/test/views/${id}`)).status).toBe(404);
    expect((await dashboard.submit(LIST, `/test/views/${id}/delete`)).status).toBe(404);
  }
});

test('hides the views of test mode in live mode', async () => {
  await save({ shared: 'on' });
  const [id] = await shownViews();
  expect(await shownViews('/live/charges')).toEqual([]);
  expect((await dashboard.get(`/live/views/${id}`)).status).toBe(404);
});

test.each<[Role, number]>([
  ['viewer', 403],
  ['support', 303],
])('lets the role %s change what is shared or not', async (role, status) => {
  await save({ shared: 'on' });
  const [id] = await shownViews();
  await dashboard.as(role, account);
  expect((await save({ shared: 'on' }, '/test/charges?status=pending')).status).toBe(status);
  expect((await dashboard.submit(`${LIST}&order_id=1`, `/test/views/${id}`, { name: 'Renamed' })).status).toBe(status);
  expect((await dashboard.submit(`${LIST}&order_id=1`, `/test/views/${id}/delete`)).status).toBe(status);
  // Their own ones are theirs.
  expect((await save({ query: 'order_id=7' }, '/test/charges?order_id=7')).status).toBe(303);
});

test('renames and removes a view, and records changes of shared ones in the audit trail', async () => {
  await save({ shared: 'on' });
  const [id] = await shownViews();
  await dashboard.submit(LIST, `/test/views/${id}`, { name: '  Problems ' });
  expect((await dashboard.get(LIST)).html).toContain('<bdi>Problems</bdi>');
  await dashboard.submit(LIST, `/test/views/${id}/delete`);
  expect(await shownViews()).toEqual([]);
  const { rows } = await dashboard.api.database.query<{ action: string; changes: object }>(
    'select action, changes from audit_events where object_id = $1 order by sequence',
    [id],
  );
  expect(rows).toEqual([
    { action: 'saved_view.created', changes: { name: 'Failed this week', list: '/charges' } },
    { action: 'saved_view.changed', changes: { name: { from: 'Failed this week', to: 'Problems' } } },
    { action: 'saved_view.deleted', changes: { name: 'Problems', list: '/charges' } },
  ]);
});

describe('refuses', () => {
  test.each([
    ['an empty name', { name: '  ' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a name with a line break', { name: 'a\nb' }],
    ['no filters', { query: '' }],
    ['only parameters that are no filters', { query: 'starting_after=ch_1&notice=resent' }],
    ['a caller’s number', { query: 'caller_phone=%2B15550101234' }],
    ['digits of a card', { query: 'last_four=4242&status=failed' }],
    ['a card number in a filter', { query: 'order_id=4242+4242+4242+4242' }],
    ['a card number as the name', { name: 'Card 4242 4242 4242 4242' }],
    ['too long filters', { query: `order_id=${'7'.repeat(1_001)}` }],
  ])('%s', async (_, fields) => {
    expect((await save(fields)).status).toBe(400);
    expect(await shownViews()).toEqual([]);
  });
});

test('keeps only filters of the list, whatever the form sends', async () => {
  await save({ query: 'status=failed&starting_after=ch_1&evil=https://example.com' });
  const [id] = await shownViews();
  const { headers } = await dashboard.get(`/test/views/${id}`);
  expect(headers.get('location')).toBe('/dashboard/test/charges?status=failed');
});

test('limits the views of a user, and removes them with the user', async () => {
  const { database } = dashboard.api;
  const userId = dashboard.user.user.id;
  const scope = { accountId: account, mode: 'test', userId, isLimited: false } as const;
  const view = { list: '/charges', query: QUERY, name: 'One of many', isShared: false };
  for (let made = 0; made < MAX_VIEWS; made += 1) expect(await saveView(database, SYSTEM, scope, view)).not.toBeNull();
  expect((await save({ query: 'status=failed' }, '/test/charges?status=failed')).status).toBe(400);
  await dashboard.as('owner', account);
  await removeUser(database, SYSTEM, { accountId: account, userId });
  const { rows } = await database.query('select from saved_views where user_id = $1', [userId]);
  expect(rows).toEqual([]);
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
  });
  afterAll(() => context.close());

  test('a view is saved by keyboard after filtering, shown as the present one, and has no barriers', async () => {
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    await page.setViewportSize({ width: 1_280, height: 844 });
    await page.goto(`${dashboard.api.url}/dashboard/test/charges`);
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByText('Save view').first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Declined');
    expect(await findBarriers(page)).toEqual([]);
    if (keepsScreenshots) await takeScreenshots(page, 'dashboard-view-save');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.locator('.view[aria-current=page]').waitFor();
    await page.goto(`${dashboard.api.url}/dashboard/test/charges`);
    expect(await page.locator('.view[aria-current]').count()).toBe(0);
    await page.getByRole('link', { name: 'Declined' }).click();
    await page.waitForURL(/charges\?status=failed/);
    expect(await page.locator('.view[aria-current=page]').textContent()).toBe('Declined');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page), colorScheme).toEqual([]);
    }
    if (keepsScreenshots) await takeScreenshots(page, 'dashboard-views');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Change view').click();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (keepsScreenshots) await takeScreenshots(page, 'dashboard-view-change');
  });
});

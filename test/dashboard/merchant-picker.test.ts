/** The choice of a merchant in the lists, Overview, Reports, Live tail, Try it and the alerts. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, type MerchantId, newId } from '../../src/domain/ids.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startFilledDashboard } from './addresses.ts';
import { BOOKS, merchantId } from './limited.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startFilledDashboard);
const chrome = useFixture(startTestBrowser);

/** Copies of a demo merchant. @param names oldest first @returns their IDs */
async function addMerchants(accountId: AccountId, names: readonly string[]): Promise<MerchantId[]> {
  const ids = names.map(() => newId('Merchant'));
  await dashboard.api.database.query(
    `insert into merchants
     select (jsonb_populate_record(demo, jsonb_build_object(
              'id', branch_id, 'account_id', $1::text, 'slug', 'branch-' || place, 'business_name', name,
              'created_at', now() + place * interval '1 ms'))).*
       from merchants demo, unnest($2::text[], $3::text[]) with ordinality branch (branch_id, name, place)
      where demo.id = $4`,
    [accountId, ids, names, BOOKS],
  );
  return ids;
}

const OPTION = /<option value="(mer_\w+)"( selected)?>([^<]*)</g;
/** The merchants that a page offers: ID, name, and whether it is selected. */
const offered = (html: string) =>
  [...html.matchAll(OPTION)].map(([, id = '', selected, name = '']) => ({
    id,
    name,
    isSelected: selected !== undefined,
  }));
const hasSearch = (html: string) => html.includes('name="find_merchant"');
const foundIn = (html: string) => /\d+ merchants? found/.exec(html)?.[0];
const branch = (place: number) => `Branch ${place}`;
const PAGES = ['/charges', '/calls', '/overview', '/reports', '/tail', '/try'];

describe('an account with 205 merchants', () => {
  let account: AccountId;
  let ids: MerchantId[];
  beforeAll(async () => {
    account = await newAccount(dashboard.api.database);
    ids = await addMerchants(account, [
      ...Array.from({ length: 202 }, (_, place) => branch(place + 1)),
      'Äpfel',
      'Zoo',
      'Zoo',
    ]);
  });
  beforeEach(() => dashboard.as('owner', account));

  test.each(PAGES)('offers all of them by name in %s', async (path) => {
    const { html } = await dashboard.get(`/test${path}`);
    // "Try it" names the processor, too.
    const merchants = offered(html).map(({ name }) => name.replace(/ \(\w+\)$/, ''));
    const expected = ['Äpfel', ...Array.from({ length: 202 }, (_, place) => branch(place + 1))];
    expect(merchants.slice(0, 203)).toEqual(expected);
    expect(merchants.slice(203)).toEqual(['branch-204: Zoo', 'branch-205: Zoo']);
    expect(hasSearch(html)).toBe(false);
  });

  test('offers a user limited to merchants only these', async () => {
    await dashboard.as('viewer', account);
    const own = [ids[0], ids[204]].map((id) => merchantId(id ?? ''));
    const { id: userId, accountId } = dashboard.user.user;
    await changeMerchants(dashboard.api.database, SYSTEM, { accountId, userId, merchants: own });
    for (const path of PAGES.filter((each) => each !== '/try')) {
      // There is no report of a merchant of others.
      const merchant = path === '/reports' ? own[0] : ids[1];
      const { html } = await dashboard.get(`/test${path}?merchant_id=${merchant}&find_merchant=branch`);
      expect(
        offered(html).map(({ id }) => id),
        path,
      ).toEqual(hasSearch(html) ? [ids[0]] : own);
    }
  });

  test('the search and the list of merchants in the settings find them by name', async () => {
    const link = `href="/dashboard/test/setup/merchants/${ids[76]}"`;
    const search = await dashboard.get('/test/search?q=BRANCH+77');
    expect(search.html).toContain(link);
    const list = await dashboard.get('/test/setup/merchants?search=branch+77');
    expect(list.html).toContain(link);
    expect(list.html).not.toContain(`/setup/merchants/${ids[75]}"`);
    expect((await dashboard.get('/test/setup/merchants?search=nothing+like+it')).html).toContain('No results');
    expect((await dashboard.get('/test/setup/merchants?search=%00')).status).toBe(200);
  });

  test('an alert finds merchants for its reports, and keeps those that are selected', async () => {
    const form = await dashboard.get('/test/setup/alerts/new');
    expect(form.html).toContain('name="find_merchants"');
    const fields = { email: 'ops@example.com', time_zone: 'UTC', [`report_merchants:${ids[9]}`]: 'on' };
    const searched = await dashboard.submit('/test/setup/alerts/new', '/test/setup/alerts/new', {
      ...fields,
      find_merchants: 'branch 77',
      search_merchants: 'on',
    });
    expect(searched.status).toBe(200);
    expect(searched.html).toContain('value="ops@example.com"');
    expect(searched.html).toContain(`name="report_merchants:${ids[76]}"`);
    expect(searched.html).toContain(`name="report_merchants:${ids[9]}" checked`);
    const { rows } = await dashboard.api.database.query('select from alert_targets where account_id = $1', [account]);
    expect(rows).toEqual([]);
  });
});

describe('an account with 600 merchants', () => {
  let account: AccountId;
  let ids: MerchantId[];
  beforeAll(async () => {
    account = await newAccount(dashboard.api.database);
    ids = await addMerchants(
      account,
      Array.from({ length: 600 }, (_, place) => `Branch ${place + 1} 100% <i>`),
    );
  });
  afterAll(() => dashboard.api.database.query('delete from merchants where account_id = $1', [account]));
  beforeEach(() => dashboard.as('owner', account));

  test.each(PAGES)('offers the newest, and finds the others by name or ID, in %s', async (path) => {
    const { html } = await dashboard.get(`/test${path}`);
    expect(hasSearch(html)).toBe(true);
    expect(offered(html).filter(({ id }) => id !== ids[599])).toHaveLength(499);
    for (const text of [' branch 7 100% <I>', ids[6] ?? '']) {
      const found = await dashboard.get(`/test${path}?find_merchant=${encodeURIComponent(text)}`);
      expect(offered(found.html).map(({ id }) => id)).toContain(ids[6]);
      expect(foundIn(found.html)).toBe('1 merchant found');
    }
    const none = await dashboard.get(`/test${path}?find_merchant=Branch_7%00`);
    expect(foundIn(none.html)).toBe('0 merchants found');
  });

  test('is searched on a phone in the filters of a list, which then show what was found', async () => {
    const context = await chrome.browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    onTestFinished(() => context.close());
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    const page = await context.newPage();
    await page.goto(`${dashboard.api.url}/dashboard/test/charges`);
    await page.getByText('More filters').click();
    const search = page.getByLabel('Find merchant');
    await search.fill('branch 7 100%');
    await search.press('Enter');
    await page.getByText('1 merchant found').waitFor();
    expect(await search.inputValue()).toBe('branch 7 100%');
    const merchant = page.getByLabel('Merchant', { exact: true });
    await merchant.selectOption({ label: 'Branch 7 100% <i>' });
    await page.waitForURL(new RegExp(`merchant_id=${ids[6]}`));
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    for (const field of [search, merchant]) {
      const { x = -1, width = 999 } = (await field.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
    }
  });

  test.each(PAGES.filter((path) => path !== '/try'))('always offers the selected one in %s', async (path) => {
    for (const query of ['', '&find_merchant=Branch+9']) {
      const { html } = await dashboard.get(`/test${path}?merchant_id=${ids[0]}${query}`);
      expect(offered(html).find(({ isSelected }) => isSelected)?.id).toBe(ids[0]);
    }
  });

  test('the live tail names the merchant of every row', async () => {
    const stop = new AbortController();
    const stream = await fetch(`${dashboard.api.url}/dashboard/test/tail/events`, {
      headers: { cookie: dashboard.user.cookie },
      signal: stop.signal,
    });
    const merchant = merchantId(ids[0] ?? '');
    let received = '';
    // Steps are hints: one that is reported before the stream listens is lost.
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += part;
      if (received.includes('/calls/call_')) break;
      reportCall(account, merchant);
    }
    stop.abort();
    expect(received).toContain('<bdi>Branch 1 100% &lt;i></bdi>');
    expect(received).not.toContain(merchant);
  });

  function reportCall(accountId: AccountId, merchant: MerchantId): void {
    dashboard.api.progress.publishCall({
      id: newId('Event'),
      type: 'call.answered',
      at: new Date().toISOString(),
      sequence: 1,
      accountId,
      mode: 'test',
      callId: newId('Call'),
      sessionId: newId('CheckoutSession'),
      merchantId: merchant,
      platformCallId: null,
      step: null,
      returnRoute: null,
      outcome: null,
    });
  }

  test('Try it finds merchants, and keeps the other entries', async () => {
    const entered = { script: 'declined', card: 'insufficient_funds', amount: '77.12', merchant: ids[599] ?? '' };
    const search = (text: string) =>
      dashboard.submit('/test/try', '/test/try', { ...entered, find_merchant: text, search_merchants: 'on' });
    const found = await search('branch 7 100%');
    expect(found.status).toBe(200);
    expect(foundIn(found.html)).toBe('1 merchant found');
    expect(offered(found.html).find(({ isSelected }) => isSelected)?.id).toBe(ids[6]);
    const none = await search('nothing like it');
    expect(offered(none.html).find(({ isSelected }) => isSelected)?.id).toBe(ids[599]);
    for (const { html } of [found, none]) {
      expect(html).toContain('value="77.12"');
      expect(html).toMatch(/name="script" value="declined"[^>]* checked/);
      expect(html).toMatch(/<option value="insufficient_funds" selected/);
    }
    const { rows } = await dashboard.api.database.query('select from checkout_sessions where account_id = $1', [
      account,
    ]);
    expect(rows).toEqual([]);
  });
});

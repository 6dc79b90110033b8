/** What needs attention: on its page, on the overview and in the menu, and set aside by a user. */
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { attentionWords } from '../../src/contract/attention-words.ts';
import { LIMIT_NAMES } from '../../src/domain/account-limits.ts';
import { ATTENTION_KINDS } from '../../src/domain/attention.ts';
import { parseId } from '../../src/domain/ids.ts';
import { RATE_WINDOWS } from '../../src/domain/success-rate.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { lateCharge } from '../contract/late-charges.ts';
import { findBarriers } from '../page/axe.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { unsettledCharge } from './objects.ts';
import { newAccount } from './users.ts';

const dashboard = useFixture(startDashboard);
beforeEach(async () => {
  await dashboard.as('owner');
  await dashboard.api.database.query(`update charges set attention_acknowledged_at = now() where was_late`);
  await dashboard.api.database.query(`update charges set resolve_at = now() where status = 'pending'`);
});

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const page = async (path = '/test/attention') => (await dashboard.get(path)).html;
const inMenu = (html: string) => /Attention<span class="count" data-attention[^>]*>(\d+)<\/span>/.exec(html)?.[1];
const formsIn = (html: string, verb: string) =>
  [...html.matchAll(new RegExp(`action="/dashboard(/test/attention/att_\\w+/${verb})"`, 'g'))].map(([, path]) =>
    String(path),
  );

test('shows each item with what to do and a link, and its number in the menu', async () => {
  const { charge: unsettled } = await unsettledCharge(dashboard.api);
  await page();
  const { charge: late } = await lateCharge(dashboard.api);
  const html = await page();
  const text = readable(html);
  expect(text).toContain('$40.00 at Demo Diner was paid late');
  expect(text).toContain('Deliver the order, or refund the charge.');
  expect(text.indexOf('was paid late')).toBeLessThan(text.indexOf('has no outcome'));
  expect(html).toContain(`href="/dashboard/test/charges/${unsettled}"`);
  expect(html).toContain(`href="/dashboard/test/charges/${late}"`);
  expect(inMenu(await page('/test/calls'))).toBe('2');
  expect(inMenu(await page('/live/calls'))).toBeUndefined();
  const overview = await page('/test/overview');
  expect(overview.indexOf('attention-block')).toBeLessThan(overview.indexOf('aria-label="Period and merchant"'));
  expect(readable(overview)).toContain('$40.00 at Demo Diner was paid late');
});

test('shows urgent items first, here and on the overview, however many newer ones there are', async () => {
  await lateCharge(dashboard.api);
  await page();
  for (let count = 0; count < 4; count += 1) await unsettledCharge(dashboard.api);
  for (const path of ['/test/attention', '/test/overview']) {
    const text = readable(await page(path));
    expect(text).toContain('Urgent: $40.00 at Demo Diner was paid late');
    expect(text.indexOf('was paid late')).toBeLessThan(text.indexOf('has no outcome'));
  }
});

test('lets the role support mark an item as done, snooze it, and show it again', async () => {
  await unsettledCharge(dashboard.api);
  await dashboard.as('support');
  const [quiet = ''] = formsIn(await page(), 'quiet');
  const sent = await dashboard.submit('/test/attention', quiet, { for: '1d' });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/dashboard/test/attention?notice=quiet']);
  expect(readable(await page())).toContain('Nothing needs attention');
  const aside = await page('/test/attention?status=set_aside');
  expect(readable(aside)).toContain('snoozed until');
  const [again = ''] = formsIn(aside, 'reopen');
  await dashboard.submit('/test/attention?status=set_aside', again);
  const [done = ''] = formsIn(await page(), 'finish');
  expect((await dashboard.submit('/test/attention', done)).status).toBe(303);
  expect(readable(await page())).toContain('Nothing needs attention');
  expect(inMenu(await page('/test/calls'))).toBeUndefined();
  expect(readable(await page('/test/attention?status=set_aside'))).toContain(', done');
  expect(readable(await page('/test/audit'))).toContain('Attention item done');
});

test('shows a viewer no buttons and carries out no form of a viewer', async () => {
  await unsettledCharge(dashboard.api);
  const [done = ''] = formsIn(await page(), 'finish');
  await dashboard.as('viewer');
  const html = await page();
  expect(readable(html)).toContain('has no outcome');
  expect(formsIn(html, 'finish')).toEqual([]);
  expect((await dashboard.submit('/test/calls', done)).status).toBe(403);
  expect(readable(await page())).toContain('has no outcome');
});

test('shows another account nothing of it', async () => {
  await unsettledCharge(dashboard.api);
  expect(inMenu(await page())).toBe('1');
  await dashboard.as('owner', await newAccount(dashboard.api.database));
  const html = await page();
  expect(readable(html)).toContain('Nothing needs attention');
  expect(inMenu(html)).toBeUndefined();
});

test('shows the items in the language of the user, while REST has them in English', async () => {
  const { api, user } = dashboard;
  await lateCharge(api);
  await api.database.query(`update users set language = 'de' where id = $1`, [user.user.id]);
  const text = readable(await page());
  expect(text).toContain('Liefern Sie die Bestellung, oder erstatten Sie die Abbuchung.');
  expect(text).not.toContain('was paid late');
  expect(readable(await page('/test/overview'))).toContain('bei Demo Diner wurde verspätet bestätigt');
  const { body } = await api.get('/v1/attention_items');
  expect(JSON.stringify(body)).toContain('$40.00 at Demo Diner was paid late');
});

/** The links of all kinds and limits, except to the page of a charge or another object. */
function linksToLists(): string[] {
  const item = { subject: 'x', merchantId: parseId('Merchant', 'mer_demo_diner'), businessName: 'Demo Diner' };
  const limits = LIMIT_NAMES.map((subject) => ({ ...item, kind: 'limit_near', subject, facts: {} }) as const);
  const rates = RATE_WINDOWS.map((hours) => ({ ...item, kind: 'success_rate_low', facts: { hours } }) as const);
  const period = { from: '2026-11-26T22:00:12Z', until: '2026-11-27T04:00:12Z' };
  const counted = (['success_rate_low', 'processor_slow', 'texts_undelivered', 'emails_undelivered'] as const).map(
    (kind) => ({
      ...item,
      kind,
      facts: period,
    }),
  );
  const kinds = ATTENTION_KINDS.map((kind) => ({ ...item, kind, facts: {} }));
  const paths = [...kinds, ...limits, ...rates, ...counted].map((each) => attentionWords(each).path);
  return [...new Set(paths)].filter((path) => !path.endsWith('/x'));
}

test.each(linksToLists())('the link %s leads to a page that has its filters', async (path) => {
  const { status, html } = await dashboard.get(`/test${path}`);
  expect(status).toBe(200);
  for (const [name, value] of new URLSearchParams(path.split('?')[1])) {
    const field = new RegExp(`<select[^>]* name="${name}"[^]*?</select>`).exec(html)?.[0];
    expect(field).toMatch(new RegExp(`<option value="${value}" selected`));
  }
});

test('names days in the account’s time zone, while REST has them in UTC', async () => {
  const { api, user } = dashboard;
  const { accountId } = user.user;
  const zone = 'Pacific/Kiritimati';
  onTestFinished(async () => {
    await api.database.query(`update keys set revoked_at = now() where id = 'key_zone'`);
    await api.database.query(`update merchants set time_zone = 'UTC' where account_id = $1`, [accountId]);
  });
  await api.database.query('update merchants set time_zone = $2 where account_id = $1', [accountId, zone]);
  // At 12:00 UTC, it is the next day there.
  const endsAt = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`;
  await api.database.query(
    `insert into keys (id, account_id, mode, name, key_hash, prefix, created_at, expires_at, issued_until)
     values ('key_zone', $1, 'test', 'Zone', sha256('zone'), 'rk_test_', now() - interval '90 days', $2, $2)`,
    [accountId, endsAt],
  );
  const key = { subject: 'key_zone', merchantId: null, businessName: null, facts: { name: 'Zone', endsAt } };
  const titleIn = (timeZone: string) => attentionWords({ ...key, kind: 'key_expiring' }, { timeZone }).title;
  expect(titleIn(zone)).not.toBe(titleIn('UTC'));
  for (const path of ['/test/attention', '/test/overview']) expect(readable(await page(path))).toContain(titleIn(zone));
  expect(JSON.stringify((await api.get('/v1/attention_items')).body)).toContain(titleIn('UTC'));
});

test('counts the items of open pages only for a signed-in user', async () => {
  await unsettledCharge(dashboard.api);
  await page();
  expect(await page('/test/attention/count')).toBe('1');
  const outside = { cookie: 'ringkey=guess', 'x-forwarded-for': '198.51.100.9' };
  expect((await dashboard.get('/test/attention/count', outside)).status).toBe(303);
});

describe('on an open page in a browser', () => {
  const chrome = useFixture(startTestBrowser);

  async function newTab(viewport = { width: 390, height: 800 }, locale = 'en') {
    const context = await chrome.browser.newContext({ viewport, locale, reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    return context.newPage();
  }

  test.each(LANGUAGE_TAGS)(
    'is short on a phone, with its details folded and nothing moved by a choice: %s',
    async (locale) => {
      await unsettledCharge(dashboard.api);
      await lateCharge(dashboard.api);
      const tab = await newTab({ width: 390, height: 844 }, locale);
      await tab.goto(`${dashboard.api.url}/dashboard/test/attention`);
      const item = tab.locator('.attention > li').first();
      const heightOf = async (part: Locator) => (await part.boundingBox())?.height ?? 0;
      expect(await heightOf(item)).toBeLessThan(220);
      const [details, snooze] = [item.locator('.about > summary'), item.locator('.quiet-for > summary')];
      for (const target of [details, snooze, ...(await item.getByRole('button').all()), item.getByRole('link')])
        expect(await heightOf(target)).toBeGreaterThanOrEqual(24);
      const more = item.locator('.about > p');
      expect([await item.locator('.advice').isVisible(), await more.isVisible()]).toEqual([true, false]);
      await details.focus();
      await tab.keyboard.press('Enter');
      expect(await more.isVisible()).toBe(true);
      const before = await snooze.boundingBox();
      await snooze.focus();
      await tab.keyboard.press('Enter');
      expect(await item.locator('select').isVisible()).toBe(true);
      expect(await snooze.boundingBox()).toEqual(before);
      expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await findBarriers(tab)).toEqual([]);
    },
  );

  test.each(['screen', 'print'] as const)('shows the details without a fold on a wide %s', async (media) => {
    await unsettledCharge(dashboard.api);
    const tab = await newTab({ width: 820, height: 900 });
    await tab.emulateMedia({ media });
    await tab.goto(`${dashboard.api.url}/dashboard/test/attention`);
    const item = tab.locator('.attention > li').first();
    expect(await item.locator('.about > p').isVisible()).toBe(true);
    expect(await item.locator('.about > summary').isVisible()).toBe(false);
  });

  test('the keys j and k move between the items, and Enter opens one', async () => {
    const { charge: unsettled } = await unsettledCharge(dashboard.api);
    await page();
    await lateCharge(dashboard.api);
    const tab = await newTab({ width: 1440, height: 900 });
    await tab.goto(`${dashboard.api.url}/dashboard/test/attention`);
    const titles = await tab.locator('.attention h2').allInnerTexts();
    expect(titles).toHaveLength(2);
    const focused = () => tab.locator(':focus > div > h2').innerText();
    const press = async (...keys: string[]) => {
      for (const key of keys) await tab.keyboard.press(key);
      return focused();
    };
    expect(await press('j')).toBe(titles[0]);
    expect(await press('j')).toBe(titles[1]);
    expect(await press('j', 'k')).toBe(titles[0]);
    // From a button of an item, too.
    expect(await press('Tab', 'j')).toBe(titles[1]);
    await tab.keyboard.press('Enter');
    await tab.waitForURL(`**/dashboard/test/charges/${unsettled}`);
  });

  test('refreshes its number in the menu, on the phone’s menu button and in the title, within a minute', async () => {
    await unsettledCharge(dashboard.api);
    await page();
    const tab = await newTab();
    await tab.clock.install();
    await tab.goto(`${dashboard.api.url}/dashboard/test/calls`);
    const number = tab.locator('.burger > summary .count');
    expect(await number.innerText()).toBe('1');
    expect(await tab.title()).toMatch(/^\(1\) Calls/);
    await lateCharge(dashboard.api);
    await page();
    const refreshed = tab.waitForResponse('**/attention/count');
    await tab.clock.fastForward(61_000);
    await refreshed;
    await number.filter({ hasText: '2' }).waitFor();
    expect(await tab.title()).toMatch(/^\(2\) Calls/);
  });
});

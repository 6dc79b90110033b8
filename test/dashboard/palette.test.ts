/** The command palette and the shortcuts of the keyboard. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { MerchantId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';
import { newAccount, signedInUser } from './users.ts';

const dashboard = useFixture(startDashboard);
let charge: string;
beforeAll(async () => {
  charge = (await paidCharge(dashboard.api, 'A-2002')).charge;
});

/** The texts of the options for a text. */
async function optionsFor(text: string, cookie = dashboard.user.cookie): Promise<string[]> {
  const { html } = await dashboard.get(`/test/palette?${new URLSearchParams({ q: text })}`, { cookie });
  return [...html.matchAll(/role="option"[^>]*>(.*?)<\/a>/gs)].map(([, content = '']) =>
    content.replace(/<[^>]+>/g, '').trim(),
  );
}

describe('the options', () => {
  test('are pages and commands, as far as the role may use them', async () => {
    const { database } = dashboard.api;
    expect(await optionsFor('')).toEqual(
      expect.arrayContaining(['Add merchant', 'Create API key', 'Invite user', 'Refunds']),
    );
    const developer = (await signedInUser(database, 'developer', DEMO_ACCOUNT)).cookie;
    expect(await optionsFor('', developer)).toContain('Create API key');
    expect(await optionsFor('', developer)).not.toContain('Invite user');
    const viewer = (await signedInUser(database, 'viewer', DEMO_ACCOUNT)).cookie;
    expect(await optionsFor('', viewer)).not.toContain('Create API key');
    expect(await optionsFor('', viewer)).toContain('Overview');
  });

  test('match the beginnings of words', async () => {
    expect(await optionsFor('refu')).toEqual(['Refunds']);
    expect(await optionsFor('key api')).toEqual(['Create API key', 'API keys']);
    expect(await optionsFor('zzz')).toEqual([]);
  });

  test('are also found by other words, and by those of the other languages', async () => {
    for (const text of ['sign out', 'log out', 'abmelden', 'Déconnexion'])
      expect(await optionsFor(text), text).toEqual(['Sign out']);
    for (const text of ['theme', 'color scheme', 'Farbschema'])
      expect(await optionsFor(text), text).toEqual(['Theme: System', 'Theme: Light', 'Theme: Dark']);
    expect(await optionsFor('reembol')).toEqual(['Refunds']);
    expect(await optionsFor('Händler')).toEqual(['Add merchant', 'Merchants']);
  });

  test('find what the search finds: by number however typed, order and ID, in the own account only', async () => {
    for (const text of ['+1 (555) 010-1234', '0101234', 'A-2002'])
      expect((await optionsFor(text)).join('; '), text).toMatch(/\+15550101234.*\$40\.00, succeeded, Visa ···· 4242/);
    expect(await optionsFor(charge)).toEqual([charge]);
    const stranger = await signedInUser(dashboard.api.database, 'owner', await newAccount(dashboard.api.database));
    expect(await optionsFor('A-2002', stranger.cookie)).toEqual([]);
  });

  test('find merchants by a part of the name, in the own account and among the own merchants only', async () => {
    const charges = 'Charges of Demo Diner';
    const report = 'Month-end report of Demo Diner';
    expect(await optionsFor('emo dinE')).toEqual(['Demo Diner demo-diner', charges, report, 'All results']);
    expect((await dashboard.get('/test/palette?q=emo+diner')).html).toContain(`/test/setup/merchants/${DEMO_DINER}"`);
    const { database } = dashboard.api;
    const stranger = await signedInUser(database, 'owner', await newAccount(database));
    expect(await optionsFor('emo diner', stranger.cookie)).toEqual([]);
    const { user, cookie } = await signedInUser(database, 'support', DEMO_ACCOUNT);
    const limited = { accountId: DEMO_ACCOUNT, userId: user.id };
    await changeMerchants(database, SYSTEM, { ...limited, merchants: [DEMO_DINER as MerchantId] });
    expect(await optionsFor('emo', cookie)).toEqual(['Demo Diner demo-diner', report, 'All results']);
    const { html } = await dashboard.get('/test/palette?q=emo', { cookie });
    expect(html).toContain(`/test/charges?merchant_id=${DEMO_DINER}"`);
  });

  test('refund the charges that the search finds, if the role may', async () => {
    const { html } = await dashboard.get('/test/palette?q=A-2002');
    expect(html).toMatch(new RegExp(`href="[^"]+/charges/${charge}/refund"[^>]*>Refund \\$40\\.00, Visa`));
    const { cookie } = await signedInUser(dashboard.api.database, 'viewer', DEMO_ACCOUNT);
    expect((await dashboard.get('/test/palette?q=A-2002', { cookie })).html).not.toContain('/refund"');
  });

  test('begin with a caller and the refunds, with what is left, and show failed charges last', async () => {
    const { api } = dashboard;
    const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
    const seed = (status: 'succeeded' | 'failed', cents: number, minute: number) =>
      seedPayment(api.database, scope, {
        merchant: DEMO_DINER,
        status,
        cents,
        at: new Date(Date.UTC(2026, 3, 1, 12, minute)).toISOString(),
      });
    await seed('succeeded', 4_250, 0);
    for (const minute of [1, 2, 3, 4, 5, 6]) await seed('failed', 4_250, minute);
    await api.database.query(
      `update checkout_sessions set caller_phone = '+14155550132' where created_at::date = '2026-04-01'`,
    );
    await api.database.query(
      `update charges set refunded_cents = 2125 where created_at::date = '2026-04-01' and status = 'succeeded'`,
    );
    const text = 'four one five, five five five, oh one three two';
    const options = await optionsFor(text);
    expect(options[0]).toBe('+14155550132');
    expect(options[1]).toMatch(/^Refund \$21\.25 left of \$42\.50, /);
    expect(options[2]).toMatch(/^\$42\.50, succeeded, /);
    expect(options[3]).toMatch(/^\$42\.50, failed, /);
    expect(options.at(-1)).toBe('All results');
    const { html } = await dashboard.get(`/test/palette?${new URLSearchParams({ q: text })}`);
    expect(html).toContain(`/test/search?${new URLSearchParams({ q: text })}"`);
  });

  test('name the merchants of charges, unless the user sees only one', async () => {
    const linesOf = async (cookie: string) =>
      (await optionsFor('A-2002', cookie)).filter((line) => line.includes('Visa')).map((line) => line.slice(0, 60));
    const { database } = dashboard.api;
    for (const line of await linesOf(dashboard.user.cookie)) expect(line).toMatch(/Visa ···· 4242, Demo Diner, /);
    const { user, cookie } = await signedInUser(database, 'support', DEMO_ACCOUNT);
    const merchants = [DEMO_DINER as MerchantId];
    await changeMerchants(database, SYSTEM, { accountId: DEMO_ACCOUNT, userId: user.id, merchants });
    const lines = await linesOf(cookie);
    expect(lines).toHaveLength(2);
    expect(lines.join('; ')).not.toContain('Demo Diner');
  });

  test('escape what was typed and stored', async () => {
    const { html } = await dashboard.get('/test/palette?q=%3Cimg%20src%3Dx%3E');
    expect(html).not.toContain('<img');
  });

  test('require a signed-in user', async () => {
    const outside = { cookie: 'ringkey=guess', 'x-forwarded-for': '198.51.100.9' };
    expect((await dashboard.get('/test/palette', outside)).status).toBe(303);
  });
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);

  async function onPage(path: string, run: (page: Page) => Promise<void>, javaScriptEnabled = true): Promise<void> {
    const { api, user } = dashboard;
    const context = await chrome.browser.newContext({ javaScriptEnabled });
    const [name = '', value = ''] = user.cookie.split('=');
    await context.addCookies([{ name, value, url: api.url }]);
    const page = await context.newPage();
    await page.goto(`${api.url}/dashboard${path}`);
    await run(page);
    await context.close();
  }

  const option = (page: Page, name: string) => page.locator('#palette').getByRole('option', { name, exact: true });

  test('opens with Ctrl+K, and goes to a page with the keyboard', () =>
    onPage('/test/calls', async (page) => {
      await page.keyboard.press('Control+k');
      await option(page, 'Refunds').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      if (keepsScreenshots) await takeScreenshots(page, 'dashboard-palette');
      // Enter waits for the options of the text.
      await page.keyboard.type('refu');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/test/refunds');
      await page.keyboard.press('Control+k');
      await option(page, 'Overview').waitFor();
      await page.keyboard.press('Escape');
      await option(page, 'Overview').waitFor({ state: 'hidden' });
    }));

  test('offers the buttons of the page, such as to refund its charge', () =>
    onPage(`/test/charges/${charge}`, async (page) => {
      await page.keyboard.press('Meta+k');
      await option(page, 'Overview').waitFor();
      await page.keyboard.type('refund');
      await expect.poll(() => page.locator('#palette [role=option]').allTextContents()).toEqual(['Refund', 'Refunds']);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/charges/${charge}/refund**`);
    }));

  test('leads to the button that signs out, and does not press it', () =>
    onPage('/test/calls', async (page) => {
      await page.keyboard.press('Control+k');
      await option(page, 'Overview').waitFor();
      await page.keyboard.type('log out');
      await page.keyboard.press('Enter');
      await page.locator('#palette').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
      await page.waitForFunction("document.activeElement.id === 'sign-out'");
      expect(page.url()).toContain('/test/calls');
    }));

  test('only focuses a button that sends a form, such as to confirm a refund', () =>
    onPage(`/test/charges/${charge}/refund?amount=40.00`, async (page) => {
      await page.getByRole('button', { name: 'Refund $40.00' }).waitFor();
      // The charge stays as it is, and the title says whether the form was sent.
      await page.evaluate(
        "document.addEventListener('submit', (event) => { event.preventDefault(); document.title = 'sent'; }, true)",
      );
      await page.keyboard.press('Control+k');
      await option(page, 'Refund $40.00').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('#palette').waitFor({ state: 'hidden' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Refund $40.00');
      expect(await page.title()).not.toBe('sent');
      await page.keyboard.press('Enter');
      expect(await page.title()).toBe('sent');
    }));

  test('shows the shortcuts on “?”, which go to pages and rows, and can be turned off', () =>
    onPage('/test/charges', async (page) => {
      await page.keyboard.press('?');
      const heading = page.getByRole('heading', { name: 'Keyboard shortcuts' });
      // A dialog closes some time after the key, and gives the focus back then.
      const close = async () => {
        await page.keyboard.press('Escape');
        await heading.waitFor({ state: 'hidden' });
      };
      await heading.waitFor();
      expect(await findBarriers(page)).toEqual([]);
      if (keepsScreenshots) await takeScreenshots(page, 'dashboard-shortcuts');
      await close();
      await page.keyboard.press('j');
      expect(await page.evaluate('document.activeElement.className')).toBe('row-link');
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await page.waitForURL('**/test/overview');
      await page.keyboard.press('?');
      await page.getByLabel('Use single-key shortcuts').uncheck();
      await close();
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.name ?? null')).toBeNull();
    }));

  test('leaves no button that does nothing without scripts', () =>
    onPage(
      '/test/calls',
      async (page) => {
        expect(await page.locator('[data-opens]').count()).toBe(2);
        expect(await page.locator('[data-opens]:visible').count()).toBe(0);
      },
      false,
    ));
});

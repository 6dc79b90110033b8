/** Ending a call from the dashboard: which roles may, which calls can be ended, and a real call in a browser. */
import type { Browser } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { findBarriers } from '../page/axe.ts';
import { startTestBrowser } from '../support/browser.ts';
import { waitForEndedCall } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';
import { TestCaller } from '../support/test-caller.ts';
import { startDashboard } from './dashboard.ts';
import { endedCall, liveCall, paidCharge } from './objects.ts';
import { newAccount, signedInUser } from './users.ts';

async function openPage({ browser }: { browser: Browser }, url: string, cookie: string) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return { context, page: await context.newPage() };
}

describe('the form End call', () => {
  const dashboard = useFixture(startDashboard);
  beforeEach(() => dashboard.as('owner'));

  const session = async () => (await paidCharge(dashboard.api)).session;
  const onTheLine = async () => liveCall(dashboard.api, await session(), 'card_number');
  const end = (id: string, fields: Record<string, string> = {}) =>
    dashboard.submit('/test/calls', `/test/calls/${id}/end`, fields);
  async function isEndRequested(id: string): Promise<boolean> {
    const text = 'select end_requested_at is not null as asked from calls where id = $1';
    const { rows } = await dashboard.api.database.query<{ asked: boolean }>(text, [id]);
    return rows[0]?.asked === true;
  }

  test.each(['owner', 'developer', 'support'] as const)(
    'lets the role %s end a call once, and shows that it is ending',
    async (role) => {
      await dashboard.as(role);
      const id = await onTheLine();
      const way = `/dashboard/test/calls/${id}/end`;
      expect((await dashboard.get('/test/now')).html).toContain(`href="${way}?from=now"`);
      expect((await dashboard.get(`/test/calls/${id}`)).html).toContain(`href="${way}"`);
      const { html: confirmation } = await dashboard.get(`/test/calls/${id}/end?from=now`);
      expect(confirmation).toContain('returns to the agent');
      expect(confirmation).toMatch(/the call ends once the outcome is known, which can take a few minutes/);
      expect((await end(id, { from: 'now' })).headers.get('location')).toBe('/dashboard/test/now');
      expect((await end(id)).headers.get('location')).toBe(`/dashboard/test/calls/${id}`);
      expect(await isEndRequested(id)).toBe(true);
      for (const path of ['now', `calls/${id}`]) {
        const { html } = await dashboard.get(`/test/${path}`);
        expect(html, path).toMatch(/>Ending<|call is ending/);
        expect(html, path).not.toContain(way);
      }
      const { html } = await dashboard.get(`/test/audit?object=${id}`);
      expect(html.match(/<strong>Call end requested/g)).toHaveLength(1);
      expect(html).toContain(dashboard.user.user.id);
    },
  );

  test('does not let a viewer end a call, and shows no button', async () => {
    const id = await onTheLine();
    await dashboard.as('viewer');
    for (const path of ['now', `calls/${id}`]) {
      const { html } = await dashboard.get(`/test/${path}`);
      expect(html, path).toContain(id);
      expect(html, path).not.toMatch(/End call|\/end/);
    }
    expect((await dashboard.get(`/test/calls/${id}/end`)).status).toBe(303);
    expect((await end(id)).status).toBe(403);
    expect(await isEndRequested(id)).toBe(false);
  });

  test('returns 404 for a call of another account and for an unknown call', async () => {
    const id = await onTheLine();
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    for (const each of [id, 'call_nobody']) {
      expect((await dashboard.get(`/test/calls/${each}/end`)).status).toBe(404);
      expect((await end(each)).status).toBe(404);
    }
    expect(await isEndRequested(id)).toBe(false);
  });

  test('ends no call of the other mode, without the form token, or in live mode after an idle session', async () => {
    const id = await onTheLine();
    expect((await dashboard.submit('/live/calls', `/live/calls/${id}/end`)).status).toBe(404);
    expect((await end(id, { form_token: 'guess' })).status).toBe(403);
    const { api, user } = dashboard;
    const live = await liveCall(api, await session(), 'card_number');
    await api.database.query(`update calls set mode = 'live' where id = $1`, [live]);
    const idle = `update user_sessions set last_active_at = now() - interval '16 minutes' where user_id = $1`;
    const token = /name="form_token" value="([^"]+)"/.exec((await dashboard.get(`/live/calls/${live}/end`)).html)?.[1];
    await api.database.query(idle, [user.user.id]);
    const sent = await fetch(`${api.url}/dashboard/live/calls/${live}/end`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ form_token: token ?? '' }),
      headers: { cookie: user.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(sent.headers.get('location')).toContain('/dashboard/sign-in?');
    for (const each of [id, live]) expect(await isEndRequested(each)).toBe(false);
  });

  describe('in a browser', () => {
    const chrome = useFixture(startTestBrowser);

    test('has no barriers, nor has the page Now that leads to it', async () => {
      const id = await onTheLine();
      const { api, user } = dashboard;
      const { page, context } = await openPage(chrome, api.url, user.cookie);
      for (const path of ['now', `calls/${id}/end?from=now`]) {
        await page.goto(`${api.url}/dashboard/test/${path}`);
        await page.getByText('End call').first().waitFor();
        expect(await findBarriers(page), path).toEqual([]);
      }
      await context.close();
    });
  });

  test('is not offered for calls that have ended or returned to the agent', async () => {
    const over = await endedCall(dashboard.api, await session());
    const bridged = await onTheLine();
    await dashboard.api.database.query(`update calls set return_mode = 'bridge' where id = $1`, [bridged]);
    for (const id of [over, bridged]) {
      expect((await dashboard.get(`/test/calls/${id}`)).html).not.toContain('End call');
      expect((await dashboard.get(`/test/calls/${id}/end`)).headers.get('location')).toBe(
        `/dashboard/test/calls/${id}`,
      );
      expect((await end(id)).headers.get('location')).toBe(`/dashboard/test/calls/${id}`);
      expect(await isEndRequested(id)).toBe(false);
    }
  });
});

describe('in a browser', () => {
  const product = useFixture(() => startProduct());
  const chrome = useFixture(startTestBrowser);

  test('ends a call with the keyboard on the page Now, and the caller hears it', async () => {
    const { cookie } = await signedInUser(product.testDatabase.database, 'support', DEMO_ACCOUNT);
    const { page, context } = await openPage(chrome, product.baseUrl, cookie);
    await page.goto(`${product.baseUrl}/dashboard/test/now`);
    await page.getByText('No live calls').waitFor();
    const caller = await TestCaller.create(product);
    await caller.dial();
    const button = page.getByRole('link', { name: 'End call of +15550101234' });
    await button.waitFor();
    // The call waits for its caller only so long, so nothing else is checked meanwhile.
    await button.focus();
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('button', { name: 'End call', exact: true });
    await confirm.waitFor();
    await confirm.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/test/now');
    await caller.waitForSentence(/have to stop here/);
    await page.getByText('No live calls').waitFor();
    expect((await caller.outcomeHeadersAfterCall())['X-Ringkey-Outcome']).toBe('canceled');
    expect(await waitForEndedCall(product.testDatabase, caller.checkout.id)).toMatchObject({ outcome: 'canceled' });
    await caller.close();
    await context.close();
  });
});

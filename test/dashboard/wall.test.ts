/** The wall board: its figures, without personal data, and what it does without a connection. */
import { afterEach, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { liveCall, paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
afterEach(() => dashboard.api.database.query('update calls set ended_at = now() where ended_at is null'));

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const checkout = async () => (await paidCharge(dashboard.api)).session;

test('shows live calls, their amounts, the last hour and open attention items, but no phone number, to a viewer', async () => {
  const { api } = dashboard;
  await liveCall(api, await checkout(), 'expiry');
  await liveCall(api, await checkout(), 'paying');
  await dashboard.as('viewer', DEMO_ACCOUNT);
  for (const path of ['/test/wall', '/test/wall/figures']) {
    const { status, html } = await dashboard.get(path);
    expect(status).toBe(200);
    const text = readable(html);
    expect(text).toContain('Live calls 2');
    expect(text).toContain('Money in progress $80.00');
    expect(text).toMatch(/Success rate, last hour 100% \d+ of \d+ charges/);
    expect(text).toContain('Needs attention 0');
    expect(text).toMatch(/Entering the expiry date \$40\.00 ···· 34/);
    expect(html).not.toMatch(/5550101234|0101234/);
  }
});

test('shows no figures of the other mode', async () => {
  await liveCall(dashboard.api, await checkout(), 'expiry');
  expect(readable((await dashboard.get('/live/wall')).html)).toMatch(
    /Live calls 0 Money in progress – Success rate, last hour – No charges/,
  );
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);

  test('polls without a stream, says if there is no connection, and resumes without a reload', async () => {
    const { api, user } = dashboard;
    const context = await chrome.browser.newContext();
    const [name = '', value = ''] = user.cookie.split('=');
    await context.addCookies([{ name, value, url: api.url }]);
    const page = await context.newPage();
    await page.route('**/wall/events', (route) => route.abort());
    await page.goto(`${api.url}/dashboard/test/wall`);
    await page.evaluate('Object.assign(globalThis, { isSamePage: true })');
    await page.getByText('Updates every 3 s').waitFor();
    await liveCall(api, await checkout(), 'card_number');
    await page.getByText('Entering the card number').waitFor();
    await page.route('**/wall/figures', (route) => route.abort());
    await page.getByText('No connection').waitFor();
    await page.unroute('**/wall/figures');
    await page.unroute('**/wall/events');
    await page.getByText('Up to date').waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    await context.close();
  });
});

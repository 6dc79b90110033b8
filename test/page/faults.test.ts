/** The pay page in a browser while something fails or changes: the session expires, the network is slow or lost. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expireSessions } from '../../src/checkout/expire.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { holdForm } from './fields-harness.ts';
import { insertCharge, openTestPage, payOnPage, type TestPage, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await chrome.browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

const showsState = (state: string) => page.locator(`main[data-state=${state}]`).waitFor();

async function visit(): Promise<TestPage> {
  const opened = await openTestPage(api.database);
  await page.goto(`${api.url}${opened.path}`);
  return opened;
}

async function fill(): Promise<void> {
  await page.locator('#number').fill(VISA.number);
  await page.locator('#expiry').fill(VISA.expiry);
  await page.locator('#security_code').fill(VISA.security_code);
}

const payButton = () => page.locator('#pay button[type=submit]').first();
const pay = () => payButton().click();

async function chargesOf({ sessionId }: TestPage) {
  const text = 'select status, amount_cents as "amountCents", currency from charges where session_id = $1';
  return (await api.database.query(text, [sessionId])).rows;
}

const ONE_CHARGE = [{ status: 'succeeded', amountCents: 4_250, currency: 'USD' }];

describe('a page that is open', () => {
  test('says that its link has expired if the payer submits it too late', async () => {
    const opened = await visit();
    await fill();
    await api.database.query('update checkout_sessions set expires_at = now() where id = $1', [opened.sessionId]);
    await pay();
    await showsState('expired');
    expect(await chargesOf(opened)).toEqual([]);
  });

  test('updates when another window pays', async () => {
    const { path } = await visit();
    await payOnPage(api.url + path);
    await showsState('paid');
  });

  test('charges the session’s amount, whatever the browser sends', async () => {
    const opened = await visit();
    await fill();
    await page.evaluate(`
      for (const [name, value] of [['amount', '1'], ['amount_cents', '1'], ['currency', 'JPY']]) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        document.querySelector('#pay').append(input);
      }`);
    await pay();
    await showsState('paid');
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });
});

describe('a form that does not get through', () => {
  const status = () => page.locator('#pay .still');
  const isPost = (request: { method(): string }) => request.method() === 'POST';
  const attemptIn = (body: string | null) => new URLSearchParams(body ?? '').get('attempt');

  test('keeps its values while the payer is offline, and is sent again automatically', async () => {
    const opened = await visit();
    await fill();
    await context.setOffline(true);
    await pay();
    await status().filter({ hasText: 'The connection is lost.' }).waitFor();
    expect(await page.locator('#number').inputValue()).toBe(VISA.number);
    expect(await page.locator('#security_code').inputValue()).toBe(VISA.security_code);
    await context.setOffline(false);
    await showsState('paid');
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });

  test('is repeated as the same attempt if the response is lost, and charges once', async () => {
    const opened = await visit();
    await fill();
    const attempts: (string | null)[] = [];
    await page.route('**/p/*', async (route) => {
      if (!isPost(route.request())) return route.continue();
      attempts.push(attemptIn(route.request().postData()));
      if (attempts.length > 1) return route.continue();
      // The server receives the form, but its response is lost.
      await route.fetch({ maxRedirects: 0 });
      return route.abort('connectionreset');
    });
    await pay();
    await showsState('paid');
    expect(attempts).toHaveLength(2);
    expect(new Set(attempts).size).toBe(1);
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });

  test('shows the decline, not a repeated form, if the lost response was a decline', async () => {
    const opened = await visit();
    await fill();
    await page.locator('#number').fill('4000000000009995');
    let sent = 0;
    await page.route('**/p/*', async (route) => {
      if (!isPost(route.request())) return route.continue();
      sent += 1;
      if (sent > 1) return route.continue();
      await route.fetch({ maxRedirects: 0 });
      const age = `update charges set settled_at = now() - interval '9 seconds' where session_id = $1`;
      await api.database.query(age, [opened.sessionId]);
      return route.abort('connectionreset');
    });
    await pay();
    await showsState('declined');
    expect(await page.locator('#form-errors').textContent()).toContain('did not approve this amount');
    expect(await page.getByText('This form was sent before').count()).toBe(0);
    expect(await chargesOf(opened)).toHaveLength(1);
  });

  test('stops repeating after a while, and the payer can send it again', async () => {
    await page.clock.install();
    const opened = await visit();
    await fill();
    const attempts: (string | null)[] = [];
    await page.route('**/p/*', (route) => {
      if (!isPost(route.request())) return route.continue();
      attempts.push(attemptIn(route.request().postData()));
      return attempts.length > 5 ? route.continue() : route.fulfill({ status: 503, body: 'away' });
    });
    await pay();
    const error = page.locator('#form-errors');
    await expect
      .poll(async () => {
        await page.clock.runFor(15_000);
        return error.textContent();
      })
      .toContain('does not know yet whether you have paid');
    expect(attempts).toHaveLength(5);
    expect(await payButton().textContent()).toBe('Pay $42.50');
    expect(await page.locator('#number').inputValue()).toBe(VISA.number);
    await pay();
    await showsState('paid');
    expect(new Set(attempts).size).toBe(1);
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });

  test('says after three seconds that it is still being sent', async () => {
    await page.clock.install();
    const opened = await visit();
    await fill();
    const held = await holdForm(page);
    await pay();
    await held.sent;
    expect(await payButton().textContent()).toBe('Paying…');
    expect(await status().textContent()).toBe('');
    await page.clock.runFor(3_000);
    expect(await status().textContent()).toContain('Still working');
    held.release();
    await showsState('paid');
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });
});

/** The payer returns to the window after its script has run. */
async function returnToWindow(): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
}

test('shows a new refund on the receipt when the payer returns to the window', async () => {
  const { sessionId, path } = await visit();
  await fill();
  await pay();
  await showsState('paid');
  await api.database.query('update charges set refunded_cents = 1000 where session_id = $1', [sessionId]);
  await returnToWindow();
  await page.getByText('Refunded').waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
});

test('shows a payment by phone and its refund on an open page', async () => {
  const opened = await visit();
  await insertCharge(api.database, opened, { status: 'succeeded', source: 'phone' });
  await api.database.query('update charges set refunded_cents = 4250 where session_id = $1', [opened.sessionId]);
  api.progress.publish(opened.sessionId, 'charge_changed');
  await showsState('already_paid');
  await page.getByText('Refunded').waitFor();
});

describe('a payment that waits for the bank’s challenge', () => {
  async function openChallenge(): Promise<TestPage> {
    const opened = await visit();
    await fill();
    await page.locator('#number').fill('4000000000003220');
    await pay();
    await showsState('action');
    return opened;
  }

  test('can still be confirmed after the session has expired', async () => {
    const opened = await openChallenge();
    await api.database.query('update checkout_sessions set expires_at = now() where id = $1', [opened.sessionId]);
    await expireSessions(api.database);
    await page.reload();
    await showsState('action');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await showsState('paid');
    expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
  });

  test('asks a payer who took too long not to pay again', async () => {
    const opened = await openChallenge();
    await api.database.query('update charges set action_deadline = now() where session_id = $1', [opened.sessionId]);
    api.progress.publish(opened.sessionId, 'charge_changed');
    await showsState('pending');
    await page.getByText('Please do not pay again').waitFor();
  });
});

test('charges once on a double click over a slow 3G connection', async () => {
  const session = await context.newCDPSession(page);
  const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  const opened = await visit();
  await fill();
  await payButton().dblclick();
  await showsState('paid');
  expect(await chargesOf(opened)).toEqual(ONE_CHARGE);
});

test('marks the pressed button of a form that is being sent, and ignores the others', async () => {
  await visit();
  // The form is not really sent, so that the page stays.
  const buttons = await page.evaluate(`
    document.addEventListener('submit', (event) => event.preventDefault());
    document.querySelector('#pay button[name=wallet]').click();
    [...document.querySelectorAll('#pay button')].map((button) => [button.textContent, button.ariaDisabled]);`);
  expect(buttons).toEqual([
    ['Pay $42.50', 'true'],
    ['Paying…', 'true'],
  ]);
});

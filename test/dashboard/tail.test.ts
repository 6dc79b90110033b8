/** The live tail: what its stream contains, who may read it, and pausing it in a browser. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../src/domain/call-progress.ts';
import { newId, parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { until } from '../support/until.ts';
import { startDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);

/** Reports a step of a call of the demo's diner. */
function report(step: CallEvent['step']): void {
  const merchantId = parseId('Merchant', DEMO_DINER);
  if (merchantId === null) throw new Error('no merchant');
  dashboard.api.progress.publishCall({
    id: newId('Event'),
    type: 'call.step',
    at: new Date().toISOString(),
    sequence: 2,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    callId: newId('Call'),
    sessionId: newId('CheckoutSession'),
    merchantId,
    platformCallId: null,
    step,
    returnRoute: null,
    outcome: null,
  });
}

test('shows the events so far without scripts, of one merchant if one is chosen, to a viewer', async () => {
  const { session } = await paidCharge(dashboard.api);
  await dashboard.as('viewer', DEMO_ACCOUNT);
  const { html } = await dashboard.get(`/test/tail?merchant_id=${DEMO_DINER}`);
  expect(html).toContain('checkout.succeeded</span>');
  expect(html).toContain(`/tail/events?merchant_id=${DEMO_DINER}`);
  expect(html).not.toContain('5550101234');
  expect(html).not.toContain(session);
  expect((await dashboard.get('/test/tail?merchant_id=mer_none')).html).not.toContain('checkout.succeeded</span>');
  expect((await dashboard.get('/live/tail')).html).not.toContain('checkout.succeeded</span>');
});

test('requires a signed-in user', async () => {
  const outside = { cookie: 'ringkey=guess', 'x-forwarded-for': '198.51.100.9' };
  expect((await dashboard.get('/test/tail/events', outside)).status).toBe(303);
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);

  test('adds steps and events as they happen, holds them back while paused, and shows each once', async () => {
    const { api, user } = dashboard;
    const context = await chrome.browser.newContext();
    const [name = '', value = ''] = user.cookie.split('=');
    await context.addCookies([{ name, value, url: api.url }]);
    const page = await context.newPage();
    await page.goto(`${api.url}/dashboard/test/tail`);
    await page.getByText('Up to date').waitFor();
    // Steps are hints: one that is reported while the browser reconnects is lost.
    const reportUntil = (step: CallEvent['step'], place: Locator) =>
      until(120_000, async () => {
        report(step);
        return (await place.count()) > 0;
      });
    await reportUntil({ name: 'card_number', attempt: 1 }, page.getByText('Enters the card number'));
    await page.getByRole('button', { name: 'Pause' }).click();
    const resume = page.getByRole('button', { name: /^Resume \(\d+ new\)$/ });
    await reportUntil({ name: 'security_code', attempt: 1 }, resume);
    expect(await page.getByText('Enters the security code').count()).toBe(0);
    await resume.click();
    await page.getByText('Enters the security code').first().waitFor();
    await paidCharge(api);
    const [newest] = (await api.get('/v1/events?limit=1')).body.events as { id: string }[];
    await page.locator(`#${newest?.id}`).waitFor();
    const ids = await page.locator('#tail > li').evaluateAll((rows) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await context.close();
  });
});

/**
 * The accessibility of every dashboard page in a browser, on a phone and on a desktop, in both themes: axe-core finds
 * nothing, and no page scrolls sideways. With RINGKEY_TEST_SCREENSHOTS, screenshots are kept.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '../../src/db/users/credentials.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { lateCharge } from '../contract/late-charges.ts';
import type { TestApi } from '../contract/test-api.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { openDispute } from '../support/disputes.ts';
import { useFixture } from '../support/fixtures.ts';
import { payOut } from '../support/payouts.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { startDashboard } from './dashboard.ts';
import { endedCall, liveCall, paidCharge, unsettledCharge, unsettledRefund } from './objects.ts';

const WIDTHS = [390, 1280];

const dashboard = useFixture(startDashboard);
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
let ids: Record<string, string>;

beforeAll(async () => {
  const { api, user } = dashboard;
  const { charge, session } = await paidCharge(api, 'A-1001');
  const call = await endedCall(api, session);
  const live = await liveCall(api, session, 'expiry');
  await seedWeeks(api);
  // A long text, with a status of several words.
  await api.database.query(
    `insert into texts (id, account_id, mode, session_id, charge_id, kind, recipient, body, segments, status, delivery)
     values ('txt_barriers', $1, 'test', $2, $3, 'receipt', '+15550101234', $4, 2, 'sent', 'undelivered')`,
    [
      DEMO_ACCOUNT,
      session,
      charge,
      `Demo Diner: you paid $40.00 ${'with the card ending 4242, thank you. '.repeat(4)}`,
    ],
  );
  await setPassword(api.database, user.user.id, { passwordHash: 'a hash', totpSecret: 'sealed', totpStep: 1 });
  const refund = await api.post('/v1/refunds', { charge, amount_cents: 1_000, reason: 'requested_by_customer' });
  await openDispute(api.database, charge);
  await payOut(api.database, charge);
  const [payout] = (await api.get('/v1/payouts?limit=1')).body.payouts as { payout_id: string }[];
  const [dispute] = (await api.get('/v1/disputes?limit=1')).body.disputes as { dispute_id: string }[];
  const events = await api.get('/v1/events?limit=1');
  const [event] = events.body.events as { id: string }[];
  const pending = (await unsettledCharge(api)).charge;
  const pendingRefund = (await unsettledRefund(api)).refund;
  const alert = await api.post('/v1/alert_targets', { email: 'operations-of-the-night-shift@example.com' });
  const alertId = String(alert.body.alert_target_id);
  await api.database.query(
    `insert into alert_messages (id, target_id, kind, content, status, attempts, error_code, next_attempt_at)
     values ('alm_barriers', $1, 'alert', '{}', 'waiting', 3, '451', now() + interval '1 hour')`,
    [alertId],
  );
  ids = {
    alert: alertId,
    late: (await lateCharge(api)).charge,
    pending,
    pendingRefund,
    charge,
    session,
    call,
    live,
    refund: String(refund.body.refund_id),
    dispute: dispute?.dispute_id ?? '',
    payout: payout?.payout_id ?? '',
    event: event?.id ?? '',
    user: user.user.id,
  };
  context = await chrome.browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' });
  const [name = '', value = ''] = user.cookie.split('=');
  await context.addCookies([{ name, value, url: api.url }]);
  page = await context.newPage();
});
afterAll(() => context.close());

/** Two weeks of payments for the charts of the overview. Some failed. */
async function seedWeeks({ database }: TestApi): Promise<void> {
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const steps = ['answered', 'ask card_number', 'ask expiry', 'ask security_code', 'charge', 'return'];
  for (let made = 1; made < 40; made += 1) {
    const hasFailed = made % 4 === 0;
    await seedPayment(database, scope, {
      merchant: DEMO_DINER,
      at: new Date(Date.now() - made * 8 * 3_600_000).toISOString(),
      cents: made * 250,
      ...(hasFailed ? { status: 'failed', code: 'insufficient_funds' } : { status: 'succeeded', returnMode: 'refer' }),
      steps: made % 5 === 0 ? steps.slice(0, 3) : steps,
      seconds: 30 + made,
    });
  }
}

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** WCAG 2.5.8: targets are at least 24 px high and wide, except links in a text or in their own cell. */
const TOO_SMALL = `[...document.querySelectorAll('button, summary, select, input:not([type=hidden]), nav a, a.button')]
  .filter((element) => element.checkVisibility())
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < 24 || height < 24;
  })
  .map((element) => element.outerHTML)`;

/** Opens everything that is closed on the page of a call. */
async function openFolds(): Promise<void> {
  for (const summary of await page.locator('details.fold > summary').all()) await summary.click();
}

/** Goes on to the confirmation of a manual settlement, or to the form with its error. */
async function settle(outcome: string, processorId: string): Promise<void> {
  await page.getByLabel('Outcome at the processor').selectOption(outcome);
  await page.getByLabel(/^Processor’s/).fill(processorId);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/confirm$/);
}

test.each<[name: string, path: () => string, act?: () => Promise<void>]>([
  ['start', () => '/test/start'],
  ['now', () => '/test/now'],
  ['now-empty', () => '/live/now'],
  ['tail', () => '/test/tail'],
  ['tail-empty', () => '/live/tail'],
  ['wall', () => '/test/wall'],
  ['wall-empty', () => '/live/wall'],
  ['calls', () => '/test/calls'],
  ['calls-empty', () => '/live/calls'],
  ['call', () => `/test/calls/${ids.call}`],
  ['call-open', () => `/test/calls/${ids.call}`, openFolds],
  ['call-live', () => `/test/calls/${ids.live}`],
  ['call-end', () => `/test/calls/${ids.live}/end?from=now`],
  ['caller', () => '/test/callers?number=%2B15550101234'],
  ['caller-none', () => '/test/callers?number=555000000'],
  ['caller-erase', () => '/test/callers/erase?number=%2B15550101234'],
  ['checkouts', () => '/test/checkouts'],
  ['checkout', () => `/test/checkouts/${ids.session}`],
  ['attention', () => '/test/attention'],
  ['attention-aside', () => '/test/attention?status=set_aside'],
  ['overview', () => '/test/overview'],
  ['overview-empty', () => '/live/overview'],
  ['charges', () => '/test/charges?status=succeeded'],
  ['charges-none', () => '/test/charges?last_four=0007'],
  ['charges-wrong', () => '/test/charges?last_four=x'],
  ['charge', () => `/test/charges/${ids.charge}`],
  ['setup-merchants', () => '/test/setup/merchants'],
  ['setup-merchant', () => '/test/setup/merchants/mer_demo_diner'],
  ['setup-merchant-new', () => '/test/setup/merchants/new'],
  ['setup-processor', () => '/test/setup/merchants/mer_demo_diner/processor?processor=stripe'],
  ['setup-test-charge', () => `/test/setup/merchants/mer_demo_diner/test-charge?charge=${ids.charge}`],
  ['setup-go-live', () => '/live/setup/go-live'],
  ['setup-notifications', () => '/test/setup/merchants/mer_demo_diner/notifications'],
  ['setup-keys', () => '/test/setup/keys'],
  ['setup-keys-empty', () => '/live/setup/keys'],
  ['setup-key-new', () => '/test/setup/keys/new'],
  ['setup-webhooks-empty', () => '/test/setup/webhooks'],
  ['setup-webhook-new', () => '/test/setup/webhooks/new'],
  ['setup-account', () => '/test/setup/account'],
  ['setup-alerts', () => '/test/setup/alerts'],
  ['setup-alerts-empty', () => '/live/setup/alerts'],
  ['setup-alert', () => `/test/setup/alerts/${ids.alert}`],
  ['setup-alert-new', () => '/test/setup/alerts/new'],
  ['your-alerts', () => '/test/your-alerts'],
  ['your-sign-in', () => '/test/your-sign-in'],
  ['your-password', () => '/test/your-sign-in/new-password'],
  ['your-authenticator', () => '/live/your-sign-in/new-authenticator'],
  ['setup-users', () => '/test/setup/users'],
  ['setup-user', () => `/test/setup/users/${ids.user}`],
  ['setup-user-new', () => '/test/setup/users/new'],
  ['setup-user-remove', () => `/test/setup/users/${ids.user}/remove`],
  ['refund-amount', () => `/test/charges/${ids.charge}/refund`],
  ['refund-wrong', () => `/test/charges/${ids.charge}/refund?amount=x`],
  ['refund-confirm', () => `/test/charges/${ids.charge}/refund?amount=3`],
  ['refunds', () => '/test/refunds'],
  ['refund', () => `/test/refunds/${ids.refund}`],
  ['disputes', () => '/test/disputes'],
  ['dispute', () => `/test/disputes/${ids.dispute}`],
  ['payouts', () => '/test/payouts'],
  ['payout', () => `/test/payouts/${ids.payout}`],
  ['payout-entries', () => '/test/payout-entries'],
  ['charge-pending', () => `/test/charges/${ids.pending}`],
  ['charge-late', () => `/test/charges/${ids.late}`],
  ['settle-ask', () => `/test/charges/${ids.pending}/settle`],
  ['settle-wrong', () => `/test/charges/${ids.pending}/settle`, () => settle('succeeded', '')],
  ['settle-confirm', () => `/test/charges/${ids.pending}/settle`, () => settle('succeeded', `pi_${'4x'.repeat(60)}`)],
  ['refund-pending', () => `/test/refunds/${ids.pendingRefund}`],
  ['refund-settle', () => `/test/refunds/${ids.pendingRefund}/settle`, () => settle('refused', '')],
  ['events', () => '/test/events'],
  ['event', () => `/test/events/${ids.event}?notice=resent`],
  ['texts', () => '/test/texts'],
  ['emails', () => '/test/emails'],
  ['requests', () => '/test/requests'],
  ['audit', () => '/test/audit'],
  ['search', () => '/test/search?q=A-1001'],
  ['search-none', () => '/test/search?q=nothing'],
  ['not-found', () => '/test/nowhere'],
])('has no accessibility barriers on the page %s', async (name, pathOf, act) => {
  const faults: string[] = [];
  const note = (error: Error) => faults.push(error.message);
  page.on('pageerror', note);
  await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 844 });
  await page.goto(`${dashboard.api.url}/dashboard${pathOf()}`);
  await act?.();
  // The account's, not the browser's.
  expect(await page.locator('[data-zone]').first().textContent()).toBe('UTC');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(OVERFLOW), `${width} px`).toBe(0);
    expect(await page.evaluate(TOO_SMALL), `${width} px`).toEqual([]);
    // Each page is checked in two of the four combinations. What all pages share is seen in every one.
    const colorScheme = (WIDTHS.indexOf(width) + name.length) % 2 === 0 ? 'light' : 'dark';
    await page.emulateMedia({ colorScheme });
    // As tall as the page, so that the buttons at the bottom cover nothing that scrolling uncovers.
    await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
    expect(await findBarriers(page), `${width} px, ${colorScheme}`).toEqual([]);
  }
  if (keepsScreenshots) await takeScreenshots(page, `dashboard-${name}`);
  page.off('pageerror', note);
  expect(faults).toEqual([]);
});

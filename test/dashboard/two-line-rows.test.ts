/** Lists on a phone, in every language: each row has two lines at most, also with the longest words and amounts. */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { COUNTED_STEPS } from '../../src/domain/call.ts';
import { DECLINE_CODES } from '../../src/domain/charge.ts';
import { DISPUTE_REASONS, DISPUTE_STATUSES } from '../../src/domain/dispute.ts';
import { PAYOUT_ENTRY_KINDS, PAYOUT_STATUSES } from '../../src/domain/payout.ts';
import { TEXT_DELIVERIES, TEXT_STATUSES } from '../../src/domain/texts.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { lateCharge, lateDuplicate } from '../contract/late-charges.ts';
import { CAUSES } from '../support/attention-causes/index.ts';
import { startTestBrowser } from '../support/browser.ts';
import { openDispute } from '../support/disputes.ts';
import { useFixture } from '../support/fixtures.ts';
import { payOut } from '../support/payouts.ts';
import { type SeededPayment, seedPayment } from '../support/seed-payments.ts';
import { startDashboard } from './dashboard.ts';
import { deliveredEvents, endedCall, liveCall, paidCharge, unsettledRefund } from './objects.ts';

const dashboard = useFixture(() => startDashboard({ logsRequests: true }));
const chrome = useFixture(startTestBrowser);

const LIMIT_MS = 600_000;
const LARGE_CENTS = 123_456_700;
const PATHS = [
  '/calls',
  '/checkouts',
  '/charges',
  '/refunds',
  '/disputes',
  '/payouts',
  '/payout-entries',
  '/texts',
  '/events',
  '/requests',
  '/now',
  '/callers?number=%2B15550101234',
  '/search?q=A-1001',
  '/reports?merchant_id=mer_demo_diner',
  '/overview',
  '/setup/merchants',
  '/setup/keys',
  '/setup/webhooks',
  '/setup/alerts',
  '/setup/users',
];

beforeAll(async () => {
  const { api } = dashboard;
  const { charge, session } = await paidCharge(api, 'A-1001');
  await endedCall(api, session);
  for (const stage of ['waiting', 'leaving', 'postal_code'] as const) {
    await liveCall(api, (await paidCharge(api)).session, stage);
  }
  await api.post('/v1/refunds', { charge, amount_cents: 1_000 });
  await unsettledRefund(api);
  await lateCharge(api);
  await lateDuplicate(api);
  await CAUSES.find(({ kind }) => kind === 'capture_failed')?.start(api);
  await disputesAndPayouts();
  await textsInAllStates(session);
  await deliveredEvents(api, [
    { url: 'https://hooks.example.com/with/a/long/path', status_code: 200, failure: null },
    { url: 'https://down.example.com/with/a/long/path', status_code: 503, failure: 'status' },
  ]);
  await api.database.query(`update webhook_endpoints set failures = 3 where url like '%down%'`);
  await api.requestLog.flush();
  await api.post('/v1/keys', { name: 'The booking team’s backend' });
  await callsThroughAllSteps();
  await api.post('/v1/alert_targets', { email: 'operations-of-the-night-shift@example.com' });
}, LIMIT_MS);

/** Calls that ended at each step, and one that was asked for everything for each reason of a failed charge. */
async function callsThroughAllSteps(): Promise<void> {
  const call = { merchant: DEMO_DINER, at: new Date(Date.now() - 3_600_000).toISOString() };
  const seed = (more: Pick<SeededPayment, 'status' | 'code' | 'steps'>) =>
    seedPayment(dashboard.api.database, { accountId: DEMO_ACCOUNT, mode: 'test' }, { ...call, ...more });
  for (const last of COUNTED_STEPS.keys()) await seed({ status: null, steps: COUNTED_STEPS.slice(0, last) });
  for (const code of DECLINE_CODES) await seed({ status: 'failed', code, steps: COUNTED_STEPS });
}

/** One of each reason and status, with large amounts. */
async function disputesAndPayouts(): Promise<void> {
  const { api } = dashboard;
  for (const [at, reason] of DISPUTE_REASONS.entries()) {
    const { charge } = await paidCharge(api);
    await openDispute(api.database, charge);
    const status = DISPUTE_STATUSES[at % DISPUTE_STATUSES.length];
    await api.database.query('update disputes set reason = $2, status = $3, amount_cents = $4 where charge_id = $1', [
      charge,
      reason,
      status,
      LARGE_CENTS,
    ]);
  }
  for (const status of PAYOUT_STATUSES) {
    const { charge } = await paidCharge(api);
    await payOut(api.database, charge);
    await api.database.query(
      `update payouts p set status = $2, amount_cents = $3 from payout_entries e
        where e.payout_id = p.id and e.charge_id = $1`,
      [charge, status, LARGE_CENTS],
    );
    for (const kind of PAYOUT_ENTRY_KINDS) {
      await api.database.query(
        `insert into payout_entries (id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, charge_id,
                                     gross_cents, fee_cents, net_cents)
         select e.id || $2, payout_id, account_id, mode, merchant_id, $2, $2, charge_id, -1234500, 36, -1234536
           from payout_entries e where charge_id = $1 and processor_entry_id not in (select unnest($3::text[]))`,
        [charge, kind, [...PAYOUT_ENTRY_KINDS]],
      );
    }
  }
}

async function textsInAllStates(session: string): Promise<void> {
  const states = [
    ...TEXT_STATUSES.map((status) => [status, null] as const),
    ...TEXT_DELIVERIES.map((delivery) => ['sent', delivery] as const),
  ];
  for (const [at, [status, delivery]] of states.entries()) {
    await dashboard.api.database.query(
      `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, delivery, error_code)
       values ($1, $2, 'test', $3, 'link', '+4915155501234', 'Pay here', 1, $4, $5, '30003')`,
      [`txt_two_lines_${at}`, DEMO_ACCOUNT, session, status, delivery],
    );
  }
}

/** Rows of more than two lines: texts whose middles are further apart than parts of a line are. */
const TOO_HIGH = `[...document.querySelectorAll('main tbody tr:not(:has(details[open]))')].flatMap((row) => {
  const lines = [];
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    if (text.data.trim() === '' || text.parentElement.closest('details, .unseen') || !text.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { top, bottom, width } of range.getClientRects()) {
      const middle = (top + bottom) / 2;
      if (width > 1 && !lines.some((line) => Math.abs(line - middle) < 9)) lines.push(middle);
    }
  }
  return lines.length > 2 ? [row.innerText.replace(/\\s+/g, ' ')] : [];
})`;
/** Reasons of failing endpoints that are cut or hidden. */
const CUT_REASONS = `[...document.querySelectorAll('.last-failure')]
  .filter((reason) => reason.scrollWidth > reason.clientWidth || !reason.innerText.includes('503'))
  .map((reason) => reason.textContent)`;
const ROWS = 'main tbody tr';
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function faultsOf(page: Page, path: string): Promise<string[]> {
  await page.goto(`${dashboard.api.url}/dashboard/test${path}`);
  const faults = await page.evaluate<string[]>(TOO_HIGH);
  faults.push(...(await page.evaluate<string[]>(CUT_REASONS)));
  if (path === '/setup/webhooks' && !(await page.locator('.last-failure').isVisible())) faults.push('no reason');
  if ((await page.evaluate<number>(OVERFLOW)) > 0) faults.push('scrolls sideways');
  if ((await page.locator(ROWS).count()) === 0) faults.push('no rows');
  return faults.map((fault) => `${path}: ${fault}`);
}

test.each(LANGUAGE_TAGS)(
  'shows each row of every list in two lines on a phone: %s',
  async (locale) => {
    const viewport = { width: 390, height: 844 };
    const context: BrowserContext = await chrome.browser.newContext({ reducedMotion: 'reduce', viewport, locale });
    try {
      const [name = '', value = ''] = dashboard.user.cookie.split('=');
      await context.addCookies([{ name, value, url: dashboard.api.url }]);
      const page = await context.newPage();
      const faults: string[] = [];
      for (const path of PATHS) faults.push(...(await faultsOf(page, path)));
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  },
  LIMIT_MS,
);

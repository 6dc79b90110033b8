/** The pay page in a browser during a call: it follows the stages of the call and payments elsewhere. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertCall } from '../../src/db/calls/calls.ts';
import type { CallStage } from '../../src/domain/call.ts';
import { newId } from '../../src/domain/ids.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { openTestPage, payOnPage, type TestPage } from './pages.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);

async function visit({ path }: TestPage, { streams }: { streams: boolean }, use: (page: Page) => Promise<void>) {
  const context = await chrome.browser.newContext();
  try {
    const page = await context.newPage();
    if (!streams) await page.route('**/events', (route) => route.fulfill({ status: 429 }));
    await page.goto(`${api.url}${path}`);
    await use(page);
  } finally {
    await context.close();
  }
}

/** Sets the stage of the session's call. @param isNew creates the call first */
async function callAt({ sessionId, merchant: { accountId } }: TestPage, stage: CallStage, isNew = false) {
  if (isNew) {
    await insertCall(
      api.database,
      {
        id: newId('Call'),
        accountId,
        mode: 'test',
        sessionId,
        instance: 'test',
        leaseId: 1,
        sipCallId: 'x',
        sipDialogs: [],
        sourceAddress: '127.0.0.1',
        allowsRefer: false,
      },
      10,
    );
  }
  await api.database.query('update calls set stage = $2 where session_id = $1', [sessionId, stage]);
  api.progress.publish(sessionId, 'call_stage');
}

test.each([
  ['by the stream', { streams: true }],
  ['by polling every three seconds', { streams: false }],
])('follows the call %s, and keeps the entries until the session is paid', async (_, how) => {
  const opened = await openTestPage(api.database);
  await visit(opened, how, async (page) => {
    const live = page.locator('#live');
    expect(await live.isVisible()).toBe(false);
    await page.locator('#number').fill('4242');
    await callAt(opened, 'card_number', true);
    await page.getByText('The phone is asking for your card now.').waitFor();
    expect(await live.getAttribute('aria-live')).toBe('polite');
    await callAt(opened, 'expiry');
    await page.getByText('A card is being entered on the phone.').waitFor();
    expect(await page.locator('#number').inputValue()).toBe('4242');
    // The payment arrives at the long URL, as from another window.
    await payOnPage(api.url + opened.longPath);
    await page.locator('main[data-state=paid]').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Paid');
  });
});

/** The pay page in a browser while Redis is unavailable and while PostgreSQL restarts: it charges once and shows it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Sql } from '../../src/db/pool.ts';
import { startOnRestartingPostgres } from '../chaos/restarting-postgres.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { openTestPage, VISA } from './pages.ts';

const chrome = useFixture(startTestBrowser);

async function pay(page: Page): Promise<void> {
  await page.locator('#number').fill(VISA.number);
  await page.locator('#expiry').fill(VISA.expiry);
  await page.locator('#security_code').fill(VISA.security_code);
  await page.locator('#pay button[type=submit]').first().click();
}

async function chargesOf(sql: Sql, sessionId: string) {
  return (await sql.query('select status from charges where session_id = $1', [sessionId])).rows;
}

test('takes a payment without Redis, and shows it in another window', async () => {
  const redis = await startTcpProxy();
  const settings = { RINGKEY_ROLES: 'api', RINGKEY_SYNTHESIZER: 'none' };
  const product = await startProduct(({ redisUrl }) => ({ ...settings, REDIS_URL: redis.forwardTo(redisUrl) }));
  try {
    const { database } = product.testDatabase;
    const { path, sessionId } = await openTestPage(database);
    const [page, other] = await Promise.all([chrome.browser.newPage(), chrome.browser.newPage()]);
    await other.goto(product.baseUrl + path);
    redis.cut();
    await page.goto(product.baseUrl + path);
    await pay(page);
    for (const window of [page, other]) await window.locator('main[data-state=paid]').waitFor();
    expect(await chargesOf(database, sessionId)).toEqual([{ status: 'succeeded' }]);
    await Promise.all([page.close(), other.close()]);
  } finally {
    await product.close();
    await redis.close();
  }
});

test('charges once on a page that was open while PostgreSQL restarted', async () => {
  const service = await startOnRestartingPostgres();
  try {
    const { baseUrl } = service.product;
    const { path, sessionId } = await openTestPage(service.database);
    const page = await chrome.browser.newPage();
    await page.goto(baseUrl + path);
    await service.restart('SIGQUIT');
    // The first request may meet a broken connection and get an error page.
    await expect
      .poll(async () => {
        await page.goto(baseUrl + path);
        return page.locator('main').getAttribute('data-state');
      })
      .toBe('ready');
    await pay(page);
    await page.locator('main[data-state=paid]').waitFor();
    expect(await chargesOf(service.database, sessionId)).toEqual([{ status: 'succeeded' }]);
    await page.close();
  } finally {
    await service.close();
  }
});

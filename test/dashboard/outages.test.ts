/** Outages of PostgreSQL, of Redis and of the network while pages with a stream are open: they say so, and recover. */
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { startTestBrowser } from '../support/browser.ts';
import { createCheckout } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { FORM_TOKEN } from './dashboard.ts';
import { liveCall } from './objects.ts';

const site = useFixture(async () => {
  const [postgres, redis, http] = await Promise.all([startTcpProxy(), startTcpProxy(), startTcpProxy()]);
  const product = await startProduct(({ databaseUrl, redisUrl }) => ({
    DATABASE_URL: postgres.forwardTo(databaseUrl),
    REDIS_URL: redis.forwardTo(redisUrl),
  }));
  const url = new URL(http.forwardTo(product.baseUrl)).origin;
  return {
    postgres,
    redis,
    http,
    product,
    url,
    async close() {
      await product.close();
      await Promise.all([postgres.close(), redis.close(), http.close()]);
    },
  };
});
const chrome = useFixture(startTestBrowser);

const pages: Page[] = [];
afterEach(async () => {
  for (const proxy of [site.postgres, site.redis, site.http]) proxy.restore();
  for (const page of pages.splice(0)) await page.close();
  const { database } = site.product.testDatabase;
  await database.query('update calls set ended_at = now() where ended_at is null');
  expect(site.product.output()).not.toMatch(/unhandled|uncaught|"level":"fatal"/i);
  // The product's own statements leave no open transactions.
  const waiting = `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  await expect.poll(async () => (await database.query(waiting)).rows).toEqual([]);
});

async function open(path: string): Promise<Page> {
  const page = await chrome.browser.newPage();
  pages.push(page);
  await page.goto(`${site.url}/dashboard/test${path}`);
  await page.evaluate('Object.assign(globalThis, { isSamePage: true })');
  return page;
}

const says = (page: Page, text: string) => page.locator('[data-live-state]', { hasText: text }).waitFor();
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in globalThis);

/** Creates a live call. @returns a function that changes its stage */
async function startCall() {
  const { database } = site.product.testDatabase;
  const { id } = await createCheckout(site.product);
  const live = await liveCall({ database }, id, 'card_number');
  return (stage: string) => database.query('update calls set stage = $2 where id = $1', [live, stage]);
}

test.each(['cut', 'stall'] as const)('recovers on the page Now after PostgreSQL was away (%s)', async (how) => {
  const enter = await startCall();
  const page = await open('/now');
  await says(page, 'Up to date');
  await page.getByText('Entering the card number').waitFor();
  site.postgres[how]();
  await says(page, 'No connection');
  const answer = await fetch(`${site.url}/dashboard/test/charges`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('cannot reach its database')]);
  await enter('expiry');
  site.postgres.restore();
  await page.getByText('Entering the expiry date').waitFor();
  await says(page, 'Up to date');
  expect(await isSamePage(page)).toBe(true);
});

test('keeps showing live calls on the page Now while Redis is away', async () => {
  const enter = await startCall();
  const page = await open('/now');
  await page.getByText('Entering the card number').waitFor();
  site.redis.cut();
  await enter('expiry');
  await page.getByText('Entering the expiry date').waitFor();
  await says(page, 'Up to date');
  expect((await fetch(`${site.url}/dashboard/test/charges`)).status).toBe(200);
  site.redis.restore();
  await enter('security_code');
  await page.getByText('Entering the security code').waitFor();
});

test('opens a broken stream again, and leaves none open', async () => {
  const enter = await startCall();
  const page = await open('/now');
  await says(page, 'Up to date');
  site.http.cut();
  await says(page, 'No connection');
  await enter('expiry');
  site.http.restore();
  await page.getByText('Entering the expiry date').waitFor();
  await says(page, 'Up to date');
  await page.close();
  // All four streams that a user may have are free again.
  await expect.poll(() => openStreams(4)).toEqual([200, 200, 200, 200]);
});

/** Opens several streams at once, and closes them. @returns the statuses of the responses */
async function openStreams(count: number): Promise<number[]> {
  const stop = new AbortController();
  const { signal } = stop;
  const open = () => fetch(`${site.url}/dashboard/test/now/events`, { signal }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: count }, open));
  stop.abort();
  return statuses;
}

/** Places a test call whose caller presses no keys. @returns its page */
async function placeTestCall(): Promise<Page> {
  const form = await (await fetch(`${site.url}/dashboard/test/try`)).text();
  const body = new URLSearchParams({
    form_token: FORM_TOKEN.exec(form)?.[1] ?? '',
    merchant: 'mer_demo_diner',
    script: 'silent',
    card: '',
    amount: '42.50',
  });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${site.url}/dashboard/test/try`, { method: 'POST', body, headers, redirect: 'manual' });
  return open((answer.headers.get('location') ?? '').replace('/dashboard/test', ''));
}

test('follows a test call through outages until it ends', async () => {
  const page = await placeTestCall();
  await page.locator('.transcript .said').first().waitFor();
  await says(page, 'Up to date');
  for (const part of ['postgres', 'http'] as const) {
    site[part].cut();
    await says(page, 'No connection');
    site[part].restore();
    await says(page, 'Up to date');
  }
  expect(await isSamePage(page)).toBe(true);
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.locator('.result').waitFor();
  await page.locator('[data-live-state]').waitFor({ state: 'hidden' });
});

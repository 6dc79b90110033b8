/**
 * PostgreSQL, Redis and the way to the service go away while pages with a stream are open: they say so, and come back.
 */
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
  // Statements of this look are none of the product's.
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

/** A call that is on the line, and its stage from now on. */
async function call() {
  const { database } = site.product.testDatabase;
  const { id } = await createCheckout(site.product);
  const live = await liveCall({ database }, id, 'card_number');
  return (stage: string) => database.query('update calls set stage = $2 where id = $1', [live, stage]);
}

test.each(['cut', 'stall'] as const)('PostgreSQL is away (%s) while Now is open', async (how) => {
  const enter = await call();
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

test('Redis is away while Now is open: calls are looked at all the same', async () => {
  const enter = await call();
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

test('the stream breaks off, and comes back; none is left open', async () => {
  const enter = await call();
  const page = await open('/now');
  await says(page, 'Up to date');
  site.http.cut();
  await says(page, 'No connection');
  await enter('expiry');
  site.http.restore();
  await page.getByText('Entering the expiry date').waitFor();
  await says(page, 'Up to date');
  await page.close();
  // A user may have four: all of them are free.
  await expect.poll(() => openStreams(4)).toEqual([200, 200, 200, 200]);
});

/** Opens streams at once, and closes them. @returns the statuses of their answers */
async function openStreams(count: number): Promise<number[]> {
  const stop = new AbortController();
  const { signal } = stop;
  const open = () => fetch(`${site.url}/dashboard/test/now/events`, { signal }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: count }, open));
  stop.abort();
  return statuses;
}

/** Places a test call whose caller presses nothing. @returns its page */
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

test('a test call is watched through outages, until it is over', async () => {
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

/**
 * The pages "Try it" and "Getting started" on the whole product: a real call from a browser, followed and heard; bad
 * input.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCRIPT_GROUPS, TEST_CALLER } from '../../src/http/dashboard/try-it/scripts.ts';
import { SCRIPTS } from '../../src/local/scripted-caller/scripts.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';

const product = useFixture(() => startProduct());
const chrome = useFixture(startTestBrowser);
const address = (path: string) => `${product.baseUrl}/dashboard${path}`;

/** Fails where the browser complains. */
async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  // The browser reports a transition that a busy machine has no time for as an error of the page.
  const context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

async function submit(path: string, fields: Record<string, string>) {
  const form = await (await fetch(address('/test/try'))).text();
  const token = /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const answer = await fetch(address(path), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ form_token: token, ...fields }),
  });
  return { status: answer.status, to: answer.headers.get('location') ?? '', html: await answer.text() };
}

const CHOSEN = { merchant: 'mer_demo_diner', script: 'silent', card: '', amount: '42.50' };

/** Places a call, and resolves to its address. */
async function place(fields: Partial<typeof CHOSEN> = {}): Promise<string> {
  const { status, to } = await submit('/test/try', { ...CHOSEN, ...fields });
  expect(status).toBe(303);
  return to.replace('/dashboard', '');
}

/** Has the caller hang up, and waits until the call is over. */
async function hangUp(path: string): Promise<void> {
  expect((await submit(`${path}/hang-up`, {})).status).toBe(303);
  await expect.poll(async () => (await fetch(address(path))).text()).toContain('class="result"');
}

test('a call from the browser is watched while it runs, paid, and heard', () =>
  withPage(async (page) => {
    await page.goto(address('/test/try'));
    await page.getByLabel('In a hurry').check();
    await page.getByRole('button', { name: 'Place the call' }).click();
    await page.waitForURL(/\/try\/try_/);
    // No page is loaded again: what follows comes by the stream.
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page.locator('.transcript .keyed').first().waitFor();
    expect(await page.locator('.transcript .keyed').first().textContent()).not.toMatch(/\d{5}/);
    await page.locator('.result').waitFor();
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    expect(await page.locator('.result .badge').textContent()).toBe('Paid');
    expect(await page.locator('.headers').textContent()).toContain('X-Ringkey-Outcomesucceeded');
    expect(await page.locator('.payload').first().textContent()).toContain('checkout.completed');
    expect(await page.locator('.snippet').first().textContent()).toContain(`${product.baseUrl}/v1/create_checkout`);
    expect(await page.getByRole('button', { name: 'Hang up' }).count()).toBe(0);
    const source = await page.locator('audio').getAttribute('src');
    const sound = await fetch(product.baseUrl + source);
    expect(sound.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await sound.arrayBuffer());
    let loudest = 0;
    for (let at = 44; at + 2 <= bytes.length; at += 2) loudest = Math.max(loudest, bytes.readInt16LE(at));
    expect(loudest).toBeGreaterThan(3_000);
    const part = await fetch(product.baseUrl + source, { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 8))).toBe(true);
    // It ticks itself: a call is paid.
    await page.goto(address('/test/start'));
    const done = await page.locator('.checklist .done h2').allTextContents();
    expect(done.map((title) => title.replace(' (done)', ''))).toEqual(
      expect.arrayContaining(['Create a merchant', 'Create a checkout', 'Take a payment on a call']),
    );
  }));

test('the checklist ticks itself while it is open', () =>
  withPage(async (page) => {
    await page.goto(address('/test/start'));
    const titles = await page.locator('.checklist h2').allTextContents();
    expect(titles.slice(0, 2).map((title) => title.split(' (')[0])).toEqual([
      'Create a merchant',
      'Connect its processor',
    ]);
    const step = page.locator('.checklist li', { hasText: 'Create a key' });
    expect(await step.getAttribute('class')).toBe('open');
    await fetch(`${product.baseUrl}/v1/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Voice agent' }),
    });
    await page.locator('.checklist li.done', { hasText: 'Create a key' }).waitFor();
  }));

describe('there is no call', () => {
  test.each([
    ['a script that there is not', { script: 'vanish' }, 'Choose what the caller does.'],
    ['a script from the prototype', { script: 'constructor' }, 'Choose what the caller does.'],
    ['a card that is none', { card: '4242424242424242' }, 'Choose a test card.'],
    ['another account’s merchant', { merchant: 'mer_g83dnep6khxdgajgzbep2jsyz8' }, 'Choose a merchant.'],
    ['markup for a merchant', { merchant: '<b>/../x' }, 'Choose a merchant.'],
    ['no amount', { amount: '0,00' }, 'Enter an amount such as 42.50'],
    ['nothing that has to be paid', { merchant: 'mer_demo_free' }, 'requires no payment for this amount'],
  ])('with %s', async (_, fields, words) => {
    const { status, html } = await submit('/test/try', { ...CHOSEN, ...fields });
    expect(status).toBe(422);
    expect(html).toContain(words);
    expect(html).not.toContain('<b>/');
  });

  test('in live mode, which the demo has not', async () => {
    expect((await submit('/live/try', CHOSEN)).status).toBe(404);
    expect((await fetch(address('/live/try'))).status).toBe(404);
  });

  test('without the form’s token', async () => {
    expect((await submit('/test/try', { ...CHOSEN, form_token: 'guess' })).status).toBe(403);
  });

  test('as a third at once', async () => {
    const paths = [await place(), await place()];
    const { status, html } = await submit('/test/try', CHOSEN);
    expect(status).toBe(422);
    expect(html).toContain('Two test calls are already running.');
    for (const path of paths) await hangUp(path);
  });

  test.each(['', '/events', '/recording.wav'])('at an address that was never one%s', async (part) => {
    expect((await fetch(address(`/test/try/try_000${part}`))).status).toBe(404);
  });
});

test('every script that can be chosen is one of the scripted caller, and takes its numbers', () => {
  for (const [, scripts] of SCRIPT_GROUPS) {
    for (const [name, { caller = TEST_CALLER }] of Object.entries(scripts)) {
      expect(Object.keys(SCRIPTS)).toContain(name);
      const script = SCRIPTS[name as keyof typeof SCRIPTS];
      expect(caller, name).toBe('caller' in script ? script.caller : TEST_CALLER);
      expect('paysOnPage' in script, name).toBe(false);
    }
  }
});

test('the product stops while a test call runs: its caller hangs up', async () => {
  await place();
  expect(await product.stop()).toBe(0);
  await product.startAgain();
});

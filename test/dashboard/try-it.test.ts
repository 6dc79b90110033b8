/** The pages "Try it" and "Getting started" on the whole product: a real test call from a browser, and invalid input. */
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

/** Fails on console errors and script errors. */
async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  // On a busy machine, Chromium reports a skipped view transition as a page error.
  const context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  const errors: string[] = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await use(page);
    expect(errors).toEqual([]);
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

/** Places a call. @returns the path of its page */
async function place(fields: Partial<typeof CHOSEN> = {}): Promise<string> {
  const { status, to } = await submit('/test/try', { ...CHOSEN, ...fields });
  expect(status).toBe(303);
  return to.replace('/dashboard', '');
}

/** Makes the caller hang up, and waits until the call has ended. */
async function hangUp(path: string): Promise<void> {
  expect((await submit(`${path}/hang-up`, {})).status).toBe(303);
  await expect.poll(async () => (await fetch(address(path))).text()).toContain('class="result"');
}

test('places a call from the browser, shows its steps while it runs, and plays its recording', () =>
  withPage(async (page) => {
    await page.goto(address('/test/try'));
    await page.getByLabel('In a hurry').check();
    await page.getByRole('button', { name: 'Place the call' }).click();
    await page.waitForURL(/\/try\/try_/);
    // The page is not reloaded: everything below arrives by the stream.
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page.locator('.transcript .keyed').first().waitFor();
    expect(await page.locator('.transcript .keyed').first().textContent()).not.toMatch(/\d{5}/);
    await page.locator('.result').waitFor();
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    const transcript = await page.locator('.transcript').innerText();
    expect(await page.locator('.result .badge').textContent(), transcript).toBe('Paid');
    expect(await page.locator('.headers').textContent()).toContain('X-Ringkey-Outcomesucceeded');
    expect(await page.locator('.payload').first().textContent()).toContain('checkout.completed');
    expect(await page.locator('.snippet').first().textContent()).toContain(`${product.baseUrl}/v1/create_checkout`);
    expect(await page.getByRole('button', { name: 'Hang up' }).count()).toBe(0);
    await page.getByLabel('Your voice platform').selectOption('Vapi');
    await page.getByRole('button', { name: 'Show its code' }).click();
    await page.locator('.snippet', { hasText: 'sipUri' }).waitFor();
    expect(await page.locator('.snippet', { hasText: 'sipUri' }).textContent()).toContain('-…@');
    const source = await page.locator('audio').getAttribute('src');
    const audio = await fetch(product.baseUrl + source);
    expect(audio.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await audio.arrayBuffer());
    let loudest = 0;
    for (let at = 44; at + 2 <= bytes.length; at += 2) loudest = Math.max(loudest, bytes.readInt16LE(at));
    expect(loudest).toBeGreaterThan(3_000);
    const part = await fetch(product.baseUrl + source, { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 8))).toBe(true);
    // The paid call has completed steps of the checklist.
    await page.goto(address('/test/start'));
    const done = await page.locator('.checklist .done h2').allTextContents();
    expect(done.map((title) => title.replace(' (done)', ''))).toEqual(
      expect.arrayContaining(['Create a merchant', 'Create a checkout', 'Take a payment on a call']),
    );
  }));

test('ticks off a step of the checklist while the page is open', () =>
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

describe('the form Try it', () => {
  test.each([
    ['an unknown script', { script: 'vanish' }, 'Choose what the caller does.'],
    ['a script named like a prototype property', { script: 'constructor' }, 'Choose what the caller does.'],
    ['a card number instead of a test card', { card: '4242424242424242' }, 'Choose a test card of the sandbox.'],
    ['another account’s merchant', { merchant: 'mer_g83dnep6khxdgajgzbep2jsyz8' }, 'Choose a merchant.'],
    ['markup as the merchant', { merchant: '<b>/../x' }, 'Choose a merchant.'],
    ['no amount', { amount: '0,00' }, 'Enter an amount such as 42.50'],
    ['a bank account at a merchant without a number for questions', { script: 'ach' }, 'bank_debit_phone'],
    ['a merchant that requires no payment', { merchant: 'mer_demo_free' }, 'requires no payment for this amount'],
  ])('places no call with %s', async (_, fields, words) => {
    const { status, html } = await submit('/test/try', { ...CHOSEN, ...fields });
    expect(status).toBe(422);
    expect(html).toContain(words);
    expect(html).not.toContain('<b>/');
  });

  test('does not exist in live mode', async () => {
    expect((await submit('/live/try', CHOSEN)).status).toBe(404);
    expect((await fetch(address('/live/try'))).status).toBe(404);
  });

  test('places no call without the form token', async () => {
    expect((await submit('/test/try', { ...CHOSEN, form_token: 'guess' })).status).toBe(403);
  });

  test.each([
    ['hold', { purpose: 'payment', capture: 'manual', amount_cents: 4_250 }],
    ['save-only', { purpose: 'save_card', capture: 'automatic', amount_cents: 0 }],
  ])('places a call for %s with such a checkout', async (script, checkout) => {
    const path = await place({ script });
    const { rows } = await product.testDatabase.database.query(
      'select purpose, capture, amount_cents from checkout_sessions order by created_at desc limit 1',
    );
    expect(rows).toEqual([checkout]);
    const page = await (await fetch(address(path))).text();
    expect(page).toContain(script === 'hold' ? '&quot;capture&quot;: &quot;manual&quot;' : 'save_sentence');
    await hangUp(path);
  });

  test('offers a bank account to a caller who pays from one', async () => {
    const path = await place({ script: 'ach', merchant: 'mer_demo_books' });
    const { rows } = await product.testDatabase.database.query(
      'select payer_name from checkout_sessions order by created_at desc limit 1',
    );
    expect(rows).toEqual([{ payer_name: 'Ada Lovelace' }]);
    await hangUp(path);
  });

  test('places no third call at once', async () => {
    const paths = [await place(), await place()];
    const { status, html } = await submit('/test/try', CHOSEN);
    expect(status).toBe(422);
    expect(html).toContain('Two test calls are already running.');
    for (const path of paths) await hangUp(path);
  });

  test.each(['', '/events', '/recording.wav'])('returns 404 for the unknown call try_000%s', async (part) => {
    expect((await fetch(address(`/test/try/try_000${part}`))).status).toBe(404);
  });
});

test('offers only scripts of the scripted caller, with their phone numbers', () => {
  for (const [, scripts] of SCRIPT_GROUPS) {
    for (const [name, { caller = TEST_CALLER }] of Object.entries(scripts)) {
      expect(Object.keys(SCRIPTS)).toContain(name);
      const script = SCRIPTS[name as keyof typeof SCRIPTS];
      expect(caller, name).toBe('caller' in script ? script.caller : TEST_CALLER);
      expect('paysOnPage' in script, name).toBe(false);
    }
  }
});

test('stops the product while a test call is running', async () => {
  await place();
  expect(await product.stop()).toBe(0);
  await product.startAgain();
});

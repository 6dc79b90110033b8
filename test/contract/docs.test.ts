/** `/docs` as a reader's browser and an integrator's program see it. */
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/dev/seed.ts';
import { SIGNATURE_RECIPE } from '../../src/docs/sip-headers.ts';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { newId } from '../../src/domain/ids.ts';
import { outcomeHeaders } from '../../src/domain/outcome.ts';
import { TEST_CARDS } from '../../src/payments/sandbox/cards.ts';
import { startTestApi, type TestApi } from './support.ts';

const PAGES = ['/docs', '/docs/api-reference/error-codes', '/docs/events', '/docs/sip-headers', '/docs/test-cards'];
const ALL = [...PAGES, '/docs/going-live', '/docs/api-reference'];
/** Debian's. Nothing of it calls home. */
const BROWSER = {
  executablePath: '/usr/bin/chromium',
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-dev-shm-usage', '--disable-component-update', '--disable-sync'],
  ],
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ demoKey: DEMO_KEY, docsUrl: null });
});
afterAll(() => api.close());

const read = async (path: string) => (await fetch(api.url + path)).text();

test("an error's doc_url leads to its place on our own page", async () => {
  const { body } = await api.post('/v1/create_checkout', {});
  const [page = '', code = ''] = body.error.doc_url.split('#');
  expect(code).toBe('missing_required_fields');
  const text = await (await fetch(page)).text();
  for (const name of ERROR_CODES) expect(text).toContain(`id="${name}"`);
});

test('every test card is on its page', async () => {
  const text = (await read('/docs/test-cards')).replace(/<code>([\d ]+)<\/code>/g, (_, number: string) =>
    number.replaceAll(' ', ''),
  );
  for (const { number, name } of TEST_CARDS) {
    expect(text).toContain(number);
    expect(text).toContain(`tok_${name}`);
  }
});

test('the recipe for the signature of SIP headers tells ours from others', async () => {
  const secret = Buffer.from('a secret of thirty-two bytes, ok').toString('base64');
  const amount = { amountCents: 4_250, currency: 'USD' as const };
  const facts = { sessionId: newId('CheckoutSession'), amount, orderId: 'Büro 7', platformCallId: null };
  const signed = outcomeHeaders({ outcome: { kind: 'succeeded' }, ...facts }, secret, new Date());
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  const { isFromRingkey } = await import(`data:text/javascript,${encodeURIComponent(SIGNATURE_RECIPE)}`);
  expect(isFromRingkey(headers, secret)).toBe(true);
  expect(isFromRingkey({ ...headers, 'x-ringkey-amount': '1' }, secret)).toBe(false);
  expect(isFromRingkey(headers, secret, Date.now() / 1_000 + 301)).toBe(false);
  expect(isFromRingkey({}, secret)).toBe(false);
});

test('pages name no other host, and a made-up Host header is not repeated', async () => {
  for (const path of PAGES) {
    const text = await read(path);
    expect(text, path).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(text, path).not.toContain('base-url.invalid');
  }
  const { body } = await api.app.inject({ url: '/docs', headers: { host: '"><script>' } });
  expect(body).not.toContain('<script>');
});

describe('in a browser', () => {
  test('pages draw without a word on the console, and ask no other host for anything', {
    timeout: 60_000,
  }, async () => {
    const browser = await chromium.launch(BROWSER);
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      for (const path of ALL) {
        await page.goto(api.url + path, { waitUntil: 'networkidle' });
        expect((await page.title()).endsWith('Ringkey'), path).toBe(true);
      }
      await page.getByRole('heading', { name: 'Ringkey' }).first().waitFor();
      await page.getByText('Open a checkout').first().waitFor();
      expect(complaints).toEqual([]);
      expect([...asked].filter((origin) => origin !== 'null')).toEqual([api.url]);
    } finally {
      await browser.close();
    }
  });

  test('all but the drawn reference can be read without JavaScript', { timeout: 60_000 }, async () => {
    const browser = await chromium.launch(BROWSER);
    try {
      const page = await browser.newPage({ javaScriptEnabled: false });
      await page.goto(`${api.url}/docs`);
      await page.locator('#charge summary').click();
      expect(await page.locator('#charge pre').textContent()).toContain('/v1/charge');
      await page.goto(`${api.url}/docs/api-reference`);
      expect(await page.locator('noscript a').first().textContent()).toBe('All operations');
    } finally {
      await browser.close();
    }
  });
});

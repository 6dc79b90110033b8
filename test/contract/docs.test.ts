/** `/docs` in a browser, and for programs. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProcessors } from '../../src/app/payments.ts';
import { ERROR_CODES } from '../../src/contract/error-catalogue.ts';
import { MENU } from '../../src/http/docs/layout.tsx';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { TEST_CARDS } from '../../src/payments/sandbox/cards.ts';
import { TEST_NUMBERS } from '../../src/screening/sandbox/numbers.ts';
import { findBarriers } from '../page/axe.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

/** Rendered by Scalar in the browser. We render all other pages. */
const DRAWN = '/docs/api-reference';
const PAGES = MENU.map(([path]) => path).filter((path) => path !== DRAWN);
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ demoKey: DEMO_KEY, docsUrl: null });
});
afterAll(() => api.close());

const read = async (path: string) => (await fetch(api.url + path)).text();

test('links the doc_url of an error to its section', async () => {
  const { body } = await api.post('/v1/create_checkout', {});
  const [page = '', code = ''] = body.error.doc_url.split('#');
  expect(code).toBe('missing_required_fields');
  const text = await (await fetch(page)).text();
  for (const name of ERROR_CODES) expect(text).toContain(`id="${name}"`);
});

test('has no broken links between pages', async () => {
  const pages = new Map<string, string>();
  for (const path of PAGES) pages.set(path, await read(path));
  const links = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)].map(([, to = '', place]) => ({ to: to || path, place, path })),
  );
  expect(links.length).toBeGreaterThan(200);
  for (const { to, place, path } of links) {
    if (to.startsWith('data:')) continue;
    const text = pages.get(to);
    if (text === undefined) expect((await fetch(api.url + to)).status, `${path} → ${to}`).toBe(200);
    else if (place !== undefined) expect(text, `${path} → ${to}#${place}`).toContain(` id="${place}"`);
  }
});

test('lists every test card', async () => {
  const text = (await read('/docs/test-cards')).replace(/<code>([\d ]+)<\/code>/g, (_, number: string) =>
    number.replaceAll(' ', ''),
  );
  for (const { number, name } of TEST_CARDS) {
    expect(text).toContain(number);
    expect(text).toContain(`tok_${name}`);
  }
});

test('compares every processor by its adapter, and says how to connect each vendor’s', async () => {
  const text = await read('/docs/processors');
  const columns = [...(/<thead>(.*?)<\/thead>/.exec(text)?.[1] ?? '').matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(
    ([, one]) => one,
  );
  const yesOrNo = (can: boolean) => (can ? 'yes' : 'no');
  for (const { name, can, modes, page, refunds, holds, records } of createProcessors(api.database)) {
    const cells = [
      ...(new RegExp(`<code>${name}</code></td>(.*?)</tr>`).exec(text)?.[1] ?? '').matchAll(/<td>(.*?)<\/td>/g),
    ];
    expect(cells, name).toHaveLength(columns.length - 1);
    const row = Object.fromEntries(cells.map(([, cell], at) => [columns[at + 1] ?? '', cell]));
    expect(row, name).toMatchObject({
      Keypad: yesOrNo(can.keypad),
      'Pay page': yesOrNo(can.pageKeypad || modes.some((mode) => page(mode) !== null)),
      Tokens: yesOrNo(can.pageTokens),
      'Saved cards': yesOrNo(can.savedCards),
      'Without the caller': yesOrNo(can.merchantInitiated === true),
      Wallets: yesOrNo(can.wallets),
      Refunds: yesOrNo(refunds !== null),
      Holds: holds === null ? 'no' : holds.partial ? 'yes' : 'whole only',
      Reconciliation: yesOrNo(records !== null),
    });
    if (!name.startsWith('sandbox')) expect(text).toContain(` id="${name}"`);
  }
});

test('lists every test number on the screening page', async () => {
  const text = await read('/docs/screening');
  for (const { number } of TEST_NUMBERS) expect(text).toContain(number);
});

test('shows the demo key in examples, and no key without the demo', async () => {
  expect(await read('/docs/assets/reference.js')).toContain(`{"token":"${DEMO_KEY}"}`);
  const own = await startTestApi({ demoKey: null });
  try {
    const script = await (await fetch(`${own.url}/docs/assets/reference.js`)).text();
    expect(script).toContain('createApiReference');
    expect(script).not.toMatch(/rk_|securitySchemes/);
    expect(await (await fetch(`${own.url}/docs/quickstart`)).text()).toContain('Bearer $RINGKEY_KEY');
  } finally {
    await own.close();
  }
});

test('names no other host, and does not repeat an invalid Host header', async () => {
  for (const path of PAGES) {
    const text = await read(path);
    expect(text, path).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(text, path).not.toContain('base-url.invalid');
  }
  const { body } = await api.app.inject({ url: '/docs', headers: { host: '"><script>' } });
  expect(body).not.toContain('<script>');
});

test('finds operations, errors and sections, and escapes the query', async () => {
  const found = await read('/docs/search?q=idempotency-key');
  expect(found).toContain('href="/docs#everywhere"');
  expect(await read('/docs/search?q=insufficient_funds+nonsense')).toContain('No section contains all of these words.');
  expect(await read('/docs/search?q=processor_unavailable')).toContain('error-codes#processor_unavailable"');
  expect(await read('/docs/search?q=%22%3E%3Cscript%3E')).not.toContain('<script>');
});

test('has a page for browsers at an unknown address, with the menu and what its words find', async () => {
  const open = (path: string) => fetch(api.url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
  const response = await open('/docs/platforms/test-card');
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const page = await response.text();
  expect(page).toContain('<h1>Page not found</h1>');
  expect(page).toContain('href="/docs/quickstart"');
  expect(await (await open('/docs/processor_unavailable')).text()).toContain('error-codes#processor_unavailable"');
  expect(await (await open('/docs/%22%3E%3Cscript%3E')).text()).not.toContain('<script>');
});

test('answers programs at an unknown address with the error object', async () => {
  const response = await fetch(`${api.url}/docs/unknown`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
});

test('links every page to its source file', async () => {
  expect(await read('/docs/going-live')).toContain('src/http/docs/pages/going-live.md');
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);
  const pages: Page[] = [];
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.close())));

  async function newPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await chrome.browser.newPage(options);
    pages.push(page);
    return page;
  }

  test('renders pages without console messages or requests to other hosts', async () => {
    const page = await newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const requested = new Set<string>();
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    for (const path of [...PAGES, DRAWN]) {
      await page.goto(api.url + path, { waitUntil: 'networkidle' });
      expect((await page.title()).endsWith('Ringkey'), path).toBe(true);
    }
    await page.getByRole('heading', { name: 'Ringkey' }).first().waitFor();
    await page.getByText('Create a checkout').first().waitFor();
    expect(complaints).toEqual([]);
    expect([...requested].filter((origin) => origin !== 'null')).toEqual([api.url]);
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('no page is wider than a screen of %i, %s, nor has a barrier', async (width, colorScheme) => {
    const page = await newPage({ viewport: { width, height: 800 }, colorScheme });
    for (const path of PAGES) {
      await page.goto(api.url + path);
      // Runs in the page: what sticks out of it, but for what scrolls by itself.
      const outside = await page.evaluate(`[...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('pre, .scroll'))
        .map((each) => each.outerHTML.slice(0, 100))`);
      expect(outside, path).toEqual([]);
      expect(await findBarriers(page), path).toEqual([]);
    }
  });

  test('opens the linked operation or error', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${api.url}/docs#charge`);
    await page.locator('#charge pre').waitFor();
    const { body } = await api.post('/v1/create_checkout', {});
    await page.goto(body.error.doc_url);
    expect(await page.locator(':target h3').textContent()).toBe(body.error.code);
  });

  test('shows all pages except the rendered reference without JavaScript', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${api.url}/docs`);
    await page.locator('details:has(#charge) summary').click();
    expect(await page.locator('#charge pre').textContent()).toContain('/v1/charge');
    await page.goto(`${api.url}/docs/api-reference`);
    expect(await page.locator('noscript a').first().textContent()).toBe('All operations');
  });
});

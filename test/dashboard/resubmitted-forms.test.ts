/**
 * Submitting a form again after the browser's Back button creates nothing twice, and shows the same result. In Chromium,
 * with and without scripts.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCall, TestCalls } from '../../src/http/dashboard/try-it/ports.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { runningTestCall } from './addresses.ts';
import { startDashboard } from './dashboard.ts';

/** Like the real test calls: a repeated order returns the existing call. */
const testCalls: TestCalls & { placed: Map<string, TestCall> } = {
  placed: new Map(),
  async place(order, createCheckout) {
    const before = this.placed.get(order.onceKey);
    if (before !== undefined) return before;
    const checkout = await createCheckout('sip:agent@127.0.0.1');
    const call = { ...runningTestCall(), id: `try_${this.placed.size + 1}`, order, checkout };
    this.placed.set(order.onceKey, call);
    return call;
  },
  find(account, id) {
    return [...this.placed.values()].find((call) => account === DEMO_ACCOUNT && call.id === id) ?? null;
  },
};

const dashboard = useFixture(() => startDashboard({ testCalls }));
const chrome = useFixture(startTestBrowser);

const countOf = async (path: string, field: string) =>
  ((await dashboard.api.get(`/v1/${path}?limit=100`)).body[field] as unknown[]).length;
const countIn = async (table: string, where = 'true') => {
  const { rows } = await dashboard.api.database.query(`select count(*)::int as count from ${table} where ${where}`);
  return (rows[0] as { count: number }).count;
};

interface CreatingForm {
  /** Path within the mode. Creates the object that the path names, if any. */
  path: () => Promise<string>;
  fields?: Readonly<Record<string, string>>;
  button: string;
  count: () => Promise<number>;
  /** Text of the result page that submitting again has to show again. */
  shows?: RegExp;
}

const newKey = async () => {
  const { body } = await dashboard.api.post('/v1/keys', { name: 'To roll' });
  return `/setup/keys/${body.key_id}`;
};
const newEndpoint = async () => {
  const wanted = { url: 'https://hooks.example.com/', events: ['checkout.completed'] };
  const { body } = await dashboard.api.post('/v1/webhook_endpoints', wanted);
  return `/setup/webhooks/${body.webhook_endpoint_id}`;
};
const at = (path: string) => async () => path;
const SECRET = /whsec_[A-Za-z0-9+/=]{20,}/;
const KEY = /rk_test_[A-Za-z0-9_-]{20,}/;

const formsFor = (invited: string): Readonly<Record<string, CreatingForm>> => ({
  'a key': {
    path: at('/setup/keys/new'),
    fields: { name: 'Voice agent' },
    button: 'Create key',
    shows: KEY,
    count: () => countOf('keys', 'keys'),
  },
  'a rolled key': {
    path: newKey,
    button: 'Roll key',
    shows: KEY,
    count: () => countOf('keys', 'keys'),
  },
  'a webhook endpoint': {
    path: at('/setup/webhooks/new'),
    fields: { url: 'https://hooks.example.com/x' },
    button: 'Add endpoint',
    shows: SECRET,
    count: () => countOf('webhook_endpoints', 'webhook_endpoints'),
  },
  'a test event': {
    path: newEndpoint,
    button: 'Send test event',
    count: () => countIn('events', "type = 'test'"),
  },
  'a rolled signing secret': {
    path: newEndpoint,
    button: 'Roll secret',
    shows: SECRET,
    count: () => countIn('audit_events', "action = 'webhook_endpoint.secret_rolled'"),
  },
  'a rolled SIP header secret': {
    path: at('/setup/account'),
    button: 'Roll secret',
    shows: /<code>([^<]{20,})<\/code>/,
    count: () => countIn('audit_events', "action = 'account.secret_rolled'"),
  },
  'a merchant': {
    path: at('/setup/merchants/new'),
    fields: { business_name: 'Corner Bakery' },
    button: 'Add merchant',
    count: () => countOf('merchants', 'merchants'),
  },
  'an invitation': {
    path: at('/setup/users/new'),
    fields: { email: invited, name: 'New' },
    button: 'Create link',
    count: () => countIn('users', `email = '${invited}'`),
  },
  'a test call and its checkout': {
    path: at('/try'),
    button: 'Place the call',
    shows: /data-test-call="([^"]+)"/,
    count: async () => (await countIn('checkout_sessions')) + testCalls.placed.size / 1_000,
  },
});

async function press(page: Page, { fields = {}, button }: CreatingForm): Promise<string> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name="${name}"]`, value);
  const loaded = page.waitForNavigation();
  await page.getByRole('button', { name: button, exact: true }).click();
  await loaded;
  return page.content();
}

const FORMS = Object.entries(formsFor('new@example.com'));
/** Enough to show that the server, and not only the page's scripts, prevents duplicates. */
const PLAIN = FORMS.filter(([what]) => what === 'a key' || what === 'a test event');

describe.each([
  [true, FORMS],
  [false, PLAIN],
] as const)('with scripts: %s', (javaScriptEnabled, forms) => {
  let context: BrowserContext;
  beforeEach(async () => {
    await dashboard.as('owner');
    context = await chrome.browser.newContext({ javaScriptEnabled });
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    return () => context.close();
  });

  test.each(forms)('creates %s only once after Back and another submit', async (_, form) => {
    const page = await context.newPage();
    const path = await form.path();
    await page.goto(`${dashboard.api.url}/dashboard/test${path}`);
    const before = await form.count();
    const shown = await press(page, form);
    const after = await form.count();
    expect(after, 'the form creates an object').toBeGreaterThan(before);
    const result = form.shows?.exec(shown)?.[0];
    if (form.shows !== undefined) expect(result).toBeDefined();
    for (const isReloaded of [false, true]) {
      await page.goBack();
      if (isReloaded) await page.reload();
      const again = await press(page, form);
      expect(await form.count()).toBe(after);
      if (result !== undefined) expect(again).toContain(result);
    }
  });
});

describe('another submit on purpose', () => {
  test('creates another object if the entries differ, or the page was opened again', async () => {
    await dashboard.as('owner');
    const context = await chrome.browser.newContext();
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    try {
      const page = await context.newPage();
      const form = formsFor('')['a merchant'] as CreatingForm;
      const before = await form.count();
      const open = () => page.goto(`${dashboard.api.url}/dashboard/test/setup/merchants/new`);
      await open();
      await press(page, form);
      await page.goBack();
      await press(page, { ...form, fields: { business_name: 'Other Bakery' } });
      expect(await form.count()).toBe(before + 2);
      await open();
      await press(page, form);
      expect(await form.count()).toBe(before + 3);
    } finally {
      await context.close();
    }
  });

  test('tries again after a refusal, with the same attempt and entries', async () => {
    await dashboard.as('owner');
    const made: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      const url = `https://hooks.example.com/${at}`;
      const { status, body } = await dashboard.api.post('/v1/webhook_endpoints', { url, events: ['checkout.failed'] });
      if (status >= 300) break;
      made.push(String(body.webhook_endpoint_id));
    }
    const page = '/test/setup/webhooks/new';
    const fields = {
      url: 'https://hooks.example.com/last',
      'events:checkout.failed': 'on',
      attempt: 'the-same-attempt',
    };
    expect((await dashboard.submit(page, page, fields)).status).toBe(422);
    await dashboard.api.send('DELETE', `/v1/webhook_endpoints/${made[0]}`);
    const taken = await dashboard.submit(page, page, fields);
    expect(taken.html).toMatch(SECRET);
    for (const id of made) await dashboard.api.send('DELETE', `/v1/webhook_endpoints/${id}`);
  });
});

/** The preview of a merchant's settings, and the form as an API call: over HTTP, and in a browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const PAGE = `/test/setup/merchants/${DEMO_DINER}`;
const FIELDS = {
  business_name: 'Bäckerei <b>Nord</b>',
  currency: 'EUR',
  language: 'de-DE',
  tip_percentages: '10',
  asks_postal_code: 'on',
};

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});

afterAll(() => dashboard.close());

beforeEach(() => dashboard.as('owner'));

const preview = (fields: Record<string, string>, path = 'preview') => dashboard.submit(PAGE, `${PAGE}/${path}`, fields);

describe('the preview of a merchant', () => {
  it('says what the line will say with the entries of the form, and saves nothing', async () => {
    const { status, html } = await preview(FIELDS);
    expect(status).toBe(200);
    expect(html).toContain('Bäckerei &lt;b>Nord&lt;/b>, zweiundvierzig Euro und fünfzig Cent');
    expect(html).toContain('<dt>Postal code</dt>');
    expect(html).toContain('<dt>Tip</dt>');
    expect(html).not.toContain('<b>Nord');
    expect((await dashboard.api.get(`/v1/merchants/${DEMO_DINER}`)).body.business_name).toBe('Demo Diner');
  });

  it('renews the suggested voices when the language changes', async () => {
    const list = /<datalist id="list-voice" hx-post="[^"]+\/preview\/parts" hx-trigger="change from:#field-language /;
    expect((await dashboard.get(PAGE)).html).toMatch(list);
    expect((await preview(FIELDS, 'preview/parts')).html).toMatch(list);
  });

  it('shows a color that was picked, also without JavaScript', async () => {
    const picked = { page_accent_color: '', page_accent_color_picked: '#24569b', page_accent_color_shown: '#000000' };
    const { html } = await preview({ ...FIELDS, ...picked });
    expect(html).toContain('name="page_accent_color" maxlength="7" value="#24569b"');
    expect(html).toContain('page_accent_color=%2324569b');
  });

  it('can be reached from the buttons of the form, which stay in view on a phone', async () => {
    const { html } = await dashboard.get(PAGE);
    const form = /<form class="form" id="values".*?<\/form>/s.exec(html)?.[0];
    expect(form).toContain('<a class="button to-preview" href="#preview">Preview</a>');
    expect(html).toContain('<aside class="preview" id="preview"');
  });

  it('keeps the saved values in place of entries that REST would reject', async () => {
    const wrong = { ...FIELDS, business_name: '', currency: 'XXX', language: '<b>', tip_percentages: '900' };
    const { status, html } = await preview(wrong, 'preview/parts');
    expect(status).toBe(200);
    expect(html).toContain('Demo Diner, forty-two dollars and fifty cents');
    expect(html).not.toContain('<dt>Tip</dt>');
  });

  it('is refused to roles that cannot change the merchant, and to other accounts', async () => {
    await dashboard.as('support');
    for (const path of ['preview', 'preview/parts']) expect((await preview(FIELDS, path)).status).toBe(403);
    expect((await dashboard.get(`${PAGE}/pay-page`)).status).toBe(200);
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    const foreign = await dashboard.submit('/test/setup/account', `${PAGE}/preview/parts`, FIELDS);
    expect(foreign.status).toBe(404);
    expect((await dashboard.get(`${PAGE}/pay-page`)).status).toBe(404);
  });

  it('has a sample pay page that only our own pages can frame and fill in', async () => {
    const query = new URLSearchParams(FIELDS);
    const own = await dashboard.get(`${PAGE}/pay-page?${query}`);
    expect(own.html).toContain('Bäckerei &lt;b&gt;Nord');
    expect(own.html).toContain('<html lang="de">');
    expect(own.headers.get('content-security-policy')).toMatch(/form-action 'none'.*frame-ancestors 'self'/);
    expect(own.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const foreign = await dashboard.get(`${PAGE}/pay-page?${query}`, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.html).toContain('Demo Diner');
  });
});

describe('the branding of a merchant', () => {
  it('is in the sample pay page before it is saved, and the account’s where the merchant has none', async () => {
    const account = '/test/setup/account';
    await dashboard.submit(account, `${account}/page`, { page_support_email: 'account@shop.test' });
    const entries = { ...FIELDS, page_accent_color: '#24569b', page_support_phone: '+442071838750' };
    const { html } = await dashboard.get(`${PAGE}/pay-page?${new URLSearchParams(entries)}`);
    expect(html).toContain('--accent:#24569b');
    expect(html).toContain('tel:+442071838750');
    expect(html).toContain('account@shop.test');
  });

  it('is saved with the other settings, and a wrong value is shown at its field', async () => {
    const made = await dashboard.api.post('/v1/merchants', { business_name: 'Branded Bakery' });
    const page = `/test/setup/merchants/${made.body.merchant_id}`;
    const wanted = { business_name: 'Branded Bakery', currency: 'USD', language: 'en-US', time_zone: 'UTC' };
    const rest = { ...wanted, payment_policy: 'always', order_source: 'sandbox', 'accepted_brands:visa': 'on' };
    const saved = await dashboard.submit(page, page, { ...rest, page_terms_url: 'https://bakery.test/terms' });
    expect(saved.headers.get('location')).toContain('notice=changed');
    const stored = (await dashboard.api.get(`/v1/merchants/${made.body.merchant_id}`)).body;
    expect(stored.page_terms_url).toBe('https://bakery.test/terms');
    const wrong = await dashboard.submit(page, page, { ...rest, page_terms_url: 'javascript:1' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="field-page_terms_url-fault"');
  });
});

describe('a form as an API call', () => {
  it('has the entries, and a variable in place of the key', async () => {
    const { html } = await preview(FIELDS, 'preview/parts');
    const call = html.slice(html.indexOf('id="api-call"'));
    expect(call).toContain(`curl -s -X PATCH '${dashboard.api.url}/v1/merchants/${DEMO_DINER}'`);
    expect(call).toContain('Authorization: Bearer $RINGKEY_KEY');
    expect(call).toContain('&quot;tip_percentages&quot;: [');
  });

  it('shows no part of a URL that may be secret', async () => {
    const order = await preview(
      { ...FIELDS, order_source: 'http', order_source_url: 'https://pos.example.com/orders?token=hush' },
      'preview/parts',
    );
    expect(order.html).not.toContain('hush');
    expect(order.html).toContain('$ORDER_SOURCE_URL');
    const form = '/test/setup/webhooks/new';
    const endpoint = await dashboard.submit(form, `${form}/api-call`, { url: 'https://user:hush@hooks.example.com/a' });
    expect(endpoint.html.slice(endpoint.html.indexOf('id="api-call"'))).not.toContain('hush');
  });

  it('has a variable in place of each credential of a processor', async () => {
    const { html } = await dashboard.get(`${PAGE}/processor?processor=braintree`);
    const call = html.slice(html.indexOf('id="api-call"'));
    expect(call).toMatch(/&quot;private_key&quot;: &quot;'&quot;\$PRIVATE_KEY&quot;'&quot;/);
    expect(call).not.toContain('tokenization_key');
  });

  it('has the settings of the account, without what may be secret in the attestation URL', async () => {
    const form = '/test/setup/account';
    const { html } = await dashboard.submit(form, `${form}/api-call`, {
      return_hosts: 'sip.example.com\n*.example.org',
      return_number_prefixes: '',
      text_countries: 'MX',
      attestation_url: 'https://attest.example.com/?token=hush',
    });
    const call = html.slice(html.indexOf('id="api-call"'));
    expect(call).toContain(`curl -s -X PATCH '${dashboard.api.url}/v1/account'`);
    expect(call).toContain('&quot;*.example.org&quot;');
    expect(call).toContain('$ATTESTATION_URL');
    expect(call).not.toContain('hush');
    expect((await dashboard.get(form)).html).not.toContain('*.example.org');
  });

  it('has the settings of an alert, and a variable in place of the URL of a Slack channel', async () => {
    const form = '/test/setup/alerts/new';
    const entries = { 'topics:keys': 'on', time_zone: 'Europe/Berlin', slack_url: 'https://hooks.example.com/hush' };
    const { html } = await dashboard.submit(form, `${form}/api-call`, entries);
    const call = html.slice(html.indexOf('id="api-call"'));
    expect(call).toContain(`curl -s '${dashboard.api.url}/v1/alert_targets'`);
    expect(call).toContain('&quot;Europe/Berlin&quot;');
    expect(call).toContain('$SLACK_URL');
    expect(html).not.toContain('hush');
    const added = await dashboard.submit(form, form, { ...entries, slack_url: '', email: 'ops@example.com' });
    const path = String(added.headers.get('location')).replace('/dashboard', '').replace(/\?.*/, '');
    const change = (await dashboard.submit(path, `${path}/api-call`, { ...entries, slack_url: '' })).html;
    expect(change).toContain(`curl -s -X PATCH '${dashboard.api.url}/v1/alert_targets/${path.split('/').at(-1)}'`);
    expect(change.slice(change.indexOf('id="api-call"'))).not.toMatch(/SLACK_URL|email/);
  });

  it('creates nothing', async () => {
    const form = '/test/setup/keys/new';
    const { status, html } = await dashboard.submit(form, `${form}/api-call`, { name: 'Only shown', scope: 'agent' });
    expect(status).toBe(200);
    expect(html).toContain('&quot;name&quot;: &quot;Only shown&quot;');
    expect((await dashboard.get('/test/setup/keys')).html).not.toContain('Only shown');
  });
});

const PHONE = { width: 390, height: 844 };
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('in a browser', () => {
  const hears = (page: Page) => page.getByRole('region', { name: 'What callers hear' });
  const sees = (page: Page) => page.frameLocator('iframe[title="Sample pay page"]');

  async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const chrome = await startTestBrowser();
    try {
      const context = await chrome.browser.newContext({ reducedMotion: 'reduce', ...options });
      const [name = '', value = ''] = dashboard.user.cookie.split('=');
      await context.addCookies([{ name, value, url: dashboard.api.url }]);
      const page = await context.newPage();
      await page.goto(`${dashboard.api.url}/dashboard${PAGE}`);
      await use(page);
    } finally {
      await chrome.close();
    }
  }

  it('follows the form: the words, the pay page and the API call', async () => {
    await withPage({}, async (page) => {
      await page.getByLabel('Business name').fill('Panadería Sol');
      await page.getByLabel('Language', { exact: true }).selectOption('es-MX');
      await hears(page).getByText('Panadería Sol, cuarenta y dos').first().waitFor();
      await sees(page).getByRole('heading', { name: 'Panadería Sol' }).waitFor();
      await page.getByText('Copy as API call').click();
      await page.locator('#api-call').getByText('"Panadería Sol"').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      if (keepsScreenshots) await takeScreenshots(page, 'dashboard-merchant-preview');
    });
  });

  it('follows the form without scripts when its button is pressed', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.getByLabel('Business name').fill('Bakery North');
      await page.getByRole('button', { name: 'Update preview' }).click();
      await hears(page).getByText('Bakery North, forty-two').first().waitFor();
      expect(await page.getByLabel('Business name').inputValue()).toBe('Bakery North');
    });
  });

  it('leads to the preview on a phone, whose button stays in view while the form is filled in', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      const name = page.getByLabel('Business name');
      await name.fill('Panadería Sol');
      const button = page.getByRole('link', { name: 'Preview', exact: true });
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(PHONE.height);
      expect(height).toBeGreaterThanOrEqual(36);
      await button.click();
      await page.waitForURL('**#preview');
      await hears(page).getByText('Panadería Sol, forty-two').first().waitFor();
      expect(await page.locator('#preview').evaluate((part) => part.getBoundingClientRect().top)).toBeLessThan(
        PHONE.height / 2,
      );
      expect(await page.evaluate(SIDEWAYS)).toBeLessThanOrEqual(0);
    });
  });

  it('keeps the color input and its digits the same on a phone, and shows the color in the preview', async () => {
    await withPage({ viewport: PHONE }, async (page) => {
      const digits = page.locator('[name=page_accent_color]');
      const picker = page.locator('[name=page_accent_color_picked]');
      await picker.fill('#24569b');
      expect(await digits.inputValue()).toBe('#24569b');
      await page.locator('iframe[src*="page_accent_color=%2324569b"]').waitFor();
      await digits.fill('#8A1C1C');
      expect(await picker.inputValue()).toBe('#8a1c1c');
      const [left, right] = [await digits.boundingBox(), await picker.boundingBox()];
      // Side by side, large enough for a thumb.
      expect(Math.abs((left?.y ?? 0) - (right?.y ?? 99))).toBeLessThanOrEqual(2);
      expect(Math.min(right?.width ?? 0, right?.height ?? 0)).toBeGreaterThanOrEqual(32);
      expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    });
  });
});

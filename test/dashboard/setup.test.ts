/** The Settings pages for keys, webhook endpoints, merchants, processors and the account, in every role. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});

afterAll(() => dashboard.close());

beforeEach(() => dashboard.as('owner'));

const KEY = /rk_test_[A-Za-z0-9_-]{20,}/;

/** The link of the list's row with this text. */
function rowOf(html: string, text: string): string {
  const row = html.split('<tr').find((each) => each.includes(text)) ?? '';
  return /href="\/dashboard(\/test\/[^"]+)"/.exec(row)?.[1] ?? `no row with ${text}`;
}

describe('an API key', () => {
  it('is created with a scope, shown once, and works', async () => {
    const made = await dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', {
      name: 'Shop <b>',
      scope: 'agent',
      attempt: 'a-first-key',
    });
    expect(made.status).toBe(200);
    const key = KEY.exec(made.html)?.[0] ?? '';
    const get = (path: string) =>
      fetch(`${dashboard.api.url}${path}`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ status }) => status,
      );
    // The scope `agent` cannot list keys.
    expect(await get('/v1/keys')).toBe(401);
    const list = await dashboard.get('/test/setup/keys');
    expect(list.html).toContain('Shop &lt;b>');
    expect(list.html).not.toContain(key);
    const page = await dashboard.get(rowOf(list.html, 'Shop'));
    expect(page.html).toContain('Agent: takes payments');
    expect(page.html).not.toContain(key);
  });

  it('is created once, however often the form is submitted', async () => {
    const fields = { name: 'Twice', scope: 'full', attempt: 'a-second-key' };
    const send = () => dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', fields);
    const [first, second] = [await send(), await send()];
    expect(KEY.exec(second.html)?.[0]).toBe(KEY.exec(first.html)?.[0]);
  });

  it('is rolled and revoked', async () => {
    await dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', { name: 'To roll', scope: 'full' });
    const path = rowOf((await dashboard.get('/test/setup/keys')).html, 'To roll');
    const rolled = await dashboard.submit(path, `${path}/roll`, { expires_in_seconds: '0', attempt: 'a-roll' });
    expect(rolled.html).toMatch(KEY);
    const after = rowOf((await dashboard.get('/test/setup/keys')).html, 'To roll');
    expect((await dashboard.submit(after, `${after}/revoke`)).status).toBe(303);
    expect((await dashboard.get(after)).html).toContain('Revoked');
  });

  it('is not created from an invalid form, which shows the error at its field', async () => {
    const { status, html } = await dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', {
      name: 'Kept',
      scope: 'agent',
      allowed_sources: 'not an address',
    });
    expect(status).toBe(422);
    expect(html).toContain('aria-invalid');
    expect(html).toContain('value="Kept"');
  });

  it('cannot be created by viewers and support', async () => {
    for (const role of ['viewer', 'support'] as const) {
      await dashboard.as(role);
      const made = await dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', { scope: 'full' });
      expect(made.status).toBe(403);
    }
  });
});

describe('a webhook endpoint', () => {
  it('is added with its secret shown once, tested, disabled, rolled and deleted', async () => {
    const added = await dashboard.submit('/test/setup/webhooks/new', '/test/setup/webhooks/new', {
      url: 'https://hooks.example.com/a',
      'events:checkout.completed': 'on',
    });
    expect(added.html).toMatch(/whsec_[A-Za-z0-9+/=]{20,}/);
    const path = rowOf((await dashboard.get('/test/setup/webhooks')).html, 'hooks.example.com/a');
    const tested = await dashboard.submit(path, `${path}/test`, { attempt: 'a-test' });
    expect(tested.headers.get('location')).toContain('notice=tested');
    await dashboard.submit(path, `${path}/state`, { disabled: 'true' });
    expect((await dashboard.get(path)).html).toContain('Enable endpoint');
    const rolled = await dashboard.submit(path, `${path}/roll`, { expires_in_seconds: '0' });
    expect(rolled.html).toMatch(/whsec_/);
    await dashboard.submit(path, `${path}/delete`);
    expect((await dashboard.get(path)).status).toBe(404);
  });

  it('is not added from an invalid form, which keeps the entries', async () => {
    const { status, html } = await dashboard.submit('/test/setup/webhooks/new', '/test/setup/webhooks/new', {
      url: 'ftp://hooks.example.com',
      'events:checkout.failed': 'on',
    });
    expect(status).toBe(422);
    expect(html).toContain('value="ftp://hooks.example.com"');
  });
});

describe('a merchant', () => {
  const add = async (name: string) => {
    const added = await dashboard.submit('/test/setup/merchants/new', '/test/setup/merchants/new', {
      business_name: name,
      currency: 'EUR',
    });
    return (added.headers.get('location') ?? '').replace('/dashboard', '').split('?', 1)[0] ?? '';
  };

  it('is added, set up and connected', async () => {
    const path = await add('Corner Bakery');
    const page = await dashboard.get(path);
    expect(page.html).toContain('Not connected');
    const fields = fieldsOf(page.html);
    const saved = await dashboard.submit(path, path, {
      ...fields,
      payment_policy: 'above',
      payment_policy_amount_cents: '20.50',
      asks_confirmation: 'on',
    });
    expect(saved.headers.get('location')).toContain('notice=changed');
    expect(fieldsOf((await dashboard.get(path)).html)).toMatchObject({
      payment_policy: 'above',
      payment_policy_amount_cents: '20.50',
      asks_confirmation: 'on',
      currency: 'EUR',
    });
    const connected = await dashboard.submit(`${path}/processor?processor=sandbox`, `${path}/processor`, {
      processor: 'sandbox',
    });
    expect(connected.headers.get('location')).toContain('notice=connected');
    expect((await dashboard.get(path)).html).toContain('Ready for payments');
  });

  it('is asked for credentials of a processor that has some, and connected to the sandbox without that step', async () => {
    const path = await add('Sandy Bakery');
    const steps = async (page: string) =>
      [...(await dashboard.get(path + page)).html.matchAll(/<li( aria-current="step")?>([^<]*)<\/li>/g)].map(
        ([, at, name]) => (at === undefined ? name : `at: ${name}`),
      );
    expect(await steps('/processor?processor=stripe')).toEqual([
      'Choose the processor',
      'at: Enter its credentials',
      'Make a test charge',
    ]);
    expect(await steps('/processor?processor=sandbox')).toEqual(['at: Choose the processor', 'Make a test charge']);
    await dashboard.submit(`${path}/processor?processor=sandbox`, `${path}/processor`, { processor: 'sandbox' });
    expect(await steps('/test-charge')).toEqual(['Choose the processor', 'at: Make a test charge']);
  });

  it('is not changed by a form without changes', async () => {
    const path = await add('Quiet Bakery');
    const sent = await dashboard.submit(path, path, fieldsOf((await dashboard.get(path)).html));
    expect(sent.headers.get('location')).toContain('notice=unchanged');
  });

  it('is not changed by an invalid setting, and the form keeps the rest', async () => {
    const path = await add('Wrong Bakery');
    const fields = fieldsOf((await dashboard.get(path)).html);
    const sent = await dashboard.submit(path, path, { ...fields, time_zone: 'Mars/Phobos', voice: '' });
    expect(sent.status).toBe(422);
    expect(fieldsOf(sent.html)).toMatchObject({ time_zone: 'Mars/Phobos', business_name: 'Wrong Bakery' });
  });

  it('takes the name of a city as its time zone', async () => {
    const path = await add('City Bakery');
    const fields = fieldsOf((await dashboard.get(path)).html);
    await dashboard.submit(path, path, { ...fields, time_zone: 'ho chi minh' });
    expect(fieldsOf((await dashboard.get(path)).html)).toMatchObject({ time_zone: 'Asia/Ho_Chi_Minh' });
  });

  it('leads from each processor to the form that connects it, which is far below on a phone', async () => {
    const { html } = await dashboard.get(`${await add('Adyen Bakery')}/processor?processor=adyen`);
    expect(html).toContain('href="?processor=stripe#connect"');
    expect(html).toMatch(/id="connect".*Connect Adyen/s);
  });

  it('shows the URL of its processor’s notifications, and takes, replaces and removes their secret, never showing it', async () => {
    const path = await add('Notified Bakery');
    const page = `${path}/notifications`;
    expect((await dashboard.get(page)).html).toContain('Connect a processor first');
    await dashboard.submit(`${path}/processor?processor=sandbox`, `${path}/processor`, { processor: 'sandbox' });
    expect((await dashboard.get(path)).html).toContain(page);
    expect((await dashboard.get(page)).html).toContain('Not set');
    const set = async (secret: string) => dashboard.submit(page, page, { notification_secret: secret });
    const refused = await set('too short');
    expect([refused.status, refused.html.includes('too short')]).toEqual([422, false]);
    expect((await set('a-secret-of-the-sandbox-1')).headers.get('location')).toContain('notice=set');
    expect((await dashboard.get(page)).html).not.toMatch(/Former secret|a-secret-of-the-sandbox/);
    await set('a-secret-of-the-sandbox-2');
    expect((await dashboard.get(page)).html).toContain('Former secret accepted until');
    const removed = await dashboard.submit(page, `${page}/remove`, {});
    expect(removed.headers.get('location')).toContain('notice=removed');
    expect((await dashboard.get(page)).html).toContain('Not set');
  });

  it('returns 404 if it belongs to another account', async () => {
    const path = await add('Their Bakery');
    await dashboard.as('owner', await newAccount(dashboard.api.database));
    expect((await dashboard.get(path)).status).toBe(404);
    expect((await dashboard.submit('/test/setup/merchants/new', path, { business_name: 'Mine' })).status).toBe(404);
  });
});

describe('the account', () => {
  it('can be changed by owners and developers', async () => {
    const page = '/test/setup/account';
    const fields = { return_hosts: '*.example.com', return_number_prefixes: '+44\n+1' };
    expect((await dashboard.submit(page, page, fields)).headers.get('location')).toContain('notice=changed');
    expect((await dashboard.get(page)).html).toContain('*.example.com');
    await dashboard.as('developer');
    expect((await dashboard.submit(page, page, fields)).status).toBe(303);
    await dashboard.as('support');
    expect((await dashboard.submit(page, page, fields)).status).toBe(403);
  });

  it('refuses in test mode to change settings of live calls, once there are live keys', async () => {
    const accountId = await newAccount(dashboard.api.database);
    await issueKey(dashboard.api.database, SYSTEM, { accountId, mode: 'live' });
    await dashboard.as('owner', accountId);
    const page = '/test/setup/account';
    const refused = await dashboard.submit(page, page, { return_hosts: '*', return_number_prefixes: '+4' });
    expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('live keys') });
    expect(refused.html).toContain('>+4</textarea>');
    expect((await dashboard.get(page)).html).not.toContain('>+4</textarea>');
    const rolled = await dashboard.submit(page, `${page}/roll`, { attempt: 'a-roll-in-test-mode' });
    expect(rolled).toMatchObject({ status: 400, html: expect.stringContaining('live keys') });
    const same = { any_host: 'on', attestation_url: 'https://voice.example.com/attestation' };
    expect((await dashboard.submit(page, page, same)).status).toBe(303);
  });

  const ACCOUNT = '/test/setup/account';
  const BRANDING = {
    page_accent_color: '#FFD400',
    page_support_phone: '+442071838750',
    page_support_email: 'a@b.test',
    page_terms_url: 'https://b.test/terms',
    page_privacy_url: 'https://b.test/privacy',
  };

  it('sets color and contacts of its pay page, by owners and developers', async () => {
    const saved = await dashboard.submit(ACCOUNT, `${ACCOUNT}/page`, BRANDING);
    expect(saved.headers.get('location')).toContain('notice=changed');
    const { html } = await dashboard.get(ACCOUNT);
    expect(html).toContain('value="#ffd400"');
    expect(html).toContain('darker for readability');
    const preview = await dashboard.get(`${ACCOUNT}/pay-page`);
    expect(preview.html).toContain('>+44 20 7183 8750</a>');
    expect(preview.html).toContain('<a href="https://b.test/privacy" target="_blank"');
    expect(preview.headers.get('content-security-policy')).toContain("form-action 'none'");
    await dashboard.as('support');
    expect((await dashboard.submit(ACCOUNT, `${ACCOUNT}/page`, BRANDING)).status).toBe(403);
    await dashboard.as('developer');
    await dashboard.submit(ACCOUNT, `${ACCOUNT}/page`, {});
    expect((await dashboard.get(ACCOUNT)).html).not.toContain('#ffd400');
  });

  it('previews an unsaved pay page', async () => {
    const { status, html } = await dashboard.submit(ACCOUNT, `${ACCOUNT}/page/preview`, BRANDING);
    expect(status).toBe(200);
    expect(html).toContain('value="#FFD400"');
    const [, link = ''] = /href="\/dashboard(\/test\/setup\/account\/pay-page\?[^"]+)"/.exec(html) ?? [];
    const preview = await dashboard.get(link.replaceAll('&amp;', '&'));
    expect(preview.html).toContain('>a@b.test</a>');
    expect((await dashboard.get(ACCOUNT)).html).not.toContain('a@b.test');
    // Another site cannot make it show a number of its choice.
    const foreign = await dashboard.get(link.replaceAll('&amp;', '&'), { 'sec-fetch-site': 'cross-site' });
    expect(foreign.html).not.toContain('a@b.test');
  });

  it.each([
    ['page_accent_color', 'red;}'],
    ['page_accent_color', '</style><script>'],
    ['page_support_phone', '020'],
    ['page_support_email', '"><b>@x'],
    ['page_terms_url', 'http://b.test'],
    ['page_privacy_url', 'javascript:1'],
  ])('rejects the value of %s at the field: %s', async (name, value) => {
    for (const path of ['page', 'page/preview']) {
      const sent = await dashboard.submit(ACCOUNT, `${ACCOUNT}/${path}`, { ...BRANDING, [name]: value });
      expect(sent.status).toBe(422);
      expect(sent.html).toContain(`id="field-${name}-fault"`);
      expect(sent.html).not.toContain('<script>');
      expect(sent.html).not.toContain('<b>@x');
    }
    const { html } = await dashboard.get(`${ACCOUNT}/pay-page?${new URLSearchParams({ [name]: value })}`);
    expect(html).not.toContain(value);
  });

  it('shows a new SIP header secret once', async () => {
    const rolled = await dashboard.submit('/test/setup/account', '/test/setup/account/roll', { attempt: 'a-secret' });
    expect(rolled.status).toBe(200);
    expect(rolled.html).toMatch(/<code>[A-Za-z0-9+/]{43}=<\/code>/);
  });
});

/** The fields of a page's last form, as a browser would submit them. */
function fieldsOf(html: string): Record<string, string> {
  const form = html.slice(html.lastIndexOf('<form class="form"'));
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const name = /name="([^"]+)"/.exec(input)?.[1];
    const isBox = input.includes('type="checkbox"');
    if (name === undefined || name === 'form_token' || (isBox && !/\schecked/.test(input))) continue;
    fields[name] = isBox ? 'on' : (/value="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  for (const [, name = '', text = ''] of form.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)</g))
    fields[name] = text;
  for (const [, name = '', options = ''] of form.matchAll(/<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option ([^>]*)>/g)].map(([, attributes = '']) => attributes);
    const chosen = all.find((each) => /\bselected\b/.test(each)) ?? all[0] ?? '';
    fields[name] = /value="([^"]*)"/.exec(chosen)?.[1] ?? '';
  }
  return fields;
}

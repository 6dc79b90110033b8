/** The logo of a merchant: uploaded, shown, refused and removed in the dashboard, over HTTP and in a browser. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { FORM_TOKEN, startDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><rect width="300" height="100" rx="20" fill="#24569b"/></svg>';

const dashboard = useFixture(() => startDashboard());
const chrome = useFixture(startTestBrowser);
beforeEach(() => dashboard.as('owner'));

/** A new merchant. */
async function newPage() {
  const made = await dashboard.api.post('/v1/merchants', { business_name: 'Corner Bakery' });
  const merchant = `/test/setup/merchants/${made.body.merchant_id}`;
  const ofApi = `/v1/merchants/${made.body.merchant_id}/logo`;
  const logo = async () => (await dashboard.api.get(ofApi)).body.logo as { url: string } | null;
  return { merchant, page: `${merchant}/logo`, logo };
}

const formToken = async () => FORM_TOKEN.exec((await dashboard.get('/test/calls')).html)?.[1] ?? '';

interface Sent {
  file?: string;
  type?: string;
  token?: string;
  headers?: Record<string, string>;
}

async function upload(action: string, { file = SVG, type = 'image/svg+xml', token, headers = {} }: Sent = {}) {
  const form = new FormData();
  form.set('form_token', token ?? (await formToken()));
  form.set('file', new File([file], 'logo.svg', { type }));
  const answer = await fetch(`${dashboard.api.url}/dashboard${action}`, {
    method: 'POST',
    body: form,
    headers: { cookie: dashboard.user.cookie, 'sec-fetch-site': 'same-origin', ...headers },
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
}

test('a logo is uploaded, shown on the pages of the merchant and removed', async () => {
  const { merchant, page, logo } = await newPage();
  expect((await dashboard.get(page)).html).toContain('No logo.');
  const sent = await upload(page);
  expect([sent.status, sent.location]).toEqual([303, `/dashboard${page}?notice=set`]);
  const path = new URL((await logo())?.url ?? '').pathname;
  for (const address of [page, merchant, `${merchant}/pay-page`]) {
    expect((await dashboard.get(address)).html, address).toContain(`src="${path}"`);
  }
  const removed = await dashboard.submit(page, `${page}/remove`);
  expect(removed.headers.get('location')).toContain('notice=removed');
  expect(await logo()).toBeNull();
});

test.each([
  [
    'a script',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>1</script></svg>',
    'element `script`',
  ],
  ['another format', 'GIF89a', 'The SVG is not well-formed XML'],
  ['more than 50 KiB', SVG.padEnd(60_000), 'up to 50 KiB'],
  ['much more than 50 KiB', SVG.padEnd(3_000_000), 'up to 50 KiB'],
  ['no file', '', 'The file is empty'],
])('the form of a logo says why it refuses %s', async (_, file, message) => {
  const { page, logo } = await newPage();
  const { status, html } = await upload(page, { file });
  expect(status).toBe(422);
  expect(html).toContain(message);
  expect(html).toContain('id="field-file-fault"');
  expect(await logo()).toBeNull();
});

test('the form of a logo is refused if it is forged or malformed', async () => {
  const { page, logo } = await newPage();
  expect((await upload(page, { token: 'wrong' })).status).toBe(403);
  expect((await upload(page, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  for (const type of ['multipart/form-data; boundary=other', 'multipart/form-data']) {
    expect((await upload(page, { headers: { 'content-type': type } })).status, type).toBe(400);
  }
  expect(await logo()).toBeNull();
});

test('a form without a file field has no place for a file', async () => {
  const { merchant, logo } = await newPage();
  expect((await upload(merchant)).status).toBe(400);
  expect(await logo()).toBeNull();
});

test('the form of a logo is refused to roles that cannot change merchants, and to other accounts', async () => {
  const { page, logo } = await newPage();
  for (const role of ['viewer', 'support'] as const) {
    await dashboard.as(role);
    expect((await upload(page)).status, role).toBe(403);
  }
  await dashboard.as('developer');
  expect((await upload(page)).status).toBe(303);
  await dashboard.as('owner', await newAccount(dashboard.api.database));
  expect((await upload(page)).status).toBe(404);
  expect((await dashboard.submit('/test/calls', `${page}/remove`)).status).toBe(404);
  expect(await logo()).not.toBeNull();
});

test('says when pay pages will show the logo if they have no address yet', async () => {
  const other = await startDashboard({ linkBase: () => null });
  onTestFinished(() => other.close());
  const page = `/test/setup/merchants/${DEMO_DINER}/logo`;
  const form = new FormData();
  form.set('form_token', FORM_TOKEN.exec((await other.get(page)).html)?.[1] ?? '');
  form.set('file', new File([SVG], 'logo.svg', { type: 'image/svg+xml' }));
  const headers = { cookie: other.user.cookie, 'sec-fetch-site': 'same-origin' };
  const url = `${other.api.url}/dashboard${page}`;
  const { html } = await other.get(
    page + new URL((await fetch(url, { method: 'POST', body: form, headers })).url).search,
  );
  expect(html).toContain('Logo saved. Pay pages show it once RINGKEY_PUBLIC_URL is set');
  expect(html).not.toContain('Pay pages show it now');
});

test('a browser uploads a logo, and the page has no barrier', async () => {
  const { page } = await newPage();
  const context = await chrome.browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  onTestFinished(() => context.close());
  const [name = '', value = ''] = dashboard.user.cookie.split('=');
  await context.addCookies([{ name, value, url: dashboard.api.url }]);
  const tab = await context.newPage();
  await tab.goto(`${dashboard.api.url}/dashboard${page}`);
  await tab.setInputFiles('input[type=file]', {
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(SVG),
  });
  await tab.getByRole('button', { name: 'Upload logo' }).click();
  await tab.waitForURL('**/logo?notice=set');
  expect(await tab.locator('img.logo').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await findBarriers(tab)).toEqual([]);
  if (keepsScreenshots) await takeScreenshots(tab, 'dashboard-logo');
});

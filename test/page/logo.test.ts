/**
 * The logo on the pay page, in a browser. Also a file that was never checked, as if the check had a gap: where payers
 * enter cards, nothing in it runs.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { rewriteSvg } from '../../src/accounts/logos/svg.ts';
import { writeLogo } from '../../src/db/merchants/logos.ts';
import { logoPath } from '../../src/domain/logo.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { findBarriers } from './axe.ts';
import { openTestPage } from './pages.ts';
import { keepsScreenshots, takeScreenshots } from './screenshots.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  context = await chrome.browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  page = await context.newPage();
});
afterAll(() => context.close());

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">${content}</svg>`);

/** Without a check, as a row of the database. @returns the paths of the pay page and of the logo */
async function openPageWith(bytes: Buffer): Promise<{ path: string; logo: string }> {
  const { path, merchant } = await openTestPage(api.database, { merchant: { businessName: 'Corner Bakery & Café' } });
  const hash = createHash('sha256').update(bytes).digest('hex');
  const file = { type: 'image/svg+xml', bytes, width: 512, height: 171 } as const;
  await writeLogo(api.database, merchant.id, hash, file);
  return { path, logo: logoPath({ hash, type: file.type }) };
}

test('is shown beside the name, in both themes and at every width', async () => {
  const { bytes } = rewriteSvg(
    svg('<rect width="300" height="100" rx="20" fill="#24569b"/><circle cx="50" cy="50" r="30" fill="#ffd400"/>'),
  );
  const { path } = await openPageWith(bytes);
  await page.goto(api.url + path);
  const logo = page.locator('img.logo');
  expect(await logo.evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth])).toEqual([true, 512]);
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const box = await logo.boundingBox();
    expect([Math.round(box?.width ?? 0), box?.height]).toEqual([104, 40]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page), colorScheme).toEqual([]);
  }
  if (keepsScreenshots) await takeScreenshots(page, 'logo');
});

test('runs nothing and loads nothing, even if a file was not checked', async () => {
  const loaded: string[] = [];
  const outside = createServer((request, response) => {
    loaded.push(request.url ?? '');
    response.end();
  });
  outside.listen(0, '127.0.0.1');
  await once(outside, 'listening');
  onTestFinished(() => void outside.close());
  const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const { path, logo } = await openPageWith(
    svg(`<script>alert(document.cookie)</script><rect width="9" height="9" onload="alert(1)"/>
<image href="${address}/pixel.png" width="9" height="9"/><style>@import "${address}/x.css";</style>
<foreignObject width="99" height="99"><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:parent.alert(1)"/></foreignObject>
<animate onbegin="alert(1)" attributeName="x" dur="1s"/>`),
  );
  await page.goto(api.url + path);
  await page.locator('img.logo').evaluate((image: HTMLImageElement) => image.decode());
  await page.goto(api.url + logo);
  expect(await page.evaluate('document.documentElement.localName')).toBe('svg');
  expect(dialogs).toEqual([]);
  expect(loaded).toEqual([]);
});

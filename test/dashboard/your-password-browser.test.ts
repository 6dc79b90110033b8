/** The own password and authenticator app in a browser with the keyboard only: axe, both themes, phone and desktop. */
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { pressByKeyboard, typeByKeyboard } from '../support/keyboard.ts';
import { startDashboard } from './dashboard.ts';

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const PASSWORDS = ['seven green rivers', 'nine blue mountains'] as const;
/** A fixed time in the middle of a code's 30 seconds, so that codes do not change during a test. */
const NOW_MS = Math.floor(Date.now() / 30_000) * 30_000 + 15_000;

const dashboard = useFixture(() => startDashboard({ now: () => new Date(NOW_MS) }));
const chrome = useFixture(startTestBrowser);

const codeOf = (key: string) => new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: NOW_MS });
const code = (page: Page) => page.getByLabel('Code', { exact: true });

async function keyOn(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
  return (await page.locator('code').first().textContent())?.replaceAll(' ', '') ?? '';
}

async function expectAccessible(page: Page, picture: string): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(OVERFLOW), `${picture}, ${width} px`).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page), `${picture}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
  if (keepsScreenshots) await takeScreenshots(page, `dashboard-${picture}`);
}

test('sets up and replaces password and app, and shows errors at their fields', async () => {
  const context = await chrome.browser.newContext();
  try {
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    const page = await context.newPage();
    await page.goto(`${dashboard.api.url}/dashboard/test/your-sign-in`);
    await pressByKeyboard(page, page.getByRole('link', { name: 'Set up password and authenticator app' }));
    await pressByKeyboard(page, page.getByRole('button', { name: 'Show the key' }));
    const first = await keyOn(page);
    await expectAccessible(page, 'your-authenticator-first-key');
    await typeByKeyboard(page, page.getByLabel('New password'), PASSWORDS[0]);
    await typeByKeyboard(page, code(page), '000000');
    await page.keyboard.press('Enter');
    await page.locator('#code:focus').waitFor();
    expect(await keyOn(page)).toBe(first);
    await expectAccessible(page, 'your-authenticator-wrong');
    // The form does not return the password to the browser.
    await typeByKeyboard(page, page.getByLabel('New password'), PASSWORDS[0]);
    await typeByKeyboard(page, code(page), codeOf(first));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    expect(await page.locator('.codes code').count()).toBe(10);
    await expectAccessible(page, 'your-recovery-codes');
    await pressByKeyboard(page, page.getByRole('link', { name: 'I have saved them' }));

    await pressByKeyboard(page, page.getByRole('link', { name: 'Change password' }));
    await typeByKeyboard(page, page.getByLabel('Current password'), 'not the password');
    await typeByKeyboard(page, page.getByLabel('New password'), PASSWORDS[1]);
    await page.keyboard.press('Enter');
    await page.locator('#current:focus').waitFor();
    await expectAccessible(page, 'your-password-wrong');
    await typeByKeyboard(page, page.getByLabel('Current password'), PASSWORDS[0]);
    await typeByKeyboard(page, page.getByLabel('New password'), PASSWORDS[1]);
    await pressByKeyboard(page, page.getByRole('button', { name: 'Change password' }));
    await page.getByText('Password changed').waitFor();

    await pressByKeyboard(page, page.getByRole('link', { name: 'Change authenticator app' }));
    await typeByKeyboard(page, page.getByLabel('Current password'), PASSWORDS[1]);
    await pressByKeyboard(page, page.getByRole('button', { name: 'Show the key' }));
    const second = await keyOn(page);
    expect(second).not.toBe(first);
    await typeByKeyboard(page, code(page), codeOf(second));
    await pressByKeyboard(page, page.getByRole('button', { name: 'Use the new app' }));
    await page.getByText('Authenticator app changed').waitFor();
  } finally {
    await context.close();
  }
});

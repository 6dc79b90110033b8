/** Signing in with a passkey, in a browser with a virtual authenticator (DevTools protocol); keyboard only; axe. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../page/axe.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { pressByKeyboard, typeByKeyboard } from '../support/keyboard.ts';
import { codeOf, PASSWORD, setUpPassword, startSignInSite } from './sign-in-site.ts';
import { auditOf, invitedUser } from './users.ts';

const site = useFixture(() => startSignInSite());
const chrome = useFixture(startTestBrowser);

async function visit(
  { authenticator, ...options }: { authenticator: boolean; javaScriptEnabled?: boolean; colorScheme?: 'dark' },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await chrome.browser.newContext(options);
  try {
    const page = await context.newPage();
    if (authenticator) {
      const devTools = await context.newCDPSession(page);
      await devTools.send('WebAuthn.enable');
      await devTools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
    }
    await use(page);
  } finally {
    await context.close();
  }
}

test('creates a passkey by invitation, and signs in with it; its response works once', async () => {
  const { user, token } = await invitedUser(site.database);
  await visit({ authenticator: true }, async (page) => {
    await page.goto(`${site.url}/dashboard/invitation/${token}`);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    expect(await page.content()).toContain(user.email);

    await page.context().clearCookies();
    await page.goto(`${site.url}/dashboard/calls`);
    const answered = page.waitForRequest('**/sign-in/passkey/answer');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const sent = await answered;
    await page.getByText(user.email).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/calls');

    // A thief who has read the response cannot use it, with its own cookie or with a new challenge's.
    const cookie = /ringkey-sign-in=([\w-]+)/.exec((await sent.allHeaders()).cookie ?? '')?.[1] ?? '';
    const fields = Object.fromEntries(new URLSearchParams(sent.postData() ?? ''));
    const thief = site.browser();
    thief.cookies.set('ringkey-sign-in', cookie);
    expect((await thief.post('/dashboard/sign-in/passkey/answer', fields)).status).toBe(422);
    expect((await thief.post('/dashboard/sign-in/passkey', {})).status).toBe(200);
    expect((await thief.post('/dashboard/sign-in/passkey/answer', fields)).status).toBe(422);
    expect(thief.cookies.has('ringkey')).toBe(false);
  });
  expect(await auditOf(site.database, user)).toEqual([
    'user.created by system',
    'user.invited by system',
    'user.credentials_changed by user',
    'user.signed_in by user',
    'user.signed_in by user',
    'user.sign_in_failed by system',
  ]);
});

test('creates a passkey by invitation and signs in with it, with the keyboard only', async () => {
  const { user, token } = await invitedUser(site.database);
  await visit({ authenticator: true }, async (page) => {
    await page.goto(`${site.url}/dashboard/invitation/${token}`);
    await pressByKeyboard(page, page.getByRole('button', { name: 'Create passkey' }));
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await page.context().clearCookies();
    await page.goto(`${site.url}/dashboard/calls`);
    await pressByKeyboard(page, page.getByRole('button', { name: 'Sign in with a passkey' }));
    await page.getByText(user.email).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/calls');
  });
});

test('sets up password and app by invitation and signs in after a wrong code, with the keyboard only', async () => {
  const { user, token } = await invitedUser(site.database);
  await visit({ authenticator: true }, async (page) => {
    await page.goto(`${site.url}/dashboard/invitation/${token}`);
    const secret = (await page.locator('code').first().textContent())?.replaceAll(' ', '') ?? '';
    await typeByKeyboard(page, page.getByLabel('New password'), PASSWORD);
    await typeByKeyboard(page, page.getByLabel('Code', { exact: true }), codeOf(secret, -1));
    await page.keyboard.press('Enter');
    await pressByKeyboard(page, page.getByRole('link', { name: 'I have saved them. Continue' }));
    await page.getByText(user.email).waitFor();

    await page.context().clearCookies();
    await page.goto(`${site.url}/dashboard/calls`);
    const fillIn = async (code: string) => {
      await typeByKeyboard(page, page.getByLabel('Password'), PASSWORD);
      await typeByKeyboard(page, page.getByLabel('Code', { exact: true }), code);
      await pressByKeyboard(page, page.getByRole('button', { name: 'Sign in', exact: true }));
    };
    await typeByKeyboard(page, page.getByLabel('Email address'), user.email);
    await fillIn('000000');
    // The error has the focus, the fields follow, and the email address is kept.
    await page.locator('#problem:focus').waitFor();
    await fillIn(codeOf(secret));
    await page.getByText(user.email).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/calls');
  });
});

test('says that no passkey was used if the browser has none', async () => {
  await visit({ authenticator: true }, async (page) => {
    await page.goto(`${site.url}/dashboard/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used.').waitFor();
  });
});

test('hides the passkey button without scripts, and signs in with the password', async () => {
  const { user, token } = await invitedUser(site.database);
  const { secret } = await setUpPassword(site.browser(), token);
  await visit({ authenticator: false, javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site.url}/dashboard/calls`);
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    await page.getByLabel('Email address').focus();
    for (const text of [user.email, PASSWORD, codeOf(secret)]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText(user.email).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/calls');
  });
});

test.each([{ colorScheme: 'dark' as const }, {}])(
  'has no accessibility barriers, and focuses the error: %j',
  async (scheme) => {
    const { token } = await invitedUser(site.database);
    await visit({ authenticator: true, ...scheme }, async (page) => {
      await page.goto(`${site.url}/dashboard/sign-in`);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Email address').fill('nobody@example.com');
      await page.getByLabel('Password').fill('not the password');
      await page.getByLabel('Code', { exact: true }).fill('123456');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.locator('#problem:focus').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.goto(`${site.url}/dashboard/invitation/${token}`);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('New password').fill('password1234');
      await page.getByLabel('Code', { exact: true }).fill('123456');
      await page.getByRole('button', { name: 'Set up and sign in' }).click();
      await page.locator('#password:focus').waitFor();
      expect(await findBarriers(page)).toEqual([]);
    });
  },
);

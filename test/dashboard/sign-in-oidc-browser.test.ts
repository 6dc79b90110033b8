/** Signing in with an OpenID provider in a browser: across sites, turning back, outages, stolen callback URLs. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBarriers } from '../page/axe.ts';
import { keepsScreenshots, takeScreenshots } from '../page/screenshots.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { pressByKeyboard } from '../support/keyboard.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { startOidcProvider, type TestOidcProvider } from './oidc-provider.ts';
import { auditOf, invitedUser } from './users.ts';

const chrome = useFixture(startTestBrowser);
let provider: TestOidcProvider;
let dashboard: TestDashboard;
/** At `localhost`, so that the provider at 127.0.0.1 is another site for the browser. */
let site: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  provider = await startOidcProvider();
  // A public demo, so that every page requires a sign-in.
  dashboard = await startDashboard({ oidc: provider.settings, isPublicDemo: true });
  site = dashboard.api.url.replace('127.0.0.1', 'localhost');
  provider.serve(site);
});
afterAll(async () => {
  await dashboard.close();
  await provider.close();
});
beforeEach(() => void Object.assign(provider.person, { email_verified: true, isDown: false, asks: true }));
afterEach(async () => void (await Promise.all(contexts.splice(0).map((context) => context.close()))));

/** A new browser context. Script errors and CSP violations fail the test. */
async function newBrowser(): Promise<Page> {
  // On a busy machine, Chromium reports a skipped view transition as a page error.
  const context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  contexts.push(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => expect.unreachable(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) expect.unreachable(message.text());
  });
  return page;
}

/** Invites a user with the email address of the provider's person. */
async function knownUser() {
  const { user } = await invitedUser(dashboard.api.database, 'developer');
  provider.person.email = user.email;
  return user;
}

async function toProvider(page: Page, path = '/dashboard/test/calls'): Promise<void> {
  await page.goto(site + path);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.waitForURL(`${provider.settings.issuer}/**`);
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies(site)).find(({ name }) => name === 'ringkey') ?? null;

async function expectRefusal(page: Page, title: string, picture: string): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor();
  expect(await sessionOf(page)).toBeNull();
  expect(await findBarriers(page)).toEqual([]);
  if (keepsScreenshots) await takeScreenshots(page, `sign-in-oidc-${picture}`);
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

test('signs in to the requested page and out again with the keyboard only', async () => {
  const user = await knownUser();
  const page = await newBrowser();
  await page.goto(`${site}/dashboard/test/calls?status=none`);
  expect(await findBarriers(page)).toEqual([]);
  await pressByKeyboard(page, page.getByRole('link', { name: 'Sign in with Example ID' }));
  await pressByKeyboard(page, page.getByRole('link', { name: 'Sign in' }));
  await page.waitForURL(`${site}/dashboard/test/calls?status=none`);
  expect(await sessionOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.getByRole('region', { name: 'Ringkey' }).textContent()).toContain('Corner Bakery');

  await pressByKeyboard(page, page.getByLabel(`Signed in as ${user.name}`));
  expect(await page.getByText(user.email).isVisible()).toBe(true);
  await pressByKeyboard(page, page.getByRole('button', { name: 'Sign out', exact: true }));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await sessionOf(page)).toBeNull();
  // The browser has not cached the page.
  await page.goBack();
  await page.waitForURL(`${site}/dashboard/sign-in?**`);
  expect(await page.getByText(user.email).count()).toBe(0);
  expect((await auditOf(dashboard.api.database, user)).slice(-2)).toEqual([
    'user.signed_in by user',
    'user.signed_out by user',
  ]);
});

test.each([
  ['unknown', { email: 'nobody@example.com' }],
  ['not verified', { email_verified: false }],
])('refuses a person whose email address is %s', async (_, claims) => {
  await knownUser();
  Object.assign(provider.person, claims);
  const page = await newBrowser();
  await toProvider(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expectRefusal(page, 'You are not a user of this dashboard', 'unknown');
});

test('lets a person who turned back at the provider try again', async () => {
  const user = await knownUser();
  const page = await newBrowser();
  await toProvider(page);
  await page.getByRole('link', { name: 'Turn back' }).click();
  await expectRefusal(page, 'You were not signed in', 'denied');
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(`${site}/dashboard/**`);
  expect(await page.content()).toContain(user.email);
});

test('says that the provider is not responding if it fails after the redirect', async () => {
  await knownUser();
  const page = await newBrowser();
  await toProvider(page);
  const back = await callbackUrl(page);
  provider.person.isDown = true;
  await page.goto(back);
  await expectRefusal(page, 'Your sign-in provider is not responding', 'outage');
});

/** Signs in at the provider, without the last redirect. @returns the callback URL with the code */
async function callbackUrl(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href');
  let url = new URL(href ?? '', page.url()).href;
  while (!url.startsWith(site)) {
    const answer = await page.request.get(url, { maxRedirects: 0 });
    url = new URL(answer.headers().location ?? '', url).href;
  }
  return url;
}

test('accepts a callback URL only in the browser that started the sign-in', async () => {
  const user = await knownUser();
  const [victim, thief] = [await newBrowser(), await newBrowser()];
  await toProvider(victim);
  const stolen = await callbackUrl(victim);
  await thief.goto(stolen);
  await expectRefusal(thief, 'This sign-in is no longer valid', 'stolen');

  // The thief's callback URL, with the victim's state or unchanged, must not sign the victim in to the thief's account,
  // where the victim would enter secrets.
  await toProvider(thief);
  const theirs = new URL(await callbackUrl(thief));
  const mixed = new URL(theirs);
  mixed.searchParams.set('state', new URL(stolen).searchParams.get('state') ?? '');
  await victim.goto(mixed.href);
  await expectRefusal(victim, 'This sign-in is no longer valid', 'mixed');
  await victim.goto(theirs.href);
  await expectRefusal(victim, 'This sign-in is no longer valid', 'foreign');
  // The first wrong callback ended the victim's attempt.
  await victim.goto(stolen);
  await expectRefusal(victim, 'This sign-in is no longer valid', 'late');
  expect(await auditOf(dashboard.api.database, user)).not.toContain('user.signed_in by user');
});

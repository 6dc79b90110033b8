/** Signing in with an OpenID provider: the real protocol, with `oidc-provider` on loopback. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inviteUser } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { startOidcProvider, type TestOidcProvider } from './oidc-provider.ts';
import { type PageAnswer, type SignInSite, startSignInSite, type TextBrowser } from './sign-in-site.ts';
import { auditOf, invitedUser, newAccount } from './users.ts';

let site: SignInSite;
let provider: TestOidcProvider;
let person: TestOidcProvider['person'];

beforeAll(async () => {
  provider = await startOidcProvider();
  site = await startSignInSite({ oidc: provider.settings });
  provider.serve(site.url);
  person = provider.person;
});
afterAll(async () => {
  await site.close();
  await provider.close();
});

/** Follows the provider's redirects back to the site. @returns path and query of the callback URL */
async function throughProvider(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let url = start, hops = 0; hops < 10; hops += 1) {
    if (url.startsWith(site.url)) return url.slice(site.url.length);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider redirected too often');
}

async function signIn(browser: TextBrowser, next = '/dashboard/calls', again = false): Promise<PageAnswer> {
  const query = new URLSearchParams({ next, ...(again && { again: '1' }) });
  const started = await browser.get(`/dashboard/sign-in/oidc?${query}`);
  expect(started.status, started.html).toBe(303);
  return browser.get(await throughProvider(started.location ?? ''));
}

/** Invites a user whose email address the provider verifies. */
async function knownUser() {
  const { user } = await invitedUser(site.database, 'developer');
  Object.assign(person, { email: user.email, email_verified: true });
  return user;
}

test('signs in the user with the verified email address', async () => {
  const user = await knownUser();
  const browser = site.browser();
  expect((await browser.get('/dashboard/sign-in')).html).toContain('Sign in with Example ID');
  const answer = await signIn(browser);
  expect([answer.status, answer.location]).toEqual([303, '/dashboard/calls']);
  expect((await browser.get('/dashboard/calls')).html).toContain(user.email);
  expect((await auditOf(site.database, user)).at(-1)).toBe('user.signed_in by user');
});

test.each([
  ['not verified', { email_verified: false }],
  ['unknown', { email: 'nobody@example.com' }],
  ['malformed', { email: 'no address' }],
])('refuses an email address that is %s', async (_, claims) => {
  await knownUser();
  Object.assign(person, claims);
  const browser = site.browser();
  const answer = await signIn(browser);
  expect([answer.status, answer.html]).toEqual([403, expect.stringContaining('You are not a user of this dashboard')]);
  expect((await browser.get('/dashboard/calls')).status).toBe(303);
});

describe('the time of a sign-in', () => {
  const GUARDED = '/dashboard/guarded';
  const sessionOf = async (userId: string) => {
    const { rows } = await site.database.query<{ isIdle: boolean }>(
      `select last_active_at < now() - interval '15 minutes' as "isIdle" from user_sessions where user_id = $1
        order by created_at desc limit 1`,
      [userId],
    );
    return rows[0];
  };

  test('is the provider’s auth_time: an old one requires a new sign-in before a guarded change', async () => {
    const user = await knownUser();
    const browser = site.browser();
    person.signedInSecondsAgo = 16 * 60;
    try {
      expect((await signIn(browser)).location).toBe('/dashboard/calls');
    } finally {
      person.signedInSecondsAgo = 0;
    }
    expect((await browser.get('/dashboard/calls')).html).toContain(user.email);
    const refused = await browser.get(GUARDED);
    expect([refused.status, refused.location]).toEqual([303, expect.stringContaining('again=1')]);
    expect(await sessionOf(user.id)).toEqual({ isIdle: true });
    await signIn(browser, '/dashboard/calls', true);
    expect((await browser.get(GUARDED)).status).toBe(200);
    expect(await sessionOf(user.id)).toEqual({ isIdle: false });
  });

  test('is the provider’s auth_time also for a person with users in several accounts', async () => {
    const first = await knownUser();
    const accountId = await newAccount(site.database);
    const { user } = await inviteUser(site.database, SYSTEM, {
      accountId,
      email: first.email,
      name: '',
      role: 'developer' as const,
    });
    const browser = site.browser();
    person.signedInSecondsAgo = 16 * 60;
    try {
      await signIn(browser);
    } finally {
      person.signedInSecondsAgo = 0;
    }
    expect((await browser.post('/dashboard/sign-in/oidc/account', { user: user.id })).status).toBe(303);
    expect((await browser.get(GUARDED)).location).toContain('again=1');
  });

  test('is requested from the provider with every sign-in', async () => {
    const ages = [];
    for (const query of ['', '?again=1']) {
      const { location } = await site.browser().get(`/dashboard/sign-in/oidc${query}`);
      ages.push(new URL(location ?? '').searchParams.get('max_age'));
    }
    expect(ages).toEqual(['43200', '300']);
  });
});

test('does not sign in a removed user', async () => {
  const user = await knownUser();
  await site.database.query('update users set removed_at = now() where id = $1', [user.id]);
  expect((await signIn(site.browser())).status).toBe(403);
});

test('accepts a callback once, in the browser that started it, with its state', async () => {
  await knownUser();
  const start = async (browser: TextBrowser) =>
    throughProvider((await browser.get('/dashboard/sign-in/oidc')).location ?? '');
  const [browser, other] = [site.browser(), site.browser()];
  const [answer, others] = [await start(browser), await start(other)];
  // Another person's callback would sign the browser in as them.
  expect((await site.browser().get(answer)).status).toBe(403);
  expect((await browser.get(others)).status).toBe(403);
  // The wrong callback ended the attempt.
  expect((await browser.get(answer)).status).toBe(403);
  const again = await start(other);
  expect((await other.get(again.replace(/state=[^&]+/, 'state=another'))).status).toBe(403);
  const good = await start(other);
  expect((await other.get(good)).status).toBe(303);
  expect((await other.get(good)).status).toBe(403);
  const denied = site.browser();
  const url = await start(denied);
  const state = new URL(url, site.url).searchParams.get('state') ?? '';
  const refusal = `/dashboard/sign-in/oidc/callback?error=access_denied&state=${state}`;
  expect((await denied.get(refusal)).status).toBe(403);
});

test.each([
  ['access_denied', 403, 'Example ID did not sign you in'],
  ['login_required', 403, 'Example ID did not sign you in'],
  ['temporarily_unavailable', 503, 'is not responding correctly'],
])('handles the provider’s error %s', async (error, status, message) => {
  await knownUser();
  const browser = site.browser();
  const started = new URL((await browser.get('/dashboard/sign-in/oidc')).location ?? '');
  const answer = new URLSearchParams({
    error,
    error_description: '<b>text of the provider</b>',
    iss: provider.settings.issuer,
    state: started.searchParams.get('state') ?? '',
  });
  const shown = await browser.get(`/dashboard/sign-in/oidc/callback?${answer}`);
  expect([shown.status, shown.html]).toEqual([status, expect.stringContaining(message)]);
  expect(shown.html).not.toContain('text of the provider');
  expect(browser.cookies.has('ringkey')).toBe(false);
});

test('asks a person with users in several accounts which one to use', async () => {
  const first = await knownUser();
  const accountId = await newAccount(site.database);
  const given = { accountId, email: first.email, name: '', role: 'viewer' as const };
  const { user: second } = await inviteUser(site.database, SYSTEM, given);
  const { user: stranger } = await invitedUser(site.database);
  const browser = site.browser();
  const answer = await signIn(browser);
  expect(answer.location).toBe('/dashboard/sign-in/oidc/account');
  const page = await browser.get(answer.location ?? '');
  expect(page.html).toContain('Corner Bakery (viewer)');
  expect((await browser.get('/dashboard/calls')).status).toBe(303);
  const thief = site.browser();
  thief.cookies.set('ringkey-sign-in', browser.cookies.get('ringkey-sign-in') ?? '');
  expect((await thief.post('/dashboard/sign-in/oidc/account', { user: stranger.id })).status).toBe(403);
  expect((await thief.post('/dashboard/sign-in/oidc/account', { user: newId('User') })).status).toBe(403);
  const fresh = site.browser();
  await signIn(fresh);
  const chosen = await fresh.post('/dashboard/sign-in/oidc/account', { user: second.id });
  expect([chosen.status, chosen.location]).toEqual([303, '/dashboard/calls']);
  expect((await fresh.get('/dashboard/calls')).html).toContain(accountId);
});

test('says that the provider is down, and asks it again next time', async () => {
  await knownUser();
  const browser = site.browser();
  const answer = await browser.get('/dashboard/sign-in/oidc');
  const back = await throughProvider(answer.location ?? '');
  person.isDown = true;
  try {
    const down = await browser.get(back);
    expect([down.status, down.html]).toEqual([503, expect.stringContaining('is not responding')]);
  } finally {
    person.isDown = false;
  }
  expect((await signIn(browser)).status).toBe(303);
});

/** Signing in with password and authenticator app, without scripts: invitations, one-time codes, the lock, the responses. */
import { expect, test } from 'vitest';
import { inviteAgain } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { useFixture } from '../support/fixtures.ts';
import { codeOf, PASSWORD, type PageAnswer, setUpPassword, startSignInSite } from './sign-in-site.ts';
import { auditOf, invitedUser } from './users.ts';

const site = useFixture(() => startSignInSite());

/** A signed-out user with a password. */
async function userWithPassword(account?: Parameters<typeof invitedUser>[2]) {
  const invited = await invitedUser(site.database, 'owner', account);
  const { secret, recoveryCodes } = await setUpPassword(site.browser(), invited.token);
  const { user } = invited;
  const signIn = (fields: Record<string, string> = {}, browser = site.browser()) =>
    browser.post('/dashboard/sign-in', { email: user.email, password: PASSWORD, code: codeOf(secret), ...fields });
  return { ...invited, secret, recoveryCodes, signIn };
}

/** A page without the parts that differ between requests. */
const contentOf = ({ status, html }: PageAnswer) => [status, html.replace(/(name="email"[^>]*?) value="[^"]*"/, '$1')];

test('sets up a user by invitation, and signs in to the requested page', async () => {
  const { user, token } = await invitedUser(site.database, 'support');
  const first = site.browser();
  const { secret, recoveryCodes } = await setUpPassword(first, token);
  expect(recoveryCodes).toHaveLength(10);
  expect((await first.get('/dashboard/calls')).html).toContain(user.email);

  const browser = site.browser();
  const wanted = await browser.get('/dashboard/calls');
  const page = await browser.get(wanted.location ?? '');
  const next = /name="next" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  const fields = { email: user.email.toUpperCase(), password: PASSWORD, next };
  const answer = await browser.post('/dashboard/sign-in', { ...fields, code: codeOf(secret) });
  expect([answer.status, answer.location]).toEqual([303, '/dashboard/calls']);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^ringkey=[\w-]{43}; Path=\/; Max-Age=43\d{3}; HttpOnly; SameSite=Lax$/);
  expect((await browser.get('/dashboard/calls')).html).toContain(user.email);
  expect((await browser.get('/dashboard/sign-in')).location).toBe('/dashboard');

  expect(await auditOf(site.database, user)).toEqual([
    'user.created by system',
    'user.invited by system',
    'user.credentials_changed by user',
    'user.signed_in by user',
    'user.signed_in by user',
  ]);
  const stored = await site.database.query('select row_to_json(u)::text as text from users u where id = $1', [user.id]);
  const text = JSON.stringify(stored.rows);
  expect(text).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const secretText of [secret, PASSWORD]) expect(text).not.toContain(secretText);
  for (const secretText of [token, secret, PASSWORD, ...recoveryCodes])
    expect(site.log.join('')).not.toContain(secretText);
});

test('accepts an invitation once, however often it was opened', async () => {
  const { user, token } = await invitedUser(site.database);
  const path = `/dashboard/invitation/${token}`;
  const [one, two] = [await site.browser().get(path), await site.browser().get(path)];
  const keyIn = ({ html }: PageAnswer) => /<code>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1];
  expect(keyIn(two)).toBe(keyIn(one));
  expect(one.headers.get('cache-control')).toBe('no-store');
  await setUpPassword(site.browser(), token);
  const gone = await site.browser().get(path);
  expect([gone.status, gone.html]).toEqual([410, expect.stringContaining('This link is no longer valid')]);

  const again = await inviteAgain(site.database, SYSTEM, { accountId: user.accountId, userId: user.id });
  await site.database.query(`update user_invitations set expires_at = now() where user_id = $1`, [user.id]);
  expect((await site.browser().get(`/dashboard/invitation/${again.token}`)).status).toBe(410);
});

test('replaces all sign-in methods when a new invitation is accepted', async () => {
  const { user, signIn, token: _ } = await userWithPassword();
  const browser = site.browser();
  await signIn({}, browser);
  const { token } = await inviteAgain(site.database, SYSTEM, { accountId: user.accountId, userId: user.id });
  expect((await browser.get('/dashboard/calls')).status).toBe(200);
  await setUpPassword(site.browser(), token, 'nine blue mountains');
  expect((await browser.get('/dashboard/calls')).status).toBe(303);
  expect((await signIn()).status).toBe(422);
});

test.each([
  ['short', 'Use 12 characters or more.'],
  ['password1234', 'Attackers try this password early'],
  ['aaaaaaaaaaaaaaaa', 'Attackers try this password early'],
  ['ringkey-ringkey', 'Attackers try this password early'],
])('rejects the new password %s', async (password, message) => {
  const { token } = await invitedUser(site.database);
  const browser = site.browser();
  await browser.get(`/dashboard/invitation/${token}`);
  const answer = await browser.post(`/dashboard/invitation/${token}`, { password, code: '123456' });
  expect([answer.status, answer.html]).toEqual([422, expect.stringContaining(message)]);
  expect(answer.html).toMatch(/id="password"[^>]*aria-describedby="password-fault password-hint"[^>]*aria-invalid/);
  expect(answer.html).toContain('This is not the code of this moment');
});

test('accepts a code once, over all browsers', async () => {
  const { secret, signIn } = await userWithPassword();
  const code = codeOf(secret);
  expect((await signIn({ code })).status).toBe(303);
  expect((await signIn({ code })).status).toBe(422);
  // The code that set up the app counts, too.
  expect((await signIn({ code: codeOf(secret, -1) })).status).toBe(422);
  expect((await signIn({ code: codeOf(secret, 1) })).status).toBe(303);
  expect((await signIn({ code: codeOf(secret, 2) })).status).toBe(422);
});

test('accepts a code once in several browsers at once', async () => {
  const { secret, signIn } = await userWithPassword();
  const code = codeOf(secret);
  const answers = await Promise.all([signIn({ code }), signIn({ code }), signIn({ code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
});

test('accepts each recovery code once instead of the app’s code', async () => {
  const { user, recoveryCodes, signIn } = await userWithPassword();
  const [first = '', second = ''] = recoveryCodes;
  expect((await signIn({ code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })).status).toBe(303);
  expect((await signIn({ code: first })).status).toBe(422);
  expect((await signIn({ code: second, password: 'not the password' })).status).toBe(422);
  expect((await signIn({ code: second })).status).toBe(303);
  const { rows } = await site.database.query(
    `select changes->>'way' as way from audit_events where object_id = $1 and action = 'user.signed_in'`,
    [user.id],
  );
  expect(rows.filter(({ way }) => way === 'recovery_code')).toHaveLength(2);
});

test('gives the same response whichever value is wrong', async () => {
  const { secret, signIn, user } = await userWithPassword();
  const { user: withoutPassword } = await invitedUser(site.database);
  const answers = [
    await signIn({ password: 'not the password' }),
    await signIn({ code: '000000' }),
    await signIn({ code: 'no code' }),
    await signIn({ password: '' }),
    await signIn({ email: 'nobody@example.com' }),
    await signIn({ email: withoutPassword.email }),
    await signIn({ email: 'no address' }),
  ];
  const [first] = answers;
  if (first === undefined) throw new Error('no answer');
  for (const answer of answers) expect(contentOf(answer)).toEqual(contentOf(first));
  expect(first.html).toContain('role="alert"');
  expect(answers.every(({ headers }) => headers.getSetCookie().length === 0)).toBe(true);
  await site.database.query(`update users set locked_until = now() + interval '1 minute' where id = $1`, [user.id]);
  expect(contentOf(await signIn({ code: codeOf(secret) }))).toEqual(contentOf(first));
});

test('locks a user for 30 minutes after ten failures, also if they arrive at once', async () => {
  const { user, signIn, secret } = await userWithPassword();
  const wrong = () => signIn({ password: 'not the password' });
  const other = await userWithPassword(user.accountId);
  await Promise.all(Array.from({ length: 14 }, wrong));
  expect((await signIn()).status).toBe(422);
  const count = async () => {
    const failed = await auditOf(site.database, user);
    return ['user.sign_in_failed', 'user.locked'].map((a) => failed.filter((each) => each.startsWith(a)).length);
  };
  expect(await count()).toEqual([10, 1]);
  expect((await other.signIn()).status).toBe(303);
  // After the lock, the count starts at zero.
  const minutesAgo = `update users set locked_until = locked_until - interval '30 minutes',
      failed_at = array(select t - interval '30 minutes' from unnest(failed_at) t) where id = $1`;
  await site.database.query(minutesAgo, [user.id]);
  for (let failure = 0; failure < 9; failure += 1) await wrong();
  expect((await signIn({ code: codeOf(secret) })).status).toBe(303);
  // A successful sign-in clears the count.
  for (let failure = 0; failure < 9; failure += 1) await wrong();
  expect((await signIn({ code: codeOf(secret, 1) })).status).toBe(303);
});

test('signs a person with users in two accounts in to the one with this password, without a failure for the other', async () => {
  const first = await userWithPassword();
  const second = await userWithPassword();
  await site.database.query('update users set email = $2 where id = $1', [second.user.id, first.user.email]);
  await site.database.query(`update users set password_hash = null, totp_secret = null where id = $1`, [
    second.user.id,
  ]);
  const { user, token } = await inviteAgain(site.database, SYSTEM, {
    accountId: second.user.accountId,
    userId: second.user.id,
  });
  const { secret } = await setUpPassword(site.browser(), token, 'nine blue mountains');
  const browser = site.browser();
  const answer = await browser.post('/dashboard/sign-in', {
    email: user.email,
    password: 'nine blue mountains',
    code: codeOf(secret),
  });
  expect(answer.status).toBe(303);
  expect((await browser.get('/dashboard/calls')).html).toContain(user.accountId);
  const { rows } = await site.database.query('select failed_at from users where email = $1', [user.email]);
  expect(rows).toEqual([{ failed_at: [] }, { failed_at: [] }]);
});

test('starts a new session at sign-in, and ends the browser’s previous one', async () => {
  const { secret, signIn } = await userWithPassword();
  const browser = site.browser();
  // A cookie that an attacker planted in the browser is not adopted.
  browser.cookies.set('ringkey', 'A'.repeat(43));
  await signIn({ code: codeOf(secret) }, browser);
  const old = browser.cookies.get('ringkey') ?? '';
  expect(old).not.toBe('A'.repeat(43));
  await signIn({ code: codeOf(secret, 1) }, browser);
  const stolen = site.browser();
  stolen.cookies.set('ringkey', old);
  expect((await stolen.get('/dashboard/calls')).status).toBe(303);
  expect((await browser.get('/dashboard/calls')).status).toBe(200);
});

test('requires the form token to sign out, and ends the session', async () => {
  const { signIn } = await userWithPassword();
  const browser = site.browser();
  await signIn({}, browser);
  const token = browser.cookies.get('ringkey') ?? '';
  const formToken = /<i>([^<]+)<\/i>/.exec((await browser.get('/dashboard/calls')).html)?.[1] ?? '';
  expect((await browser.post('/dashboard/sign-out', {})).status).toBe(403);
  expect((await browser.get('/dashboard/calls')).status).toBe(200);
  const answer = await browser.post('/dashboard/sign-out', { form_token: formToken });
  expect([answer.status, answer.location]).toEqual([303, '/dashboard/sign-in']);
  expect(browser.cookies.size).toBe(0);
  browser.cookies.set('ringkey', token);
  expect((await browser.get('/dashboard/calls')).status).toBe(303);
});

test.each([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ origin: 'https://evil.example' }],
])('refuses a sign-in from another site: %j', async (headers: Record<string, string>) => {
  const { user, secret } = await userWithPassword();
  const fields = { email: user.email, password: PASSWORD, code: codeOf(secret) };
  const answer = await site.browser().post('/dashboard/sign-in', fields, headers);
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
});

test('redirects only within the dashboard after signing in', async () => {
  const { signIn } = await userWithPassword();
  expect((await signIn({ next: 'https://evil.example/dashboard' })).location).toBe('/dashboard');
  const page = await site.browser().get('/dashboard/sign-in?next=//evil.example');
  expect(page.html).not.toContain('evil');
});

test('sends the dashboard’s headers, and shows markup as text', async () => {
  const { user, token } = await invitedUser(site.database);
  await site.database.query(`update accounts set name = '<img src=x onerror=alert(1)>' where id = $1`, [
    user.accountId,
  ]);
  const page = await site.browser().get(`/dashboard/invitation/${token}`);
  expect(page.html).not.toContain('<img');
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  const answer = await site.browser().post('/dashboard/sign-in', { email: '"><script>alert(1)</script>' });
  expect(answer.html).not.toContain('<script>alert');
});

test('links from 127.0.0.1 to localhost, which passkeys and sessions belong to', async () => {
  const url = '/dashboard/sign-in?next=/dashboard/calls';
  const { port } = new URL(site.url);
  const byAddress = await site.app.inject({ url, headers: { host: `127.0.0.1:${port}` } });
  expect(byAddress.body).toContain(`href="${site.url}${url}"`);
  expect((await site.browser().get(url)).html).not.toContain('our links lead there');
});

test('neither shows nor accepts a sign-in over plain http from another machine', async () => {
  const headers = { host: 'pay.example.com' };
  for (const url of ['/dashboard/sign-in', `/dashboard/invitation/${'A'.repeat(43)}`]) {
    const page = await site.app.inject({ url, headers });
    expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining('Use HTTPS to sign in')]);
  }
  const sent = await site.app.inject({ method: 'POST', url: '/dashboard/sign-in', headers });
  expect([sent.statusCode, sent.headers['set-cookie']]).toEqual([403, undefined]);
});

test('refuses an address with too many failures, also with the right password', async () => {
  const few = await startSignInSite({ limit: { requests: 3, windowSeconds: 600 } });
  try {
    const { user, token } = await invitedUser(few.database);
    const { secret } = await setUpPassword(few.browser(), token);
    const signIn = (password: string) =>
      few.browser().post('/dashboard/sign-in', { email: user.email, password, code: codeOf(secret) });
    for (let failure = 0; failure < 3; failure += 1) expect((await signIn('not the password')).status).toBe(422);
    const refused = await signIn(PASSWORD);
    expect([refused.status, refused.html]).toEqual([429, expect.stringContaining('Try again in 10 minutes.')]);
  } finally {
    await few.close();
  }
});

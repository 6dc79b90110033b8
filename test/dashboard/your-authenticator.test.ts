/** The own authenticator app: replacing it, setting up the first one with a password, and recovery after losing it. */
import { expect, it } from 'vitest';
import { confirmNewAuthenticator, startNewAuthenticator } from '../../src/accounts/users/new-authenticator.ts';
import { totpContext } from '../../src/accounts/users/second-factor.ts';
import { actorOfUser } from '../../src/accounts/users/sessions.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { FORM_TOKEN } from './dashboard.ts';
import {
  codeOf,
  ENCRYPTION_KEY,
  FROM,
  faultAt,
  HERE,
  NEW_APP,
  NEW_PASSWORD,
  now,
  OTHER_PASSWORD,
  OwnCredentials,
  offeredIn,
  PASSWORD,
  RECOVERY_CODE,
  vault,
} from './own-credentials.ts';
import { auditOf, newSession } from './users.ts';

const own = new OwnCredentials();

it('accepts codes of the old app until the new one is confirmed, and then no more', async () => {
  const other = await newSession(own.database, own.user);
  const page = await own.startApp();
  const { setupToken, key } = offeredIn(page);
  expect(page.html).toContain('role="img" aria-label="QR code of the key"');
  expect(await own.signIn({ code: codeOf(own.secret, -1) })).not.toBeNull();

  const wrong = await own.confirmApp(setupToken, { code: codeOf(own.secret) });
  expect([wrong.status, faultAt(wrong, 'code')]).toEqual([422, expect.stringContaining('not the code of this moment')]);
  expect(offeredIn(wrong)).toEqual({ setupToken, key });
  expect(await own.signIn({ code: codeOf(own.secret) })).not.toBeNull();

  const answer = await own.confirmApp(setupToken, { code: codeOf(key) });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard${HERE}?notice=authenticator`]);
  expect([await own.isActive(other), await own.isActive(own.dashboard.user)]).toEqual([false, true]);
  expect(await own.signIn({ code: codeOf(own.secret, 1) })).toBeNull();
  expect(await own.signIn({ code: codeOf(key) }), 'the code that confirmed the app').toBeNull();
  expect(await own.signIn({ code: codeOf(key, 1) })).not.toBeNull();
  expect(await own.auditEntries('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
});

it('stores the offered key encrypted, never logs it, and accepts its setup once', async () => {
  const { setupToken, key } = offeredIn(await own.startApp());
  const { rows } = await own.database.query<{ text: string }>(
    `select facts::text as text from sign_in_attempts where facts->>'userId' = $1`,
    [own.user.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain(key);
  const code = codeOf(key);
  const answers = await Promise.all([own.confirmApp(setupToken, { code }), own.confirmApp(setupToken, { code })]);
  // The other request is refused, or arrived with the old cookie.
  expect(answers.filter(({ headers }) => headers.get('location')?.includes('notice=authenticator'))).toHaveLength(1);
  const again = await own.confirmApp(setupToken, { code: codeOf(key, 1) });
  expect([again.status, again.html]).toEqual([422, expect.stringContaining('Start again')]);
  expect(await own.auditEntries('user.credentials_changed')).toHaveLength(1);
  expect(own.dashboard.api.log.join('')).not.toContain(key);
});

it('encrypts a key with the new encryption key if that was replaced since the key was offered', async () => {
  const [oldKey, newKey] = [ENCRYPTION_KEY, Buffer.alloc(32, 8)];
  const session = await own.session();
  const by = actorOfUser(session.userId, FROM);
  const offered = await startNewAuthenticator(
    { database: own.database, vault, now },
    by,
    session,
    { ...own.user, hasPassword: true },
    PASSWORD,
  );
  const given = { token: offered?.token ?? '', code: codeOf(offered?.secret ?? ''), password: '' };
  const both = createVault([newKey, oldKey]);
  expect(await confirmNewAuthenticator({ database: own.database, vault: both, now }, by, session, given)).toMatchObject(
    {
      kind: 'changed',
    },
  );
  const { rows } = await own.database.query('select totp_secret as sealed from users where id = $1', [session.userId]);
  expect(createVault([newKey]).open(String(rows[0]?.sealed), totpContext(session.userId))).toBe(offered?.secret);
});

it.each([
  [
    'offered in another session',
    async () => Object.assign(own.dashboard.user, await newSession(own.database, own.user)),
  ],
  ['offered to another user', async () => own.dashboard.as('viewer', own.user.accountId)],
  ['that has expired', () => own.database.query('update sign_in_attempts set expires_at = now()')],
])('rejects a key %s', async (_, happen) => {
  const user = own.user;
  const { setupToken, key } = offeredIn(await own.startApp());
  await happen();
  const answer = await own.confirmApp(setupToken, { code: codeOf(key), password: OTHER_PASSWORD });
  expect([answer.status, answer.html]).toEqual([422, expect.stringContaining('Start again')]);
  expect(answer.html).not.toContain(key);
  for (const each of [user, own.user])
    expect((await auditOf(own.database, each)).join()).not.toContain('user.credentials_changed');
});

it('asks for the current password before it shows a key', async () => {
  const answer = await own.startApp({ current: 'not the password' });
  expect([answer.status, offeredIn(answer).setupToken]).toEqual([422, '']);
  expect(faultAt(answer, 'current')).toContain('This is not your current password.');
  expect(await own.auditEntries('user.sign_in_failed')).toEqual(['user.sign_in_failed by user']);
});

it('lets a user who lost the app sign in with a recovery code and set up a new app', async () => {
  const token = await own.signIn({ code: RECOVERY_CODE });
  if (token === null) throw new Error('the recovery code was rejected');
  Object.assign(own.dashboard.user, { token, cookie: `ringkey=${token}` });
  const { setupToken, key } = offeredIn(await own.startApp());
  expect((await own.confirmApp(setupToken, { code: codeOf(key) })).status).toBe(303);
  expect(await own.signIn({ code: codeOf(key, 1) })).not.toBeNull();
});

it('lets a locked user without any sign-in method set up new ones with an owner’s link', async () => {
  const user = own.user;
  await Promise.all(Array.from({ length: 10 }, () => own.signIn({ password: 'not the password' })));
  await own.dashboard.as('owner', user.accountId);
  const page = `/test/setup/users/${user.id}`;
  expect((await own.dashboard.get(page)).html).toContain('Locked until');
  const { html } = await own.dashboard.submit(page, `${page}/link`);
  const url = own.dashboard.api.url + (/\/dashboard\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? '');
  const { key } = offeredIn({ html: await (await fetch(url)).text() });
  const body = new URLSearchParams({ password: OTHER_PASSWORD, code: codeOf(key) });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  own.dashboard.user.user = user;
  expect(await own.signIn({})).toBeNull();
  expect(await own.signIn({ password: OTHER_PASSWORD, code: codeOf(key, 1) })).not.toBeNull();
  expect((await auditOf(own.database, user)).filter((line) => /locked|invited|changed/.test(line))).toEqual([
    'user.invited by system',
    'user.locked by system',
    'user.invited by user',
    'user.credentials_changed by user',
  ]);
});

it('lets a user with only a passkey add a password and an app, and shows recovery codes', async () => {
  await own.dashboard.as('viewer', own.user.accountId);
  expect((await own.dashboard.get(NEW_PASSWORD)).status).toBe(404);
  expect((await own.changePassword()).status).toBe(404);
  const { setupToken, key } = offeredIn(await own.dashboard.submit(NEW_APP, NEW_APP));
  const weak = await own.confirmApp(setupToken, { code: codeOf(key), password: 'short' });
  expect([weak.status, faultAt(weak, 'password')]).toEqual([422, expect.stringContaining('12 characters')]);
  const answer = await own.confirmApp(setupToken, { code: codeOf(key), password: OTHER_PASSWORD });
  expect(answer.status).toBe(200);
  expect([...answer.html.matchAll(/<code>([a-z2-9]{4}(?:-[a-z2-9]{4}){3})<\/code>/g)]).toHaveLength(10);
  const { html } = await own.dashboard.get(HERE);
  expect(FORM_TOKEN.exec(answer.html)?.[1], 'the forms of this page stay valid').toBe(FORM_TOKEN.exec(html)?.[1]);
  expect(await own.signIn({ password: OTHER_PASSWORD, code: codeOf(key, 1) })).not.toBeNull();
  expect(await own.auditEntries('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
});

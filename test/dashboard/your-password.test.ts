/** Changing the own password: which sessions it ends, who cannot, and concurrent requests. */
import { expect, it } from 'vitest';
import { openInvitation } from '../../src/accounts/users/accept-invitation.ts';
import { inviteAgain } from '../../src/accounts/users/manage.ts';
import { changeOwnPassword } from '../../src/accounts/users/own-password.ts';
import { actorOfUser } from '../../src/accounts/users/sessions.ts';
import { signInWithPassword } from '../../src/accounts/users/sign-in-password.ts';
import type { Database } from '../../src/db/pool.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import {
  codeOf,
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
  vault,
} from './own-credentials.ts';
import { newSession } from './users.ts';

const own = new OwnCredentials();

it('ends the sessions of other browsers with a new password, and keeps this one', async () => {
  const other = await newSession(own.database, own.user);
  const answer = await own.changePassword();
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard${HERE}?notice=password`]);
  expect((await own.dashboard.get(`${HERE}?notice=password`)).html).toContain('Password changed');
  expect([await own.isActive(other), await own.isActive(own.dashboard.user)]).toEqual([false, true]);
  expect(await own.signIn({ password: PASSWORD })).toBeNull();
  expect(await own.signIn({ password: OTHER_PASSWORD })).not.toBeNull();
  expect(await own.auditEntries('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
  const { rows } = await own.database.query('select password_hash from users where id = $1', [own.user.id]);
  expect(JSON.stringify(rows)).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const text of [PASSWORD, OTHER_PASSWORD]) expect(own.dashboard.api.log.join('')).not.toContain(text);
});

it('invalidates copies of the cookie with a new password, and with a new app', async () => {
  const copied = { ...own.dashboard.user };
  const answer = await own.changePassword();
  expect(answer.headers.get('set-cookie')).toMatch(/^ringkey=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  expect([await own.isActive(copied), await own.isActive(own.dashboard.user)]).toEqual([false, true]);
  const after = { ...own.dashboard.user };
  const { setupToken, key } = offeredIn(await own.startApp({ current: OTHER_PASSWORD }));
  expect((await own.confirmApp(setupToken, { code: codeOf(key) })).status).toBe(303);
  expect([await own.isActive(after), await own.isActive(own.dashboard.user)]).toEqual([false, true]);
});

it('invalidates an open invitation link with a new password', async () => {
  const { accountId, id: userId } = own.user;
  const { token } = await inviteAgain(own.database, SYSTEM, { accountId, userId });
  expect((await own.changePassword()).status).toBe(303);
  expect(await openInvitation(own.database, token)).toBeNull();
});

it('counts a wrong current password toward the lock, also for many attempts at once', async () => {
  const wrong = await own.changePassword({ current: 'not the password' });
  expect(wrong.status).toBe(422);
  expect(faultAt(wrong, 'current')).toContain('This is not your current password.');
  expect(wrong.html).toMatch(/id="current"[^>]*aria-describedby="current-fault"[^>]*aria-invalid/);
  await Promise.all(Array.from({ length: 12 }, () => own.changePassword({ current: 'not the password' })));
  expect((await own.changePassword()).status).toBe(422);
  expect((await own.startApp()).status).toBe(422);
  expect(await own.signIn({})).toBeNull();
  expect(await own.auditEntries('user.sign_in_failed')).toHaveLength(10);
  expect(await own.auditEntries('user.locked')).toEqual(['user.locked by user']);
  expect(await own.auditEntries('user.credentials_changed')).toEqual([]);
});

it('keeps counting failures of the sign-in page after the right current password', async () => {
  await Promise.all(Array.from({ length: 9 }, () => own.signIn({ password: 'not the password' })));
  expect(faultAt(await own.changePassword({ password: 'short' }), 'current')).toBeNull();
  expect((await own.startApp()).status).toBe(200);
  expect(await own.signIn({ password: 'not the password' })).toBeNull();
  expect(await own.auditEntries('user.locked')).toEqual(['user.locked by system']);
});

it.each([
  ['short', 'Use 12 characters or more.'],
  ['password1234', 'Attackers try this password early'],
  [PASSWORD, 'This is the password that you have'],
])('rejects the new password %s', async (password, message) => {
  const answer = await own.changePassword({ password });
  expect([answer.status, faultAt(answer, 'password')]).toEqual([422, expect.stringContaining(message)]);
  expect(await own.signIn({})).not.toBeNull();
  expect(await own.auditEntries('user.credentials_changed')).toEqual([]);
});

it('starts no session for a sign-in with the old password that was in progress', async () => {
  const { user, token } = own.dashboard.user;
  const session = await own.session(token);
  const changing: Database = {
    ...own.database,
    query: own.database.query.bind(own.database),
    async transaction(work) {
      const given = { current: PASSWORD, password: OTHER_PASSWORD };
      await changeOwnPassword(own.database, actorOfUser(user.id, FROM), session, given);
      return own.database.transaction(work);
    },
  };
  const given = { email: user.email, password: PASSWORD, code: codeOf(own.secret) };
  expect(await signInWithPassword({ database: changing, vault, now }, given, FROM)).toBeNull();
  expect(await own.signIn({ password: OTHER_PASSWORD })).not.toBeNull();
});

it('keeps one of two new passwords from two browsers at once, and signs the other browser out', async () => {
  const first = { ...own.dashboard.user };
  const second = await newSession(own.database, own.user);
  const wanted = ['nine blue mountains', 'eleven red valleys'];
  const answers = await Promise.all(
    [first, second].map(async ({ token }, at) => {
      const session = await own.session(token);
      const given = { current: PASSWORD, password: wanted[at] ?? '' };
      return changeOwnPassword(own.database, actorOfUser(own.user.id, FROM), session, given);
    }),
  );
  const at = answers.findIndex(({ kind }) => kind === 'changed');
  const changed = answers.flatMap((answer) => (answer.kind === 'changed' ? [answer.signedIn] : []));
  expect(changed).toHaveLength(1);
  for (const signedIn of changed) expect(await own.isActive(signedIn)).toBe(true);
  expect([await own.isActive(first), await own.isActive(second)]).toEqual([false, false]);
  expect(await own.signIn({ password: wanted[at] ?? '' })).not.toBeNull();
});

it.each([NEW_PASSWORD, NEW_APP])('requires the form token, a recent sign-in and a user for %s', async (path) => {
  const fields = { current: PASSWORD, password: OTHER_PASSWORD };
  expect((await own.dashboard.submit(path, path, { ...fields, form_token: 'made up' })).status).toBe(403);
  await own.database.query(`update user_sessions set created_at = now() - interval '16 minutes' where user_id = $1`, [
    own.user.id,
  ]);
  expect((await own.dashboard.get(path)).html).toContain('Sign in again');
  const late = await own.dashboard.submit(path, path, fields);
  expect(late.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
  expect((await own.dashboard.get(path, { cookie: '' })).status).toBe(404);
  expect(await own.auditEntries('user.credentials_changed')).toEqual([]);
});

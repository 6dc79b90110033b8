/** One's own password and authenticator app: replacing them, what that ends, and who cannot. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { replaceRecoveryCodes, setPassword } from '../../src/db/users/credentials.ts';
import type { Database } from '../../src/db/pool.ts';
import type { User } from '../../src/domain/user.ts';
import { recoveryHashes } from '../../src/users/accept-invitation.ts';
import { beginNewAuthenticator, confirmNewAuthenticator } from '../../src/users/new-authenticator.ts';
import { changeOwnPassword } from '../../src/users/own-password.ts';
import { hashPassword } from '../../src/users/password.ts';
import { actorOfUser, findSessionByToken } from '../../src/users/sessions.ts';
import { signInWithPassword } from '../../src/users/sign-in-password.ts';
import { newTotpSecret, totpContext } from '../../src/users/totp.ts';
import { createVault } from '../../src/vault/vault.ts';
import { FORM_TOKEN, type PageAnswer, startDashboard, type TestDashboard } from './dashboard.ts';
import { auditOf, newAccount, newSession, type SignedInUser } from './users.ts';

const HERE = '/test/your-sign-in';
const NEW_PASSWORD = `${HERE}/new-password`;
const NEW_APP = `${HERE}/new-authenticator`;
const PASSWORD = 'seven green rivers';
const OTHER = 'nine blue mountains';
const RECOVERY_CODE = 'abcd-efgh-jkmn-pqrs';
/** The middle of a code's 30 seconds: for authenticator apps time stands still. */
const NOW_MS = Math.floor(Date.now() / 30_000) * 30_000 + 15_000;
const FROM = { source: '127.0.0.1', requestId: null };

const vault = createVault([Buffer.alloc(32, 7)]);
const now = () => new Date(NOW_MS);
let dashboard: TestDashboard;
let database: Database;
/** Of the app that the user has. */
let secret: string;

beforeAll(async () => {
  dashboard = await startDashboard({ vault, now });
  database = dashboard.api.database;
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  await dashboard.as('viewer', await newAccount(database));
  secret = await givePassword(own());
});

const own = () => dashboard.user.user;

async function givePassword(user: User): Promise<string> {
  const made = newTotpSecret();
  const totpSecret = vault.seal(made, totpContext(user.id));
  await setPassword(database, user.id, { passwordHash: await hashPassword(PASSWORD), totpSecret, totpStep: 1 });
  await replaceRecoveryCodes(database, user.id, recoveryHashes(user, [RECOVERY_CODE]));
  return made;
}

/** @param steps of 30 seconds from now */
const codeOf = (base32: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: NOW_MS + steps * 30_000 });

/** @returns the session's token; null where nobody is let in */
async function signIn(fields: { password?: string; code?: string }): Promise<string | null> {
  const body = new URLSearchParams({ email: own().email, password: PASSWORD, code: codeOf(secret), ...fields });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const url = `${dashboard.api.url}/dashboard/sign-in`;
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
  return /^ringkey=([\w-]{43});/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? null;
}

const changePassword = (fields: Record<string, string> = {}) =>
  dashboard.submit(NEW_PASSWORD, NEW_PASSWORD, { current: PASSWORD, password: OTHER, ...fields });
const beginApp = (fields: Record<string, string> = {}) =>
  dashboard.submit(NEW_APP, NEW_APP, { current: PASSWORD, ...fields });
const confirmApp = (begun: string, fields: Record<string, string>) =>
  dashboard.submit(NEW_APP, NEW_APP, { begun, ...fields });

/** What the page with the key holds. */
function offeredIn({ html }: PageAnswer): { begun: string; key: string } {
  const begun = /name="begun" value="([\w-]{43})"/.exec(html)?.[1] ?? '';
  const key = /<code>((?:[A-Z2-7]{1,4} ?)+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
  return { begun, key };
}

const written = async (action: string) => (await auditOf(database, own())).filter((line) => line.startsWith(action));
const lasts = async ({ token }: Pick<SignedInUser, 'token'>) => (await findSessionByToken(database, token)) !== null;
const faultAt = ({ html }: PageAnswer, field: string) =>
  new RegExp(`id="${field}-fault">([^<]+)<`).exec(html)?.[1] ?? null;
/** The session began long ago, and was used until now. */
const age = () =>
  database.query(`update user_sessions set created_at = now() - interval '16 minutes' where user_id = $1`, [own().id]);

it('a new password ends the sessions in other browsers, and this one stays', async () => {
  const other = await newSession(database, own());
  const answer = await changePassword();
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard${HERE}?notice=password`]);
  expect((await dashboard.get(`${HERE}?notice=password`)).html).toContain('The password is changed');
  expect([await lasts(other), await lasts(dashboard.user)]).toEqual([false, true]);
  expect(await signIn({ password: PASSWORD })).toBeNull();
  expect(await signIn({ password: OTHER })).not.toBeNull();
  expect(await written('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
  const { rows } = await database.query('select password_hash from users where id = $1', [own().id]);
  expect(JSON.stringify(rows)).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const text of [PASSWORD, OTHER]) expect(dashboard.api.log.join('')).not.toContain(text);
});

it('whoever has a copy of the cookie is out with the new password, and with the new app', async () => {
  const copied = { ...dashboard.user };
  const answer = await changePassword();
  expect(answer.headers.get('set-cookie')).toMatch(/^ringkey=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  expect([await lasts(copied), await lasts(dashboard.user)]).toEqual([false, true]);
  const after = { ...dashboard.user };
  const { begun, key } = offeredIn(await beginApp({ current: OTHER }));
  expect((await confirmApp(begun, { code: codeOf(key) })).status).toBe(303);
  expect([await lasts(after), await lasts(dashboard.user)]).toEqual([false, true]);
});

it('a wrong current password counts toward the lock, also when many are tried at once', async () => {
  const wrong = await changePassword({ current: 'not the password' });
  expect(wrong.status).toBe(422);
  expect(faultAt(wrong, 'current')).toContain('This is not your current password.');
  expect(wrong.html).toMatch(/id="current"[^>]*aria-describedby="current-fault"[^>]*aria-invalid/);
  await Promise.all(Array.from({ length: 12 }, () => changePassword({ current: 'not the password' })));
  expect((await changePassword()).status).toBe(422);
  expect((await beginApp()).status).toBe(422);
  expect(await signIn({})).toBeNull();
  expect(await written('user.sign_in_failed')).toHaveLength(10);
  expect(await written('user.locked')).toEqual(['user.locked by user']);
  expect(await written('user.credentials_changed')).toEqual([]);
});

it('the right one takes back its own try alone: what was tried at the sign-in page stays counted', async () => {
  await Promise.all(Array.from({ length: 9 }, () => signIn({ password: 'not the password' })));
  expect(faultAt(await changePassword({ password: 'short' }), 'current')).toBeNull();
  expect((await beginApp()).status).toBe(200);
  expect(await signIn({ password: 'not the password' })).toBeNull();
  expect(await written('user.locked')).toEqual(['user.locked by system']);
});

it.each([
  ['short', 'Use 12 characters or more.'],
  ['password1234', 'Attackers try this password early'],
  [PASSWORD, 'This is the password that you have'],
])('the new password %s is not taken', async (password, message) => {
  const answer = await changePassword({ password });
  expect([answer.status, faultAt(answer, 'password')]).toEqual([422, expect.stringContaining(message)]);
  expect(await signIn({})).not.toBeNull();
  expect(await written('user.credentials_changed')).toEqual([]);
});

it('a sign-in with the old password that was under way begins no session', async () => {
  const { user, token } = dashboard.user;
  const session = await findSessionByToken(database, token);
  if (session === null) throw new Error('no session');
  const changing: Database = {
    ...database,
    query: database.query.bind(database),
    async transaction(work) {
      const given = { current: PASSWORD, password: OTHER };
      await changeOwnPassword(database, actorOfUser(user.id, FROM), session, given);
      return database.transaction(work);
    },
  };
  const given = { email: user.email, password: PASSWORD, code: codeOf(secret) };
  expect(await signInWithPassword({ database: changing, vault, now }, given, FROM)).toBeNull();
  expect(await signIn({ password: OTHER })).not.toBeNull();
});

it('of two new passwords at once in two browsers one holds, and the other browser is signed out', async () => {
  const first = { ...dashboard.user };
  const second = await newSession(database, own());
  const wanted = ['nine blue mountains', 'eleven red valleys'];
  const answers = await Promise.all(
    [first, second].map(async ({ token }, at) => {
      const session = await findSessionByToken(database, token);
      if (session === null) throw new Error('no session');
      const given = { current: PASSWORD, password: wanted[at] ?? '' };
      return changeOwnPassword(database, actorOfUser(own().id, FROM), session, given);
    }),
  );
  const at = answers.findIndex(({ kind }) => kind === 'changed');
  const changed = answers.flatMap((answer) => (answer.kind === 'changed' ? [answer.signedIn] : []));
  expect(changed).toHaveLength(1);
  for (const signedIn of changed) expect(await lasts(signedIn)).toBe(true);
  expect([await lasts(first), await lasts(second)]).toEqual([false, false]);
  expect(await signIn({ password: wanted[at] ?? '' })).not.toBeNull();
});

it('the old app is good until the new one has shown a code, and no more then', async () => {
  const other = await newSession(database, own());
  const page = await beginApp();
  const { begun, key } = offeredIn(page);
  expect(page.html).toContain('role="img" aria-label="QR code of the key"');
  expect(await signIn({ code: codeOf(secret, -1) })).not.toBeNull();

  const wrong = await confirmApp(begun, { code: codeOf(secret) });
  expect([wrong.status, faultAt(wrong, 'code')]).toEqual([422, expect.stringContaining('not the code of this moment')]);
  expect(offeredIn(wrong)).toEqual({ begun, key });
  expect(await signIn({ code: codeOf(secret) })).not.toBeNull();

  const answer = await confirmApp(begun, { code: codeOf(key) });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard${HERE}?notice=authenticator`]);
  expect([await lasts(other), await lasts(dashboard.user)]).toEqual([false, true]);
  expect(await signIn({ code: codeOf(secret, 1) })).toBeNull();
  expect(await signIn({ code: codeOf(key) }), 'the code that has set it up').toBeNull();
  expect(await signIn({ code: codeOf(key, 1) })).not.toBeNull();
  expect(await written('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
});

it('its key is sealed while it waits, is shown to nobody else, and is good once', async () => {
  const { begun, key } = offeredIn(await beginApp());
  const { rows } = await database.query<{ text: string }>(
    `select facts::text as text from sign_in_attempts where facts->>'userId' = $1`,
    [own().id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain(key);
  const code = codeOf(key);
  const answers = await Promise.all([confirmApp(begun, { code }), confirmApp(begun, { code })]);
  // The other one is refused, or came with the cookie from before.
  expect(answers.filter(({ headers }) => headers.get('location')?.includes('notice=authenticator'))).toHaveLength(1);
  const again = await confirmApp(begun, { code: codeOf(key, 1) });
  expect([again.status, again.html]).toEqual([422, expect.stringContaining('Start again')]);
  expect(await written('user.credentials_changed')).toHaveLength(1);
  expect(dashboard.api.log.join('')).not.toContain(key);
});

it('a key that was offered before the encryption key was replaced is kept under the new one', async () => {
  const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  const session = await findSessionByToken(database, dashboard.user.token);
  if (session === null) throw new Error('no session');
  const by = actorOfUser(session.userId, FROM);
  const offered = await beginNewAuthenticator(
    { database, vault, now },
    by,
    session,
    { ...own(), hasPassword: true },
    PASSWORD,
  );
  const given = { token: offered?.token ?? '', code: codeOf(offered?.secret ?? ''), password: '' };
  const both = createVault([newKey, oldKey]);
  expect(await confirmNewAuthenticator({ database, vault: both, now }, by, session, given)).toMatchObject({
    kind: 'changed',
  });
  const { rows } = await database.query('select totp_secret as sealed from users where id = $1', [session.userId]);
  expect(createVault([newKey]).open(String(rows[0]?.sealed), totpContext(session.userId))).toBe(offered?.secret);
});

it.each([
  ['begun in another session', async () => Object.assign(dashboard.user, await newSession(database, own()))],
  ['begun by another user', async () => dashboard.as('viewer', own().accountId)],
  ['of long ago', () => database.query('update sign_in_attempts set expires_at = now()')],
])('a key %s is not taken', async (_, happen) => {
  const user = own();
  const { begun, key } = offeredIn(await beginApp());
  await happen();
  const answer = await confirmApp(begun, { code: codeOf(key), password: OTHER });
  expect([answer.status, answer.html]).toEqual([422, expect.stringContaining('Start again')]);
  expect(answer.html).not.toContain(key);
  for (const each of [user, own()])
    expect((await auditOf(database, each)).join()).not.toContain('user.credentials_changed');
});

it('asks for the current password before it shows a key', async () => {
  const answer = await beginApp({ current: 'not the password' });
  expect([answer.status, offeredIn(answer).begun]).toEqual([422, '']);
  expect(faultAt(answer, 'current')).toContain('This is not your current password.');
  expect(await written('user.sign_in_failed')).toEqual(['user.sign_in_failed by user']);
});

it('somebody who has lost the app signs in with a recovery code, and sets up a new one', async () => {
  const token = await signIn({ code: RECOVERY_CODE });
  if (token === null) throw new Error('the recovery code was not taken');
  Object.assign(dashboard.user, { token, cookie: `ringkey=${token}` });
  const { begun, key } = offeredIn(await beginApp());
  expect((await confirmApp(begun, { code: codeOf(key) })).status).toBe(303);
  expect(await signIn({ code: codeOf(key, 1) })).not.toBeNull();
});

it('an owner’s link lets in somebody who is locked, and has lost every way in', async () => {
  const user = own();
  await Promise.all(Array.from({ length: 10 }, () => signIn({ password: 'not the password' })));
  await dashboard.as('owner', user.accountId);
  const page = `/test/setup/users/${user.id}`;
  expect((await dashboard.get(page)).html).toContain('Locked until');
  const { html } = await dashboard.submit(page, `${page}/link`);
  const url = dashboard.api.url + (/\/dashboard\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? '');
  const { key } = offeredIn({ status: 200, headers: new Headers(), html: await (await fetch(url)).text() });
  const body = new URLSearchParams({ password: OTHER, code: codeOf(key) });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  dashboard.user.user = user;
  expect(await signIn({})).toBeNull();
  expect(await signIn({ password: OTHER, code: codeOf(key, 1) })).not.toBeNull();
  expect((await auditOf(database, user)).filter((line) => /locked|invited|changed/.test(line))).toEqual([
    ...['user.invited by system', 'user.locked by system', 'user.invited by user', 'user.credentials_changed by user'],
  ]);
});

it('a user with a passkey alone adds a password and an app, and is given recovery codes', async () => {
  await dashboard.as('viewer', own().accountId);
  expect((await dashboard.get(NEW_PASSWORD)).status).toBe(404);
  expect((await changePassword()).status).toBe(404);
  const { begun, key } = offeredIn(await dashboard.submit(NEW_APP, NEW_APP));
  const weak = await confirmApp(begun, { code: codeOf(key), password: 'short' });
  expect([weak.status, faultAt(weak, 'password')]).toEqual([422, expect.stringContaining('12 characters')]);
  const answer = await confirmApp(begun, { code: codeOf(key), password: OTHER });
  expect(answer.status).toBe(200);
  expect([...answer.html.matchAll(/<code>([a-z2-9]{4}(?:-[a-z2-9]{4}){3})<\/code>/g)]).toHaveLength(10);
  const { html } = await dashboard.get(HERE);
  expect(FORM_TOKEN.exec(answer.html)?.[1], 'the forms of this page go on').toBe(FORM_TOKEN.exec(html)?.[1]);
  expect(await signIn({ password: OTHER, code: codeOf(key, 1) })).not.toBeNull();
  expect(await written('user.credentials_changed')).toEqual(['user.credentials_changed by user']);
});

it.each([NEW_PASSWORD, NEW_APP])('%s takes the token of the form, a recent sign-in, and a user', async (path) => {
  const fields = { current: PASSWORD, password: OTHER };
  expect((await dashboard.submit(path, path, { ...fields, form_token: 'made up' })).status).toBe(403);
  await age();
  expect((await dashboard.get(path)).html).toContain('Sign in once more');
  const late = await dashboard.submit(path, path, fields);
  expect(late.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
  expect((await dashboard.get(path, { cookie: '' })).status).toBe(404);
  expect(await written('user.credentials_changed')).toEqual([]);
});

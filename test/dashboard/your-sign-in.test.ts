/** The page "Your sign-in": passkeys, recovery codes and sessions, also in a browser with a virtual authenticator. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openInvitation } from '../../src/accounts/users/accept-invitation.ts';
import { inviteAgain } from '../../src/accounts/users/manage.ts';
import { addOwnPasskey, removeOwnPasskey, renewRecoveryCodes } from '../../src/accounts/users/own-credentials.ts';
import { actorOfUser, findSessionByToken, type UserSession } from '../../src/accounts/users/sessions.ts';
import { countRecoveryCodes, setPassword } from '../../src/db/users/credentials.ts';
import { insertPasskey, listPasskeys } from '../../src/db/users/passkeys.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { User } from '../../src/domain/user.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { auditOf, newAccount, newSession, signedInUser } from './users.ts';

const HERE = '/test/your-sign-in';
const CODE = /<code>([a-z2-9]{4}(?:-[a-z2-9]{4}){3})<\/code>/g;

const chrome = useFixture(startTestBrowser);
let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());
beforeEach(async () => dashboard.as('viewer', await newAccount(dashboard.api.database)));

const own = () => dashboard.user.user;
const passkeys = async (user = own()) => (await listPasskeys(dashboard.api.database, user.id)).map(({ name }) => name);

/** Gives the user a passkey without a private key. @returns its ID */
async function givePasskey({ id: userId }: User, name: string): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const passkey = { id, userId, name, publicKey: randomBytes(32), counter: 0, transports: [] };
  await insertPasskey(dashboard.api.database, passkey);
  return id;
}
const givePassword = ({ id }: User) =>
  setPassword(dashboard.api.database, id, { passwordHash: 'a hash', totpSecret: 'sealed', totpStep: 1 });
const remove = (passkey: string, fields = {}) =>
  dashboard.submit(HERE, `${HERE}/remove-passkey`, { passkey, ...fields });
const changes = async () =>
  (await auditOf(dashboard.api.database, own())).filter((line) => line.includes('credentials_changed'));
/** Makes the user's sessions 16 minutes old. They still count as active. */
const ageSessions = () =>
  dashboard.api.database.query(
    `update user_sessions set created_at = now() - interval '16 minutes' where user_id = $1`,
    [own().id],
  );

const BY_OWN = () => actorOfUser(own().id, { source: null, requestId: null });
async function ownSession(): Promise<UserSession> {
  const session = await findSessionByToken(dashboard.api.database, dashboard.user.token);
  if (session === null) throw new Error('the session has ended');
  return session;
}

it('lists and removes passkeys, but not the only way to sign in', async () => {
  const [laptop, phone] = [await givePasskey(own(), 'Laptop <b>'), await givePasskey(own(), 'Phone')];
  expect((await dashboard.get(HERE)).html).toContain('Laptop &lt;b>');
  expect((await dashboard.get(`${HERE}/remove-passkey?passkey=${laptop}`)).html).toContain('Remove Laptop &lt;b>?');
  expect((await remove(laptop)).status).toBe(303);
  expect(await passkeys()).toEqual(['Phone']);
  const last = await remove(phone);
  expect(last.status).toBe(422);
  expect(last.html).toContain('This is your only way to sign in');
  expect(await passkeys()).toEqual(['Phone']);
  await givePassword(own());
  expect((await remove(phone)).status).toBe(303);
  expect(await passkeys()).toEqual([]);
  expect(await changes()).toHaveLength(2);
});

it('keeps one of two passkeys that are removed at once', async () => {
  const ids = [await givePasskey(own(), 'One'), await givePasskey(own(), 'Two')];
  const { database } = dashboard.api;
  const session = await ownSession();
  const removals = await Promise.all(ids.map((id) => removeOwnPasskey(database, BY_OWN(), session, id)));
  expect(removals.map(({ kind }) => kind).sort()).toEqual(['last', 'removed']);
  expect(await passkeys()).toHaveLength(1);
});

it('ends all other sessions and open links when a passkey is removed', async () => {
  const { database } = dashboard.api;
  const [lost] = [await givePasskey(own(), 'Stolen laptop'), await givePasskey(own(), 'Phone')];
  const { accountId, id: userId } = own();
  const [elsewhere, copied] = [await newSession(database, own()), dashboard.user.token];
  const { token: link } = await inviteAgain(database, SYSTEM, { accountId, userId });
  expect((await dashboard.get(`${HERE}/remove-passkey?passkey=${lost}`)).html).toContain(
    'signed out in all other browsers',
  );
  const answer = await remove(lost);
  expect(answer.headers.get('location')).toContain('notice=removed');
  for (const token of [elsewhere.token, copied]) expect(await findSessionByToken(database, token)).toBeNull();
  expect(await openInvitation(database, link)).toBeNull();
  expect((await dashboard.get(`${HERE}?notice=removed`)).html).toContain('signed out everywhere else');
});

it('changes nothing for a session that ended during the request', async () => {
  const { database } = dashboard.api;
  const session = await ownSession();
  const id = await givePasskey(own(), 'Mine');
  await givePassword(own());
  await database.query('delete from user_sessions where id = $1', [session.sessionId]);
  const passkey = { id: 'another', publicKey: randomBytes(32), counter: 0, transports: [], name: 'Theirs' };
  expect(await addOwnPasskey(database, BY_OWN(), session, passkey)).toBe(false);
  expect(await removeOwnPasskey(database, BY_OWN(), session, id)).toEqual({ kind: 'missing' });
  expect(await renewRecoveryCodes(database, BY_OWN(), session)).toBeNull();
  expect(await passkeys()).toEqual(['Mine']);
});

it('neither shows nor removes passkeys of another user', async () => {
  const { user: secondUser } = await signedInUser(dashboard.api.database, 'owner', own().accountId);
  await givePasskey(own(), 'Mine');
  const otherPasskey = await givePasskey(secondUser, 'Theirs');
  expect((await dashboard.get(HERE)).html).not.toContain('Theirs');
  expect((await dashboard.get(`${HERE}/remove-passkey?passkey=${otherPasskey}`)).status).toBe(404);
  expect((await remove(otherPasskey)).status).toBe(404);
  expect(await passkeys(secondUser)).toEqual(['Theirs']);
});

it('creates new recovery codes for users with an authenticator app, and shows them once', async () => {
  expect((await dashboard.submit(HERE, `${HERE}/recovery-codes`)).status).toBe(404);
  await givePassword(own());
  const codes = async () => {
    const { html } = await dashboard.submit(HERE, `${HERE}/recovery-codes`);
    return [...html.matchAll(CODE)].map(([, code]) => code);
  };
  const [first, second] = [await codes(), await codes()];
  expect(new Set([...first, ...second]).size).toBe(20);
  expect(await countRecoveryCodes(dashboard.api.database, own().id)).toBe(10);
  expect((await dashboard.get(HERE)).html).toContain('10 left');
  expect(await changes()).toHaveLength(2);
});

it('lists the sessions, and signs out everywhere', async () => {
  const { token } = await newSession(dashboard.api.database, own());
  const { html } = await dashboard.get(HERE);
  expect(html).toContain('This browser');
  expect(html).toContain('Another browser');
  expect((await dashboard.submit(HERE, '/sign-out', { everywhere: '1' })).status).toBe(303);
  for (const each of [token, dashboard.user.token]) {
    expect(await findSessionByToken(dashboard.api.database, each)).toBeNull();
  }
});

it.each(['remove-passkey', 'recovery-codes'])('requires the form token for %s', async (action) => {
  await givePassword(own());
  const passkey = await givePasskey(own(), 'Mine');
  const fields = { form_token: 'made up', passkey };
  expect((await dashboard.submit(HERE, `${HERE}/${action}`, fields)).status).toBe(403);
  expect(await changes()).toEqual([]);
});

it('requires a recent sign-in for changes', async () => {
  await givePassword(own());
  const passkey = await givePasskey(own(), 'Mine');
  await ageSessions();
  const { html } = await dashboard.get(HERE);
  expect(html).toContain('Sign in again');
  expect(html).not.toContain('Create passkey');
  for (const action of ['remove-passkey', 'recovery-codes']) {
    const answer = await dashboard.submit(HERE, `${HERE}/${action}`, { passkey });
    expect(answer.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
  }
  expect((await dashboard.submit(HERE, '/sign-in/own-passkey')).status).toBe(403);
  expect(await changes()).toEqual([]);
});

it('creates no passkey without the form token, and does not exist for the demo', async () => {
  const forged = await dashboard.submit(HERE, '/sign-in/own-passkey', { form_token: 'made up' });
  expect(forged.status).toBe(403);
  expect((await dashboard.get(HERE, { cookie: '' })).status).toBe(404);
});

it('creates a named passkey in a browser, and signs in with it', async () => {
  const url = dashboard.api.url.replace('127.0.0.1', 'localhost');
  const context = await chrome.browser.newContext();
  try {
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
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
    await page.goto(`${url}/dashboard${HERE}`);
    await page.getByLabel('Name of the new passkey').fill('Work laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByText('Passkey created').waitFor();
    await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor();
    expect(await changes()).toEqual(['user.credentials_changed by user']);

    await context.clearCookies();
    await page.goto(`${url}/dashboard/sign-in?next=/dashboard${HERE}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
    expect(await page.locator('main').textContent()).toContain(own().email);
  } finally {
    await context.close();
  }
});

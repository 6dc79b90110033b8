/** The users' pages under Settings: owners, other roles, other accounts, the last owner, sign-ins that are not recent. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listUsers } from '../../src/accounts/users/manage.ts';
import type { User } from '../../src/domain/user.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { auditOf, invitedUser, newAccount, signedInUser } from './users.ts';

const LIST = '/test/setup/users';
const LINK = /http:\/\/[^"<\s]+\/dashboard\/invitation\/[\w-]{43}/;

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());
beforeEach(async () => dashboard.as('owner', await newAccount(dashboard.api.database)));

const users = () => listUsers(dashboard.api.database, dashboard.user.user.accountId);
const reread = async ({ id }: User) => (await users()).find((user) => user.id === id);
const secondUser = async (role: 'owner' | 'support' = 'support') =>
  (await signedInUser(dashboard.api.database, role, dashboard.user.user.accountId)).user;
/** Makes the session 16 minutes old. It still counts as active. */
const ageSession = () =>
  dashboard.api.database.query(
    `update user_sessions set created_at = now() - interval '16 minutes' where user_id = $1`,
    [dashboard.user.user.id],
  );

it('invites a user, and shows a working link once', async () => {
  const fields = { email: 'Anna@Example.com', name: 'Anna <b>', role: 'support', access: 'all' };
  const made = await dashboard.submit(`${LIST}/new`, `${LIST}/new`, fields);
  expect(made.status).toBe(200);
  const link = LINK.exec(made.html)?.[0] ?? '';
  const opened = await fetch(link.replace('127.0.0.1', 'localhost'));
  expect(await opened.text()).toContain('anna@example.com');
  const list = await dashboard.get(LIST);
  expect(list.html).toContain('Anna &lt;b>');
  expect(list.html).not.toContain(link);
  const anna = (await users()).find(({ email }) => email === 'anna@example.com');
  expect(anna).toMatchObject({ name: 'Anna <b>', role: 'support' });
  expect(await auditOf(dashboard.api.database, { id: anna?.id ?? dashboard.user.user.id })).toEqual([
    'user.created by user',
    'user.invited by user',
  ]);
});

it.each([
  ['a malformed address', { email: 'nobody', role: 'viewer', access: 'all' }, 422],
  ['an unknown role', { email: 'x@example.com', role: 'admin', access: 'all' }, 400],
])('rejects an invitation with %s', async (_what, fields, status) => {
  const answer = await dashboard.submit(`${LIST}/new`, `${LIST}/new`, fields);
  expect(answer.status).toBe(status);
  expect(await users()).toHaveLength(1);
});

it('says at the field that the account already has a user with this address', async () => {
  const { email } = dashboard.user.user;
  const answer = await dashboard.submit(`${LIST}/new`, `${LIST}/new`, { email, role: 'viewer', access: 'all' });
  expect(answer.status).toBe(422);
  expect(answer.html).toMatch(/id="field-email-fault">A user of this account already has this email address/);
});

it('replaces an invitation link by a new one', async () => {
  const { user, token } = await invitedUser(dashboard.api.database, 'viewer', dashboard.user.user.accountId);
  const answer = await dashboard.submit(`${LIST}/${user.id}`, `${LIST}/${user.id}/link`);
  expect(LINK.exec(answer.html)?.[0]).not.toContain(token);
  expect(
    (await fetch(`${dashboard.api.url.replace('127.0.0.1', 'localhost')}/dashboard/invitation/${token}`)).status,
  ).toBe(410);
});

it('changes a role', async () => {
  const user = await secondUser();
  const answer = await dashboard.submit(`${LIST}/${user.id}`, `${LIST}/${user.id}/role`, { role: 'viewer' });
  expect(answer.headers.get('location')).toBe(`/dashboard${LIST}/${user.id}?notice=role`);
  expect(await reread(user)).toMatchObject({ role: 'viewer' });
});

it('asks by name before removing a user, then ends the sessions of the user', async () => {
  const user = await secondUser();
  const path = `${LIST}/${user.id}/remove`;
  const confirmation = await dashboard.get(path);
  expect(confirmation.html).toContain(`Remove ${user.name}?`);
  expect(await reread(user)).toBeDefined();
  expect((await dashboard.submit(path, path)).status).toBe(303);
  expect(await reread(user)).toBeUndefined();
  const sessions = 'select count(*)::integer as count from user_sessions where user_id = $1';
  expect((await dashboard.api.database.query(sessions, [user.id])).rows).toEqual([{ count: 0 }]);
});

it('neither removes nor demotes the last owner, and says why', async () => {
  const { user } = dashboard.user;
  await secondUser();
  const path = `${LIST}/${user.id}`;
  for (const [action, fields] of [
    [`${path}/role`, { role: 'viewer' }],
    [`${path}/remove`, {}],
  ] as const) {
    const answer = await dashboard.submit(path, action, fields);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('The account needs an owner');
  }
  expect(await reread(user)).toMatchObject({ role: 'owner' });
});

it.each(['developer', 'support', 'viewer'] as const)(
  'lists the users for the role %s, without letting it change them',
  async (role) => {
    const { accountId, id, email } = dashboard.user.user;
    await dashboard.as(role, accountId);
    const list = await dashboard.get(LIST);
    expect(list.html).toContain(email);
    expect(list.html).not.toContain('Invite user');
    expect((await dashboard.get(`${LIST}/${id}`)).html).not.toContain('Create new link');
    for (const path of [`${LIST}/new`, `${LIST}/${id}/remove`]) expect((await dashboard.get(path)).status).toBe(403);
    for (const action of [`${LIST}/new`, `${LIST}/${id}/role`, `${LIST}/${id}/link`, `${LIST}/${id}/remove`]) {
      const fields = { email: 'new@example.com', role: 'owner' };
      // A valid token, from a form that the role may submit.
      const answer = await dashboard.submit('/test/calls', action, fields);
      expect(answer.status, action).toBe(403);
      expect(answer.html).toContain('Only owners of the account');
    }
    expect((await users()).map((user) => user.role).sort()).toEqual(['owner', role].sort());
  },
);

it('returns 404 for users of another account', async () => {
  const { user: stranger } = await signedInUser(dashboard.api.database);
  const path = `${LIST}/${stranger.id}`;
  for (const each of [path, `${path}/remove`]) expect((await dashboard.get(each)).status).toBe(404);
  for (const action of ['role', 'link', 'remove']) {
    expect((await dashboard.submit(LIST, `${path}/${action}`, { role: 'viewer' })).status, action).toBe(404);
  }
  expect((await dashboard.get(`${LIST}/usr_nothing`)).status).toBe(404);
  expect(await auditOf(dashboard.api.database, stranger)).toEqual([
    'user.created by system',
    'user.invited by system',
    'user.signed_in by user',
  ]);
});

it('removes no user without the form token', async () => {
  const user = await secondUser();
  const answer = await dashboard.submit(LIST, `${LIST}/${user.id}/remove`, { form_token: 'made up' });
  expect(answer.status).toBe(403);
  expect(await reread(user)).toBeDefined();
});

it('requires a recent sign-in to change a role, also in test mode', async () => {
  const user = await secondUser();
  await ageSession();
  const path = `${LIST}/${user.id}`;
  const page = await dashboard.get(path);
  expect(page.html).toContain('Sign in again');
  expect(page.html).not.toContain('Create new link');
  const sent = await dashboard.submit(LIST, `${path}/role`, { role: 'owner' });
  expect(sent.status).toBe(303);
  expect(sent.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
  expect(await reread(user)).toMatchObject({ role: 'support' });
});

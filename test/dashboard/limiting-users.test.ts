/** Limiting users to merchants: the forms of owners, what is refused, and what ends with a limit. */
import { beforeEach, describe, expect, test } from 'vitest';
import { issueKey, revokeKey, rollKey } from '../../src/accounts/keys/manage.ts';
import { listUsers } from '../../src/accounts/users/manage.ts';
import { findKeyById, type StoredKey } from '../../src/db/keys/keys.ts';
import { type Actor, SYSTEM } from '../../src/domain/audit.ts';
import { type MerchantId, newId } from '../../src/domain/ids.ts';
import type { ApiKey } from '../../src/domain/key.ts';
import type { Mode } from '../../src/domain/session.ts';
import type { User } from '../../src/domain/user.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { BOOKS } from './limited.ts';
import { auditOf, newAccount, signedInUser } from './users.ts';

const LIST = '/test/setup/users';
const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const users = () => listUsers(dashboard.api.database, DEMO_ACCOUNT);
const userWith = async (email: string) => (await users()).find((user) => user.email === email);
const reread = async ({ id }: User) => (await users()).find((user) => user.id === id);
const newUser = async (role: 'support' | 'developer') =>
  (await signedInUser(dashboard.api.database, role, DEMO_ACCOUNT)).user;
async function storedKey({ id }: ApiKey): Promise<StoredKey> {
  const key = await findKeyById(dashboard.api.database, id);
  if (key === null) throw new Error('the key is missing');
  return key;
}
const change = (user: User, fields: Record<string, string>) =>
  dashboard.submit(`${LIST}/${user.id}`, `${LIST}/${user.id}/merchants`, fields);
const ONLY_BOOKS = { access: 'some', [`merchants:${BOOKS}`]: 'on' };

test('an invitation limits the user to the chosen merchants', async () => {
  const fields = { email: 'books@example.com', role: 'viewer', ...ONLY_BOOKS };
  expect((await dashboard.submit(`${LIST}/new`, `${LIST}/new`, fields)).status).toBe(200);
  expect(await userWith('books@example.com')).toMatchObject({ role: 'viewer', merchants: [BOOKS] });
  const { html } = await dashboard.get(LIST);
  expect(html).toContain('Viewer, 1 merchant');
});

test.each([
  ['without a merchant', { access: 'some', role: 'viewer' }],
  ['with a role that manages the account', { ...ONLY_BOOKS, role: 'developer' }],
  ['with an unknown merchant', { access: 'some', 'merchants:mer_unknown': 'on', role: 'viewer' }],
])('an invitation limited to merchants is refused %s', async (what, fields) => {
  const email = `${what.replaceAll(' ', '-')}@example.com`;
  const { status, html } = await dashboard.submit(`${LIST}/new`, `${LIST}/new`, { ...fields, email });
  expect(status).toBe(422);
  expect(html).toContain('Nothing was changed');
  expect(await userWith(email)).toBeUndefined();
});

test('a user is limited and unlimited, which ends the alerts and is in the audit trail', async () => {
  const { database } = dashboard.api;
  const user = await newUser('support');
  await database.query(
    `insert into alert_targets (id, account_id, mode, user_id, channel, topics, urgent_only, time_zone, summary_if_empty)
     values ('alrt_1', $1, 'test', $2, 'email', '{payments}', false, 'UTC', false)`,
    [DEMO_ACCOUNT, user.id],
  );
  const answer = await change(user, { ...ONLY_BOOKS, [`merchants:${DEMO_DINER}`]: 'on' });
  expect(answer.headers.get('location')).toContain('notice=merchants');
  expect((await reread(user))?.merchants).toEqual([BOOKS, DEMO_DINER].sort());
  const { rows } = await database.query('select from alert_targets where user_id = $1', [user.id]);
  expect(rows).toEqual([]);
  expect((await dashboard.get(`${LIST}/${user.id}`)).html).toContain('Support, 2 merchants');
  await change(user, { access: 'all' });
  expect((await reread(user))?.merchants).toBeNull();
  expect(await auditOf(database, user)).toEqual(expect.arrayContaining(['user.merchants_changed by user']));
});

test('an owner or developer is never limited, and a limited user becomes neither', async () => {
  const developer = await newUser('developer');
  for (const user of [developer, dashboard.user.user]) {
    expect((await change(user, ONLY_BOOKS)).html).toContain('Nothing was changed');
    expect((await reread(user))?.merchants).toBeNull();
  }
  const support = await newUser('support');
  await change(support, ONLY_BOOKS);
  const promoted = await dashboard.submit(`${LIST}/${support.id}`, `${LIST}/${support.id}/role`, { role: 'owner' });
  expect(promoted.html).toContain('Nothing was changed');
  expect(await reread(support)).toMatchObject({ role: 'support', merchants: [BOOKS] });
});

test('the forms that limit or remove a user name the valid keys that the user created', async () => {
  const { database } = dashboard.api;
  const user = await newUser('developer');
  const by = { kind: 'user', id: user.id, source: '127.0.0.1', requestId: null } as const;
  const issue = (actor: Actor, name: string, mode: Mode = 'test') =>
    issueKey(database, actor, { accountId: DEMO_ACCOUNT, mode }, { name });
  const kept = await issue(by, 'Kept', 'live');
  const { key: revoked } = await issue(by, 'Revoked');
  await revokeKey(database, by, await storedKey(revoked));
  await issue({ ...by, id: dashboard.user.user.id }, 'Of another user');
  const rolled = await rollKey(database, by, await storedKey((await issue(SYSTEM, 'Rolled')).key), 0);
  for (const path of [`${LIST}/${user.id}`, `${LIST}/${user.id}/remove`]) {
    const { html } = await dashboard.get(path);
    expect(html).toContain(`href="/dashboard/live/setup/keys/${kept.key.id}"`);
    expect(html).toContain(`href="/dashboard/test/setup/keys/${rolled.key.id}"`);
    for (const other of ['Revoked', 'Of another user', rolled.old.id]) expect(html).not.toContain(other);
  }
});

test('a user is not limited to merchants of another account', async () => {
  await dashboard.as('owner', await newAccount(dashboard.api.database));
  const { user } = await signedInUser(dashboard.api.database, 'viewer', dashboard.user.user.accountId);
  expect((await dashboard.get(`${LIST}/${user.id}`)).html).not.toContain('Demo Books');
  await change(user, ONLY_BOOKS);
  const [, found] = await listUsers(dashboard.api.database, user.accountId);
  expect(found).toMatchObject({ id: user.id, merchants: null });
});

test('a role below owner cannot change the merchants of a user', async () => {
  const user = await newUser('support');
  await dashboard.as('developer');
  expect((await change(user, ONLY_BOOKS)).status).toBe(403);
  expect((await reread(user))?.merchants).toBeNull();
});

test.each([
  ['without an access', {}],
  ['with an empty access', { access: '' }],
  ['with an unknown access', { access: 'none' }],
  ['with something else than a merchant', { access: 'some', 'merchants:usr_1': 'on' }],
])('a form %s neither lifts nor narrows a limit, and invites no user', async (_, given) => {
  const user = await newUser('support');
  await change(user, { ...ONLY_BOOKS, [`merchants:${DEMO_DINER}`]: 'on' });
  const fields = { [`merchants:${BOOKS}`]: 'on', ...given };
  expect((await change(user, fields)).status).toBe(400);
  expect((await reread(user))?.merchants).toEqual([BOOKS, DEMO_DINER].sort());
  const before = (await users()).length;
  const invitation = { email: 'without-access@example.com', role: 'viewer', ...fields };
  expect((await dashboard.submit(`${LIST}/new`, `${LIST}/new`, invitation)).status).toBe(400);
  expect(await users()).toHaveLength(before);
});

test('an account without merchants invites users', async () => {
  await dashboard.as('owner', await newAccount(dashboard.api.database));
  const { html } = await dashboard.get(`${LIST}/new`);
  expect(html).toContain('<input type="hidden" name="access" value="all"');
  const fields = { email: 'first@example.com', role: 'viewer', access: 'all' };
  expect((await dashboard.submit(`${LIST}/new`, `${LIST}/new`, fields)).status).toBe(200);
  const [, invited] = await listUsers(dashboard.api.database, dashboard.user.user.accountId);
  expect(invited).toMatchObject({ email: 'first@example.com', merchants: null });
});

describe('an account with 1,000 merchants', () => {
  const COUNT = 1_000;
  /** Oldest first. */
  const ids = Array.from({ length: COUNT }, () => newId('Merchant'));
  const [first, second, last] = [ids[0], ids[1], ids[COUNT - 1]] as [MerchantId, MerchantId, MerchantId];
  const SEARCH = { search_merchants: 'on' };
  const on = (...chosen: readonly string[]) => Object.fromEntries(chosen.map((id) => [`merchants:${id}`, 'on']));
  const some = (...chosen: readonly string[]) => ({ access: 'some', ...on(...chosen) });
  /** The boxes of a page: the IDs, and whether each is checked. */
  const boxesIn = (html: string) =>
    new Map(
      [...html.matchAll(/<input type="checkbox" name="merchants:(\w+)"( checked)?/g)].map(([, id, checked]) => [
        id,
        checked !== undefined,
      ]),
    );
  let user: User;

  beforeEach(async () => {
    const { database } = dashboard.api;
    await dashboard.as('owner', await newAccount(database));
    const { accountId } = dashboard.user.user;
    await database.query(
      `insert into merchants
       select (jsonb_populate_record(demo, jsonb_build_object(
                'id', branch_id, 'account_id', $1::text, 'slug', 'branch-' || place, 'business_name',
                'Branch ' || to_char(place, 'FM0000') || ' 100% <i>', 'created_at', now() + place * interval '1 ms'))).*
         from merchants demo, unnest($2::text[]) with ordinality branch (branch_id, place) where demo.id = $3`,
      [accountId, ids, BOOKS],
    );
    ({ user } = await signedInUser(database, 'support', accountId));
    return () => database.query('delete from merchants where account_id = $1', [accountId]);
  });

  const limitNow = async () => (await listUsers(dashboard.api.database, user.accountId)).at(-1)?.merchants;

  test('offers its newest merchants, and finds any by name or ID without losing those that are selected', async () => {
    const { html } = await dashboard.get(`${LIST}/${user.id}`);
    expect(boxesIn(html).size).toBe(100);
    expect(boxesIn(html).has(last)).toBe(true);
    expect(html).toContain('name="find_merchants"');
    const byName = await change(user, { ...some(last), ...SEARCH, find_merchants: ' branch 0001 100% <I> ' });
    expect(byName.status).toBe(200);
    expect([...boxesIn(byName.html)]).toEqual([
      [last, true],
      [first, false],
    ]);
    expect(byName.html).toContain('1 other merchant found');
    const byId = await change(user, { ...some(last, first), ...SEARCH, find_merchants: second });
    expect(boxesIn(byId.html)).toEqual(
      new Map([
        [first, true],
        [last, true],
        [second, false],
      ]),
    );
    expect(await limitNow()).toBeNull();
    await change(user, { ...some(last, first), find_merchants: second });
    expect(await limitNow()).toEqual([first, last].sort());
  });

  test('shows the merchants of a limit beside those that a search finds', async () => {
    await change(user, some(first, second));
    expect(boxesIn((await dashboard.get(`${LIST}/${user.id}`)).html).get(first)).toBe(true);
    const none = await change(user, { ...some(first), ...SEARCH, find_merchants: 'Branch_0' });
    expect(boxesIn(none.html)).toEqual(
      new Map([
        [first, true],
        [second, false],
      ]),
    );
    expect(none.html).toContain('0 other merchants found');
    const many = await change(user, { ...some(first), ...SEARCH, find_merchants: 'Branch' });
    expect(many.html).toContain('More than 100 merchants found');
    expect(await limitNow()).toEqual([first, second].sort());
  });

  test('limits a user to all of them', async () => {
    await change(user, some(...ids));
    expect(await limitNow()).toEqual([...ids].sort());
    const { html } = await dashboard.get(`${LIST}/${user.id}`);
    expect([...boxesIn(html).values()].filter(Boolean)).toHaveLength(COUNT);
  });

  test('finds merchants in an invitation, which keeps what was entered', async () => {
    const fields = { email: 'branch@example.com', name: '', role: 'viewer', ...some(last) };
    const found = await dashboard.submit(`${LIST}/new`, `${LIST}/new`, {
      ...fields,
      ...SEARCH,
      find_merchants: 'branch 0001',
    });
    expect(found.html).toContain('value="branch@example.com"');
    expect(boxesIn(found.html)).toEqual(
      new Map([
        [last, true],
        [first, false],
      ]),
    );
    expect(await limitNow()).toBeNull();
    await dashboard.submit(`${LIST}/new`, `${LIST}/new`, { ...fields, ...on(first) });
    expect(await limitNow()).toEqual([first, last].sort());
  });
});

test('a search for merchants ignores what PostgreSQL cannot read, and IDs that are none', async () => {
  const user = await newUser('support');
  const fields = { ...ONLY_BOOKS, 'merchants:\0': 'on', search_merchants: 'on', find_merchants: 'demo\0 BOOKS' };
  const { status, html } = await change(user, fields);
  expect(status).toBe(200);
  expect(html).toContain(`name="merchants:${BOOKS}" checked`);
});

/** IDs of another account in every path, form and filter, and ended sessions: nothing is shown, and nothing changes. */

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';
import { FORM_TOKEN } from './dashboard.ts';
import { liveCall, paidCharge } from './objects.ts';
import { newAccount, newSession, signedInUser } from './users.ts';

const dashboard = useFixture(() => startFilledDashboard());

/** A text in many objects of the demo account. */
const MARK = 'of-the-demo-4711';
let demoOwner: string;
let live: string;

beforeAll(async () => {
  const { api, user } = dashboard;
  demoOwner = user.user.id;
  live = await liveCall(api, (await paidCharge(api, MARK)).session, 'expiry');
  const { database } = api;
  await database.query(
    `insert into user_passkeys (id, user_id, public_key, counter, transports, name) values ('pk', $1, '', 0, '{}', $2)`,
    [demoOwner, MARK],
  );
  await database.query('update checkout_sessions set order_id = $1, platform_call_id = $1', [MARK]);
  await database.query('update merchants set business_name = $1', [MARK]);
  await database.query('update keys set name = $1', [MARK]);
  await database.query('update users set name = $1', [MARK]);
  await database.query(`update webhook_endpoints set url = 'https://' || $1 || '.example.com/'`, [MARK]);
});

/** All stored rows of the demo account. */
async function demoRows(): Promise<string[]> {
  const { database } = dashboard.api;
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns where column_name = 'account_id' and table_schema = 'public'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const sql = `select '${name} ' || t::text as row from ${name} t where account_id = $1`;
      return (await database.query<{ row: string }>(sql, [DEMO_ACCOUNT])).rows.map(({ row }) => row);
    }),
  );
  const passkeys = await database.query<{ row: string }>('select t::text as row from user_passkeys t');
  return [...found.flat(), ...passkeys.rows.map(({ row }) => row)].sort();
}

/** Each test starts as the owner of an empty account. */
beforeEach(async () => dashboard.as('owner', await newAccount(dashboard.api.database)));

test.each(['test', 'live'])('returns 404 for all objects of another account in %s mode', async (mode) => {
  const paths = dashboard.pathsOf('GET').filter((path) => path.includes('/:id'));
  expect(paths.length).toBeGreaterThan(15);
  const answers = await Promise.all(
    paths.map(async (path) => [path, await dashboard.get(`/${mode}${filledPath(path, dashboard.ids)}`)] as const),
  );
  const shown = answers.filter(([, { status, html }]) => status !== 404 || html.includes(MARK));
  expect(shown.map(([path, { status }]) => `${path}: ${status}`)).toEqual([]);
});

test('changes no object of another account, by the path or the fields of a form', async () => {
  const before = await demoRows();
  expect(before.join()).toContain(MARK);
  const fields = {
    passkey: 'pk',
    merchant: DEMO_DINER,
    merchant_id: DEMO_DINER,

    charge: dashboard.ids['/charges'] ?? '',
    user: demoOwner,
    role: 'viewer',
    access: 'all',
    amount_cents: '100',
    disabled: 'true',
    script: 'silent',
    amount: '1.00',
    business_name: 'Mine',
    outcome: 'failed',
    confirmed: 'on',
  };
  const paths = dashboard.pathsOf('POST');
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { status, html } = await dashboard.submit('/test/calls', `/test${filledPath(path, dashboard.ids)}`, fields);
      return { path, status, isShown: html.includes(MARK) };
    }),
  );
  const ofObjects = answers.filter(({ path }) => path.includes('/:id'));
  expect(ofObjects.filter(({ status }) => status !== 404)).toEqual([]);
  expect(answers.filter(({ status, isShown }) => isShown || status >= 500)).toEqual([]);
  expect(await demoRows()).toEqual(before);
  expect(dashboard.hangUps()).toBe(0);
});

test('finds no object of another account by filters, search or paging', async () => {
  const names = ['q', 'merchant_id', 'checkout_session_id', 'charge', 'key_id', 'object', 'passkey', 'trail'];
  const paths = dashboard.pathsOf('GET').filter((path) => !path.includes('/:id') && !isStream(path));
  const values = [...new Set([...Object.values(dashboard.ids), live, demoOwner])];
  const queries = values.flatMap((value) => [
    `starting_after=${value}`,
    names.map((name) => `${name}=${value}`).join('&'),
  ]);
  for (const query of queries) {
    const answers = await Promise.all(
      paths.map(async (path) => {
        const { status, html } = await dashboard.get(`/test${path}?${query}`);
        return { address: `${path}?${query}`, status, isShown: html.includes(MARK) };
      }),
    );
    expect(answers.filter(({ status, isShown }) => isShown || status >= 500)).toEqual([]);
  }
  // The objects exist, and the mark is shown to their own account.
  await dashboard.as('owner');
  for (const list of ['checkouts', 'calls', 'setup/keys', 'setup/users', 'setup/webhooks'])
    expect((await dashboard.get(`/test/${list}`)).html, list).toContain(MARK);
  // Thousands of pages.
}, 900_000);

test('starts a stream with the current state, whatever Last-Event-ID a browser sends', async () => {
  const { api, user } = dashboard;
  const headers = { cookie: user.cookie, 'last-event-id': live };
  const request = get(`${api.url}/dashboard/test/now/events`, { agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let received = '';
  for await (const chunk of response) {
    received += String(chunk);
    if (received.includes('event: calls') && received.endsWith('\n\n')) break;
  }
  request.destroy();
  expect(received).toContain('No live calls');
  expect(received).not.toContain(live);
  const other = await fetch(`${api.url}/dashboard/test/try/${dashboard.testCall.id}/events`, { headers });
  expect(other.status).toBe(404);
});

/** The headers of a request through a proxy, for which the demo does not open. */
const OUTSIDE = { 'x-forwarded-for': '198.51.100.9' };

test.each([
  ['that has expired', `update user_sessions set expires_at = now() - interval '1 second' where user_id = $1`],
  ['that was ended', 'delete from user_sessions where user_id = $1'],
  ['of a removed user', 'update users set removed_at = now() where id = $1'],
])('opens no page and accepts no form for a session %s', async (_, end) => {
  const { api } = dashboard;
  const { user, cookie } = await signedInUser(api.database, 'owner', DEMO_ACCOUNT);
  const token = FORM_TOKEN.exec((await dashboard.get('/test/calls', { cookie, ...OUTSIDE })).html)?.[1] ?? '';
  expect(token).not.toBe('');
  await api.database.query(end, [user.id]);
  const before = await demoRows();
  const [shown, sent] = [dashboard.pathsOf('GET'), dashboard.pathsOf('POST')];
  const headers = { cookie, 'sec-fetch-site': 'same-origin', ...OUTSIDE };
  const ask = async (path: string, init: RequestInit) => {
    const url = `${api.url}/dashboard/test${filledPath(path, dashboard.ids)}`;
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    return [path, answer.status, answer.headers.get('location')?.split('?')[0]] as const;
  };
  const answers = await Promise.all([
    ...shown.map((path) => ask(path, {})),
    ...sent.map((path) => ask(path, { method: 'POST', body: new URLSearchParams({ form_token: token }) })),
  ]);
  expect(answers.length).toBeGreaterThan(50);
  expect(answers.filter(([, status, to]) => status !== 303 || to !== '/dashboard/sign-in')).toEqual([]);
  expect(await demoRows()).toEqual(before);
});

test('rejects the form token of another session of the same user', async () => {
  const { api, user } = dashboard;
  const other = await newSession(api.database, user.user);
  const token = FORM_TOKEN.exec((await dashboard.get('/test/calls', { cookie: other.cookie })).html)?.[1] ?? '';
  expect(token).not.toBe('');
  for (const path of dashboard.pathsOf('POST')) {
    const { status } = await dashboard.submit('/test/calls', `/test${filledPath(path, dashboard.ids)}`, {
      form_token: token,
    });
    expect(status, path).toBe(403);
  }
});

test.each(['viewer', 'support', 'developer'] as const)(
  'shows the role %s no server error on any page',
  async (role) => {
    await dashboard.as(role);
    const paths = dashboard.pathsOf('GET').filter((path) => !isStream(path));
    const answers = await Promise.all(
      paths.map(
        async (path) => [path, (await dashboard.get(`/test${filledPath(path, dashboard.ids)}`)).status] as const,
      ),
    );
    expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
    expect(answers.filter(([, status]) => status === 200).length).toBeGreaterThan(20);
  },
);

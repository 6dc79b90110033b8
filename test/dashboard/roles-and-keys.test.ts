/** Who makes keys, and what a key can do: no more than the user who may make it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { askApi, type ApiQuestion } from '../../src/api/in-process.ts';
import type { ErrorObject } from '../../src/contract/error-object.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { Role } from '../../src/domain/user.ts';
import { issueKey } from '../../src/keys/manage.ts';
import { newAccount, signedInUser } from './users.ts';
import { startDashboard } from './dashboard.ts';
import { useFixture } from '../support/fixtures.ts';

// Without a demo: nobody gets in without signing in.
const dashboard = useFixture(() => startDashboard({ demoAccount: null }));
beforeEach(async () => dashboard.as('developer', await newAccount(dashboard.api.database)));

/** Every operation of REST, with nothing that its path names. */
async function operations(): Promise<{ id: string; question: ApiQuestion }[]> {
  const { paths } = (await (await fetch(`${dashboard.api.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id }]) => ({
      id,
      question: { method: method.toUpperCase() as 'GET', path: path.replace(/\{\w+\}/g, 'nothing') },
    })),
  );
}

/** The operations that this role is too small for. */
async function refusedTo(role: Role): Promise<string[]> {
  const { accountId } = dashboard.user.user;
  const actor = { kind: 'user', id: dashboard.user.user.id, source: '127.0.0.1' } as const;
  const principal = { accountId, mode: 'test', role, actor, isLocal: true } as const;
  const refused: string[] = [];
  for (const { id, question } of await operations()) {
    // The tools' own prefix is for keys alone.
    if (!question.path.startsWith('/v1/')) continue;
    const { status, body } = await askApi(dashboard.api.app, principal, {
      ...question,
      ...(question.method !== 'GET' && question.method !== 'DELETE' && { body: {} }),
    });
    const { error } = (body ?? {}) as { error?: ErrorObject };
    if (status === 403 && error?.message.startsWith('This takes the role')) refused.push(id);
  }
  return refused;
}

test('a developer may ask all that a full key may: no operation is for owners alone', async () => {
  expect((await operations()).length).toBeGreaterThan(40);
  expect(await refusedTo('developer')).toEqual([]);
});

test.each(['support', 'viewer'] as const)('keys are not for %s, nor is settling by hand', async (role) => {
  const refused = await refusedTo(role);
  expect(refused).toEqual(expect.arrayContaining(['create_key', 'roll_key', 'revoke_key']));
  expect(refused).toEqual(expect.arrayContaining(['settle_charge', 'settle_refund', 'change_account']));
});

test('users are managed by no key: REST has nothing of them, and the dashboard takes no key', async () => {
  const ids = (await operations()).map(({ id, question: { path } }) => `${id} ${path}`);
  expect(ids.filter((id) => /user|invit|role/i.test(id))).toEqual([]);
  const { accountId, id } = dashboard.user.user;
  const { text } = await issueKey(dashboard.api.database, SYSTEM, { accountId, mode: 'test' }, { scope: 'full' });
  for (const path of ['/test/setup/users', `/test/setup/users/${id}`]) {
    const answer = await fetch(`${dashboard.api.url}/dashboard${path}`, {
      ...{ headers: { authorization: `Bearer ${text}` }, redirect: 'manual' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')]);
  }
});

/** The sign-in was a while ago; the user is not idle. */
const age = () =>
  dashboard.api.database.query(
    `update user_sessions set created_at = created_at - interval '16 minutes' where user_id = $1`,
    [dashboard.user.user.id],
  );

describe('a live key', () => {
  const NEW = '/live/setup/keys/new';
  const keys = async (): Promise<number> => {
    const { rows } = await dashboard.api.database.query<{ count: number }>(
      `select count(*)::integer as count from keys where account_id = $1 and mode = 'live'`,
      [dashboard.user.user.accountId],
    );
    return rows[0]?.count ?? -1;
  };
  test('is made and rolled by who signed in a short time ago', async () => {
    const made = await dashboard.submit(NEW, NEW, { name: 'To roll', scope: 'full' });
    expect([made.status, await keys()]).toEqual([200, 1]);
    const path = /href="\/dashboard(\/live\/setup\/keys\/key_\w+)"/.exec(
      (await dashboard.get('/live/setup/keys')).html,
    )?.[1];
    expect((await dashboard.submit(String(path), `${path}/roll`, { expires_in_seconds: '0' })).status).toBe(200);
    expect(await keys()).toBe(2);
  });

  test('takes another sign-in after that; ending one, and test keys, do not', async () => {
    const { accountId } = dashboard.user.user;
    const { key } = await issueKey(dashboard.api.database, SYSTEM, { accountId, mode: 'live' });
    await age();
    const page = `/live/setup/keys/${key.id}`;
    for (const path of [NEW, page]) expect((await dashboard.get(path)).html).toContain('Sign in once more');
    for (const action of [NEW, `${page}/roll`]) {
      const sent = await dashboard.submit(page, action, { scope: 'full', expires_in_seconds: '0' });
      expect(sent.headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    }
    expect(await keys()).toBe(1);
    expect((await dashboard.submit(page, `${page}/revoke`)).status).toBe(303);
    expect((await dashboard.submit('/test/setup/keys/new', '/test/setup/keys/new', { scope: 'full' })).status).toBe(
      200,
    );
  });
});

describe('what takes a sign-in of a short time ago in live mode', () => {
  const pathIn = (text: string | null) => /\/dashboard(\/\w+\/setup\/\w+\/(?:mer|we)_\w+)/.exec(text ?? '')?.[1];
  const made = async (path: string, fields: Record<string, string>): Promise<string> => {
    const { headers } = await dashboard.submit(`${path}/new`, `${path}/new`, fields);
    return pathIn(headers.get('location')) ?? pathIn((await dashboard.get(path)).html) ?? 'not made';
  };
  /** Each form: the page that it is on, where it is sent, and with what. Stripe is not asked about an empty key. */
  const forms = async (mode: 'live' | 'test') => {
    const set = `/${mode}/setup`;
    const merchant = await made(`${set}/merchants`, { business_name: 'Diner', currency: 'EUR' });
    const hook = await made(`${set}/webhooks`, { url: 'https://hooks.example.com/in', 'events:checkout.failed': 'on' });
    return [
      [`${merchant}/processor?processor=stripe`, `${merchant}/processor`, { processor: 'stripe' }],
      [hook, `${hook}/roll`, { expires_in_seconds: '0' }],
      [hook, hook, { url: 'https://hooks.example.com/moved', 'events:checkout.failed': 'on' }],
      [
        `${set}/webhooks/new`,
        `${set}/webhooks/new`,
        { url: 'https://hooks.example.com/new', 'events:checkout.failed': 'on' },
      ],
      [`${set}/account`, `${set}/account/roll`, {}],
    ] as const;
  };
  const done = async (each: Awaited<ReturnType<typeof forms>>) => {
    const statuses: number[] = [];
    for (const [page, action, fields] of each) statuses.push((await dashboard.submit(page, action, fields)).status);
    return statuses;
  };
  const audited = async (): Promise<unknown[]> => {
    const { rows } = await dashboard.api.database.query<{ action: string }>(
      `select action from audit_events where account_id = $1 and (action like '%rolled' or action like 'webhook%')
        order by sequence`,
      [dashboard.user.user.accountId],
    );
    return rows.map(({ action }) => action);
  };

  const AFTER = ['created', 'secret_rolled', 'changed', 'created'].map((what) => `webhook_endpoint.${what}`);

  test('is done after one', async () => {
    expect(await done(await forms('live'))).toEqual([422, 200, 303, 200, 200]);
    expect(await audited()).toEqual([...AFTER, 'account.secret_rolled']);
  });

  test('is not done later: a processor, a webhook’s secret and address, the secret of the SIP headers', async () => {
    const live = await forms('live');
    await age();
    for (const [page, action, fields] of live) {
      expect((await dashboard.get(page)).html, page).toContain('Sign in once more');
      const sent = await dashboard.submit('/live/setup/account', action, fields);
      expect(sent.headers.get('location'), action).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    }
    const [[page]] = live;
    const { html } = await dashboard.get(page);
    expect(html, 'leads back to the processor that was chosen').toContain(
      `next=${encodeURIComponent(`/dashboard${page}`)}&amp;again=1`,
    );
    expect(await audited(), 'but the endpoint of before').toEqual(['webhook_endpoint.created']);
  });

  test('is done later in test mode, but for the secret of the SIP headers, which is that of both modes', async () => {
    const test = await forms('test');
    await age();
    expect(await done(test)).toEqual([422, 200, 303, 200, 303]);
    expect(await audited()).toEqual(AFTER);
  });
});

test('before a developer is removed the owner is told that keys go on', async () => {
  const { accountId } = dashboard.user.user;
  const { database } = dashboard.api;
  const { user: developer } = await signedInUser(database, 'developer', accountId);
  const { user: support } = await signedInUser(database, 'support', accountId);
  await dashboard.as('owner', accountId);
  const askedFor = async (id: string) => (await dashboard.get(`/test/setup/users/${id}/remove`)).html;
  expect(await askedFor(developer.id)).toContain('API keys go on');
  expect(await askedFor(support.id)).not.toContain('API keys go on');
});

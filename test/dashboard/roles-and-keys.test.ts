/** Which users can create keys, what a key can do, and which actions require a recent sign-in. */
import { beforeEach, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import type { ErrorObject } from '../../src/contract/error-object.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/domain/user.ts';
import { type ApiQuestion, askApi } from '../../src/http/api/in-process.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { startDashboard } from './dashboard.ts';
import { newAccount, signedInUser } from './users.ts';

// Without the demo account, so that every page requires a sign-in.
const dashboard = useFixture(() => startDashboard({ demoAccount: null }));
beforeEach(async () => dashboard.as('developer', await newAccount(dashboard.api.database)));

/** Every REST operation, with IDs that do not exist. */
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

/** The operations that this role may not use. */
async function operationsRefusedTo(role: Role): Promise<string[]> {
  const { accountId } = dashboard.user.user;
  const actor = { kind: 'user', id: dashboard.user.user.id, source: '127.0.0.1' } as const;
  const principal = { accountId, mode: 'test', role, actor, isLocal: true, merchants: null } as const;
  const refused: string[] = [];
  for (const { id, question } of await operations()) {
    // Operations outside /v1 (the tool form) accept only keys.
    if (!question.path.startsWith('/v1/')) continue;
    const { status, body } = await askApi(dashboard.api.app, principal, {
      ...question,
      ...(question.method !== 'GET' && question.method !== 'DELETE' && { body: {} }),
    });
    const { error } = (body ?? {}) as { error?: ErrorObject };
    if (status === 403 && error?.message.startsWith('You need the role')) refused.push(id);
  }
  return refused;
}

test('allows developers every operation that a full key can use', async () => {
  expect((await operations()).length).toBeGreaterThan(40);
  expect(await operationsRefusedTo('developer')).toEqual([]);
});

test.each(['support', 'viewer'] as const)(
  'allows the role %s neither key management nor manual settlement',
  async (role) => {
    const refused = await operationsRefusedTo(role);
    expect(refused).toEqual(expect.arrayContaining(['create_key', 'roll_key', 'revoke_key']));
    expect(refused).toEqual(expect.arrayContaining(['settle_charge', 'settle_refund', 'change_account']));
  },
);

test('manages users with no key: REST has no such operation, and the dashboard accepts no keys', async () => {
  const ids = (await operations()).map(({ id, question: { path } }) => `${id} ${path}`);
  expect(ids.filter((id) => /user|invit|role/i.test(id))).toEqual([]);
  const { accountId, id } = dashboard.user.user;
  const { text } = await issueKey(dashboard.api.database, SYSTEM, { accountId, mode: 'test' }, { scope: 'full' });
  for (const path of ['/test/setup/users', `/test/setup/users/${id}`]) {
    const answer = await fetch(`${dashboard.api.url}/dashboard${path}`, {
      headers: { authorization: `Bearer ${text}` },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')]);
  }
});

/** Makes the session 16 minutes older. The user is not idle. */
const ageSession = () =>
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
  test('is created and rolled after a recent sign-in', async () => {
    const made = await dashboard.submit(NEW, NEW, { name: 'To roll', scope: 'full' });
    expect([made.status, await keys()]).toEqual([200, 1]);
    const path = /href="\/dashboard(\/live\/setup\/keys\/key_\w+)"/.exec(
      (await dashboard.get('/live/setup/keys')).html,
    )?.[1];
    expect((await dashboard.submit(String(path), `${path}/roll`, { expires_in_seconds: '0' })).status).toBe(200);
    expect(await keys()).toBe(2);
  });

  test('requires another sign-in later, unlike revoking a key and creating test keys', async () => {
    const { accountId } = dashboard.user.user;
    const { key } = await issueKey(dashboard.api.database, SYSTEM, { accountId, mode: 'live' });
    await ageSession();
    const page = `/live/setup/keys/${key.id}`;
    for (const path of [NEW, page]) expect((await dashboard.get(path)).html).toContain('Sign in again');
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

describe('a guarded change of live mode', () => {
  const pathIn = (text: string | null) => /\/dashboard(\/\w+\/setup\/\w+\/(?:mer|we)_\w+)/.exec(text ?? '')?.[1];
  const create = async (path: string, fields: Record<string, string>): Promise<string> => {
    const { headers } = await dashboard.submit(`${path}/new`, `${path}/new`, fields);
    return pathIn(headers.get('location')) ?? pathIn((await dashboard.get(path)).html) ?? 'not created';
  };
  /** Each form: its page, its action and its fields. Stripe is not asked about an empty key. */
  const forms = async (mode: 'live' | 'test') => {
    const set = `/${mode}/setup`;
    const merchant = await create(`${set}/merchants`, { business_name: 'Diner', currency: 'EUR' });
    const hook = await create(`${set}/webhooks`, {
      url: 'https://hooks.example.com/in',
      'events:checkout.failed': 'on',
    });
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
  const submitAll = async (each: Awaited<ReturnType<typeof forms>>) => {
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

  test('is accepted after a recent sign-in', async () => {
    expect(await submitAll(await forms('live'))).toEqual([422, 200, 303, 200, 200]);
    expect(await audited()).toEqual([...AFTER, 'account.secret_rolled']);
  });

  test('is not accepted later: a processor, a webhook’s secret and address, the SIP header secret', async () => {
    const live = await forms('live');
    await ageSession();
    for (const [page, action, fields] of live) {
      expect((await dashboard.get(page)).html, page).toContain('Sign in again');
      const sent = await dashboard.submit('/live/setup/account', action, fields);
      expect(sent.headers.get('location'), action).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    }
    const [[page]] = live;
    const { html } = await dashboard.get(page);
    expect(html, 'returns to the chosen processor').toContain(
      `next=${encodeURIComponent(`/dashboard${page}`)}&amp;again=1`,
    );
    expect(await audited(), 'only the earlier endpoint').toEqual(['webhook_endpoint.created']);
  });

  test('is accepted later in test mode, except the SIP header secret, which both modes share', async () => {
    const test = await forms('test');
    await ageSession();
    expect(await submitAll(test)).toEqual([422, 200, 303, 200, 303]);
    expect(await audited()).toEqual(AFTER);
  });
});

describe('a setting of live payments and calls', () => {
  /** The audited actions on the account and its merchants. */
  const audited = async () => {
    const { rows } = await dashboard.api.database.query<{ action: string }>(
      `select action from audit_events where account_id = $1 and (action like 'account%' or action like 'merchant%')
        order by sequence`,
      [dashboard.user.user.accountId],
    );
    return rows.map(({ action }) => action);
  };
  const HOSTS = { return_hosts: 'thief.example.com', return_number_prefixes: '+881', text_countries: 'CU' };
  const NEW = '/live/setup/merchants/new';
  const merchantPage = async () => {
    const { headers } = await dashboard.submit(NEW, NEW, { business_name: 'Diner', currency: 'USD' });
    return /\/live\/setup\/merchants\/mer_\w+/.exec(headers.get('location') ?? '')?.[0] ?? 'not created';
  };
  const POLICY = { business_name: 'Diner', payment_policy: 'never' };

  test('can be changed after a recent sign-in: the account’s lists and a merchant', async () => {
    const merchant = await merchantPage();
    expect((await dashboard.get(merchant)).html).toContain('Save settings');
    const changed = await dashboard.submit(merchant, merchant, POLICY);
    expect([200, 303, 422]).toContain(changed.status);
    expect(changed.headers.get('location') ?? '').not.toContain('sign-in');
    expect((await dashboard.submit('/live/setup/account', '/live/setup/account', HOSTS)).status).toBe(303);
    expect(await audited()).toEqual(expect.arrayContaining(['merchant.created', 'account.changed']));
  });

  test.each(['live', 'test'])('requires another sign-in later for the account’s lists, in %s mode', async (mode) => {
    await ageSession();
    const page = `/${mode}/setup/account`;
    expect((await dashboard.get(page)).html).toContain('To make changes, sign in again');
    const { headers } = await dashboard.submit(page, page, HOSTS);
    expect(headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    expect(await audited()).toEqual([]);
  });

  test('requires another sign-in later for a live merchant, but not for a test merchant', async () => {
    const merchant = await merchantPage();
    await ageSession();
    for (const page of [merchant, NEW]) {
      const { html } = await dashboard.get(page);
      expect(html).toContain('Sign in again');
      const { headers } = await dashboard.submit('/live/setup/account', page, POLICY);
      expect(headers.get('location')).toMatch(/^\/dashboard\/sign-in\?.*again=1/);
    }
    expect(await audited()).toEqual(['merchant.created']);
    const inTest = '/test/setup/merchants/new';
    const made = await dashboard.submit(inTest, inTest, { business_name: 'Diner', currency: 'USD' });
    expect(made.headers.get('location')).toContain('/test/setup/merchants/mer_');
  });
});

describe('a live refund', () => {
  /** The refund page of a new charge of 50.00. */
  const refundPage = async (mode: 'live' | 'test', site = dashboard) => {
    const { accountId } = site.user.user;
    const { database } = site.api;
    const merchant = newId('Merchant');
    await database.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
       values ($1, $2, $3, $1, 'Diner', 'USD', 'always', 'sandbox')`,
      [merchant, accountId, mode],
    );
    await seedPayment(
      database,
      { accountId, mode },
      {
        merchant,
        at: new Date().toISOString(),
        status: 'succeeded',
        cents: 5_000,
      },
    );
    const { rows } = await database.query<{ id: string }>('select id from charges where merchant_id = $1', [merchant]);
    return `/${mode}/charges/${rows[0]?.id}/refund`;
  };
  const AGAIN = /^\/dashboard\/sign-in\?.*again=1/;

  test('requires a recent sign-in for any amount, unlike a refund in test mode', async () => {
    const page = await refundPage('live');
    expect((await dashboard.get(`${page}?amount=0.01`)).html).toContain('Refund $0.01');
    await ageSession();
    const confirmation = await dashboard.get(`${page}?amount=0.01`);
    expect(confirmation.html).toContain('To make changes, sign in again');
    expect(confirmation.html).toMatch(
      /next=%2Fdashboard%2Flive%2Fcharges%2Fch_\w+%2Frefund%3F\S*amount%3D0\.01\S*again=1/,
    );
    for (const amount_cents of ['1', '5000', 'much', '']) {
      const sent = await dashboard.submit('/live/setup/account', page, { amount_cents });
      expect(sent.headers.get('location')).toMatch(AGAIN);
    }
    const inTest = await refundPage('test');
    expect((await dashboard.get(`${inTest}?amount=50`)).html).toContain('Refund $50.00');
  });

  test('requires no recent sign-in up to the amount that the operator has set', async () => {
    const site = await startDashboard({ demoAccount: null, refundSignInAboveCents: 2_000 });
    try {
      await site.as('support', await newAccount(site.api.database));
      const page = await refundPage('live', site);
      await site.api.database.query(`update user_sessions set created_at = created_at - interval '16 minutes'`);
      expect((await site.get(`${page}?amount=20`)).html).toContain('Refund $20.00');
      expect((await site.get(`${page}?amount=20.01`)).html).toContain('To make changes, sign in again');
      const small = await site.submit(`${page}?amount=20`, page, { amount_cents: '2000' });
      expect(small.headers.get('location') ?? '').not.toMatch(AGAIN);
      const large = await site.submit(`${page}?amount=20`, page, { amount_cents: '2001' });
      expect(large.headers.get('location')).toMatch(AGAIN);
    } finally {
      await site.close();
    }
  });
});

test('tells the owner that API keys keep working before a developer is removed', async () => {
  const { accountId } = dashboard.user.user;
  const { database } = dashboard.api;
  const { user: developer } = await signedInUser(database, 'developer', accountId);
  const { user: support } = await signedInUser(database, 'support', accountId);
  await dashboard.as('owner', accountId);
  const removePage = async (id: string) => (await dashboard.get(`/test/setup/users/${id}/remove`)).html;
  expect(await removePage(developer.id)).toContain('API keys keep working');
  expect(await removePage(support.id)).not.toContain('API keys keep working');
});

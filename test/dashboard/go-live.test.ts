/** The go-live checklist over HTTP: what it finds in the live mode of an account. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const PAGE = '/live/setup/go-live';

let dashboard: TestDashboard;
let account: AccountId;

beforeAll(async () => {
  dashboard = await startDashboard();
});

afterAll(() => dashboard.close());

beforeEach(async () => {
  account = await newAccount(dashboard.api.database);
  await dashboard.as('owner', account);
});

/** The titles of the passed checks. */
async function passed(): Promise<string[]> {
  const { status, html } = await dashboard.get(PAGE);
  expect(status).toBe(200);
  return [...html.matchAll(/<li class="done">.*?<h2>(.*?) <span/g)].map(([, title = '']) => title);
}

test('an empty account is told what each check needs, with links', async () => {
  const { html } = await dashboard.get(PAGE);
  expect(html).toContain('1 of 10 done');
  expect(html).toContain('href="/dashboard/live/setup/keys"');
  expect(html).toContain('href="/docs/going-live#key"');
  expect(html).toContain('Put a proxy with a certificate in front of the service');
  expect(await passed()).toEqual(['Live mode has no test data']);
});

test('a check passes as soon as the account has what it needs', async () => {
  const check = 'The voice agent has a live key of its own, with the scope “agent”';
  const scope = { accountId: account, mode: 'live' } as const;
  await issueKey(dashboard.api.database, SYSTEM, scope);
  expect(await passed()).not.toContain(check);
  await issueKey(dashboard.api.database, SYSTEM, scope, { scope: 'agent' });
  expect(await passed()).toContain(check);
});

test('a live merchant without a processor is named with what is missing', async () => {
  const { text: key } = await issueKey(dashboard.api.database, SYSTEM, { accountId: account, mode: 'live' });
  const made = await fetch(`${dashboard.api.url}/v1/merchants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ business_name: 'Live <b>Bakery</b>', numbers: ['+12125550123'] }),
  });
  expect(made.status).toBe(200);
  const { html } = await dashboard.get(PAGE);
  expect(html).toContain('Live &lt;b>Bakery&lt;/b>: ');
  expect(html).toContain('has an example phone number');
});

test('the checklist of test mode leads to live mode', async () => {
  const { html } = await dashboard.get('/test/setup/go-live');
  expect(html).toContain('href="/dashboard/live/setup/go-live"');
});

test('every role can read the checklist', async () => {
  for (const role of ['viewer', 'support', 'developer'] as const) {
    await dashboard.as(role, account);
    expect((await dashboard.get(PAGE)).status).toBe(200);
  }
});

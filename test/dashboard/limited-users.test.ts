/** Users limited to merchants: every page, form and search shows and changes only what belongs to their merchants. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream } from './addresses.ts';
import { BOOKS, MARK, merchantId, OWN_MARK, startLimitedDashboard } from './limited.ts';

const dashboard = useFixture(startLimitedDashboard);

/** IDs of the diner's objects, and of objects of the account as a whole. */
const othersIds = () => [...Object.values(dashboard.ids).filter((id) => id !== 'try_1'), dashboard.live.diner];
const leaksIn = (html: string) => [MARK, ...othersIds()].filter((each) => html.includes(each));

/** What nobody else changes meanwhile. */
async function accountRows(): Promise<string[]> {
  const { database } = dashboard.api;
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where column_name = 'account_id' and table_schema = 'public'
        and table_name not in ('audit_events', 'idempotency_keys', 'users')`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const sql = `select '${name} ' || t::text as row from ${name} t where account_id = $1`;
      return (await database.query<{ row: string }>(sql, [DEMO_ACCOUNT])).rows.map(({ row }) => row);
    }),
  );
  return found.flat().sort();
}

describe.each(['viewer', 'support'] as const)('a limited %s', (role) => {
  beforeEach(() => dashboard.asLimited(role));

  test('finds no page of an object of another merchant or of the account', async () => {
    const paths = dashboard.pathsOf('GET').filter((path) => path.includes('/:id'));
    expect(paths.length).toBeGreaterThan(20);
    const answers = await Promise.all(
      paths.map(async (path) => [path, (await dashboard.get(`/test${filledPath(path, dashboard.ids)}`)).status]),
    );
    expect(answers.filter(([, status]) => status !== 404)).toEqual([]);
  });

  test('changes no object of another merchant or of the account with any form', async () => {
    const before = await accountRows();
    const fields = {
      merchant: DEMO_DINER,
      merchant_id: DEMO_DINER,
      charge: dashboard.ids['/charges'] ?? '',
      checkout: dashboard.ids['/checkouts'] ?? '',
      number: '+15550101234',
      note: 'Changed',
      role: 'owner',
      amount_cents: '100',
      amount: '1.00',
      business_name: 'Mine',
      outcome: 'failed',
      confirmed: 'on',
      shared: 'on',
    };
    const paths = dashboard.pathsOf('POST');
    const answers = await Promise.all(
      paths.map(async (path) => {
        const to = `/test${filledPath(path, dashboard.ids)}`;
        const { status, html } = await dashboard.submit('/test/calls', to, fields);
        return { path, status, leaks: leaksIn(html).filter((leak) => leak === MARK) };
      }),
    );
    const ofObjects = answers.filter(({ path }) => path.includes('/:id'));
    // The role is checked first.
    const refusals = role === 'viewer' ? [403, 404] : [404];
    expect(ofObjects.filter(({ status }) => !refusals.includes(status))).toEqual([]);
    expect(answers.filter(({ status, leaks }) => leaks.length > 0 || status >= 500)).toEqual([]);
    expect(await accountRows()).toEqual(before);
  });

  test('sees only what belongs to the merchants, on each page, in each file and live part', async () => {
    const paths = dashboard.pathsOf('GET').filter((path) => !path.includes('/:id') && !isStream(path));
    const answers = await Promise.all(
      paths.map(async (path) => {
        const { status, html } = await dashboard.get(`/test${path}`);
        return { path, status, leaks: leaksIn(html) };
      }),
    );
    expect(answers.filter(({ status, leaks }) => leaks.length > 0 || status >= 500)).toEqual([]);
    const shown = answers.filter(({ status }) => status === 200).map(({ path }) => path);
    expect(shown).toEqual(expect.arrayContaining(['/overview', '/calls', '/charges.csv', '/attention', '/reports']));
    const others = ['/setup', '/setup/users', '/setup/keys', '/setup/account', '/requests', '/audit', '/try', '/start'];
    expect(shown.filter((path) => others.some((other) => path.startsWith(other)))).toEqual([]);
  });

  test('sees the objects of the merchants', async () => {
    for (const path of ['/calls/:id', '/charges/:id', '/checkouts/:id', '/refunds/:id', '/events/:id']) {
      const { status, html } = await dashboard.get(`/test${filledPath(path, dashboard.own)}`);
      expect([path, status, leaksIn(html)]).toEqual([path, 200, []]);
    }
    for (const path of ['/checkouts', '/checkouts.csv', `/search?q=${OWN_MARK}`])
      expect((await dashboard.get(`/test${path}`)).html, path).toContain(OWN_MARK);
  });

  test('sees a caller of several merchants without what is about the others', async () => {
    const { html } = await dashboard.get('/test/callers?number=%2B15550101234');
    expect(html).toContain(`/charges/${dashboard.own['/charges']}`);
    expect(leaksIn(html)).toEqual([]);
    expect(html).not.toContain('Erase');
    expect(html).not.toContain('Save note');
    expect(html).toContain('$71.00');
  });
});

test('a limited user finds nothing of other merchants by filters, search, commands or paging', async () => {
  await dashboard.asLimited('support');
  const names = ['q', 'merchant_id', 'checkout_session_id', 'charge', 'webhook_endpoint_id', 'payout', 'month'];
  const paths = dashboard.pathsOf('GET').filter((path) => !path.includes('/:id') && !isStream(path));
  const statuses = await Promise.all(paths.map(async (path) => (await dashboard.get(`/test${path}`)).status));
  const open = paths.filter((_, at) => statuses[at] !== 404);
  expect(open.length).toBeGreaterThan(20);
  const queries = [...othersIds(), DEMO_DINER].flatMap((value) => [
    `starting_after=${value}`,
    names.map((name) => `${name}=${value}`).join('&'),
  ]);
  queries.push(
    'find_merchant=of-the',
    'q=1234',
    'q=%2B15550101234',
    'caller_phone=1234',
    'number=1234',
    'last_four=4242',
    'q=add',
    'q=user',
  );
  for (const query of queries) {
    const answers = await Promise.all(
      open.map(async (path) => {
        const { status, html } = await dashboard.get(`/test${path}?${query}`);
        return { address: `${path}?${query}`, status, isLeak: html.includes(MARK) };
      }),
    );
    expect(answers.filter(({ status, isLeak }) => isLeak || status >= 500)).toEqual([]);
  }
  // Hundreds of pages.
}, 900_000);

test('a user who is not limited sees the marked objects', async () => {
  await dashboard.as('support');
  for (const path of ['/checkouts', '/charges', '/texts', '/callers?number=%2B15550101234', '/attention'])
    expect((await dashboard.get(`/test${path}`)).html, path).toContain(MARK);
});

test('a limited user refunds, ends calls and marks items of the merchants', async () => {
  await dashboard.asLimited('support');
  const { own, live } = dashboard;
  const form = `/test/charges/${own['/charges']}/refund`;
  const confirm = await dashboard.submit(form, form, { amount: '1.00' });
  const refunded = await dashboard.submit(form, form, { amount: '1.00', confirmed: 'on', amount_cents: '100' });
  expect([confirm.status, refunded.status]).not.toContain(404);
  await dashboard.submit('/test/calls', `/test/calls/${live.books}/end`);
  await dashboard.submit('/test/calls', `/test/attention/${own['/attention']}/finish`);
  const { database } = dashboard.api;
  const { rows } = await database.query(
    `select (select count(*)::integer from refunds where charge_id = $1) as refunds,
            (select end_requested_at is not null from calls where id = $2) as ended,
            (select count(*)::integer from attention_marks where item_id = $3) as marks,
            (select end_requested_at is null from calls where id = $4) as others`,
    [own['/charges'], live.books, own['/attention'], live.diner],
  );
  expect(rows).toEqual([{ refunds: 2, ended: true, marks: 1, others: true }]);
});

test('a limit applies to the next page of a user who is signed in', async () => {
  await dashboard.as('viewer');
  const page = `/test/checkouts/${dashboard.ids['/checkouts']}`;
  expect((await dashboard.get(page)).status).toBe(200);
  await dashboard.limit([BOOKS]);
  expect((await dashboard.get(page)).status).toBe(404);
  await dashboard.limit([BOOKS, merchantId(DEMO_DINER)]);
  expect((await dashboard.get(page)).status).toBe(200);
  await dashboard.limit(null);
  expect((await dashboard.get('/test/setup/users')).status).toBe(200);
});

test('a user sees nothing when their only merchant is deleted', async () => {
  const { body } = await dashboard.api.post('/v1/merchants', { business_name: 'Closing soon' });
  const merchant = merchantId(String(body.merchant_id));
  await dashboard.asLimited('viewer', [merchant]);
  await dashboard.api.database.query('delete from merchants where id = $1', [merchant]);
  for (const path of ['/checkouts', '/charges', '/calls', '/overview', '/attention', '/now', '/reports']) {
    const { status, html } = await dashboard.get(`/test${path}`);
    expect([path, status, leaksIn(html), html.includes(OWN_MARK)]).toEqual([path, 200, [], false]);
  }
});

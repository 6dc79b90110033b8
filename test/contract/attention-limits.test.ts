/** Attention items at 80% of an account's limits. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import type { AttentionItemResource } from '../../src/contract/attention.ts';
import { attentionWords } from '../../src/contract/attention-words.ts';
import { insertAccount, noteSpeechNearLimit } from '../../src/db/keys/accounts.ts';
import { ACCOUNT_LIMITS } from '../../src/domain/account-limits.ts';
import type { AttentionItem } from '../../src/domain/attention.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer } from './fixtures.ts';
import { ROWS_OF_LIMITS } from './rows-of-limits.ts';
import { startTestApi } from './test-api.ts';

const LIMITS = { ...ACCOUNT_LIMITS, calls: 10 };
const api = useFixture(() =>
  startTestApi({ accountLimits: LIMITS, rateLimits: { key: { requests: 40, windowSeconds: 600 } } }),
);

async function newAccount(): Promise<{ account: AccountId; headers: Record<string, string> }> {
  const account = newId('Account');
  await insertAccount(api.database, { id: account, name: 'Test account' });
  const { text } = await issueKey(api.database, SYSTEM, { accountId: account, mode: 'test' });
  return { account, headers: bearer(text) };
}

async function titles(headers: Record<string, string>, query = ''): Promise<string[]> {
  const { status, text, body } = await api.get(`/v1/attention_items?${query}`, headers);
  expect(status, text).toBe(200);
  return (body.attention_items as AttentionItemResource[]).map(({ title }) => title).sort();
}

type Rows = keyof typeof ROWS_OF_LIMITS;

async function insertRows(limit: Rows, account: AccountId, count: number): Promise<void> {
  const { insert } = ROWS_OF_LIMITS[limit];
  for (let made = 0; made < count; made += 1) await api.database.query(insert, [account, newId('Event')]);
}

function removeOne(limit: Rows, account: AccountId) {
  const { table } = ROWS_OF_LIMITS[limit];
  return api.database.query(
    `delete from ${table} where id = (select max(id) from ${table} where account_id = $1 and id like 'evt_%')`,
    [account],
  );
}

test.each([
  ['calls', 8, 7, 10, /^Live calls are near/],
  ['webhook_endpoints', 13, 12, 16, /^Webhook endpoints are near/],
  ['alert_targets', 16, 14, 20, /^Alert targets are near/],
] as const)('%s: an item opens at %i, stays until %i of %i, and then closes', async (table, near, still, of, title) => {
  const { account, headers } = await newAccount();
  await insertRows(table, account, near - 1);
  expect(await titles(headers)).toEqual([]);
  await insertRows(table, account, 1);
  expect(await titles(headers)).toEqual([expect.stringMatching(title)]);
  const { body } = await api.get('/v1/attention_items', headers);
  expect(body.attention_items).toMatchObject([
    { kind: 'limit_near', detail: expect.stringContaining(`${near} of ${of}`), is_service: false },
  ]);
  for (let left = near - 1; left >= still; left -= 1) {
    await removeOne(table, account);
    expect(await titles(headers)).toHaveLength(1);
  }
  await removeOne(table, account);
  expect(await titles(headers)).toEqual([]);
  await insertRows(table, account, 1);
  expect(await titles(headers)).toEqual([]);
  // Closed items of the service are in the list, too.
  expect((await titles(headers, 'status=closed')).filter((each) => title.test(each))).toHaveLength(1);
});

test('keys that are revoked or expired do not count', async () => {
  const { account, headers } = await newAccount();
  await insertRows('keys', account, 79);
  expect(await titles(headers)).toEqual([expect.stringMatching(/^API keys are near/)]);
  await api.database.query(
    `update keys set revoked_at = now() where id in (select id from keys where account_id = $1 and id like 'evt_%' limit 11)`,
    [account],
  );
  expect(await titles(headers)).toEqual([]);
});

test('number lookups of the last hour and day count, each on its own', async () => {
  const { account, headers } = await newAccount();
  const lookups = (hours: number, count: number) =>
    api.database.query(
      `insert into number_lookup_turns (account_id, mode, slot, lookups)
       values ($1, 'test', date_bin('5 minutes', now(), 'epoch') - $2 * interval '1 hour', $3)`,
      [account, hours, count],
    );
  await lookups(5, 3_300);
  expect(await titles(headers)).toEqual([]);
  await lookups(0, 800);
  expect(await titles(headers)).toEqual([
    expect.stringMatching(/^Number lookups of the last 24 hours/),
    expect.stringMatching(/^Number lookups of the last hour/),
  ]);
});

test('the worker finds it, too, with the limits of the settings, and users are told in live mode', async () => {
  const { account, headers } = await newAccount();
  await insertRows('calls', account, 8);
  await insertRows('users', account, 400);
  await sweepAttention(api.database, null, { ...LIMITS, calls: 100 });
  const found = () =>
    api.database.query(`select mode, subject from attention_items where account_id = $1 and closed_at is null`, [
      account,
    ]);
  expect((await found()).rows).toEqual([{ mode: 'live', subject: 'users' }]);
  await sweepAttention(api.database, null, LIMITS);
  expect(await titles(headers)).toEqual([expect.stringMatching(/^Live calls/)]);
});

test('a key that has used 80% of its requests is told once, and no longer 15 minutes later', async () => {
  const { account, headers } = await newAccount();
  const noted = async () =>
    (await api.database.query('select id from keys where account_id = $1 and near_limit_at is not null', [account]))
      .rows;
  for (let sent = 0; sent < 31; sent += 1) await api.get('/v1/account', headers);
  expect(await noted()).toEqual([]);
  await api.get('/v1/account', headers);
  await expect.poll(noted, { timeout: 120_000 }).toHaveLength(1);
  await sweepAttention(api.database, null, LIMITS);
  expect(await titles(headers)).toEqual([expect.stringMatching(/^API key rk_test_.* is near its limit of requests$/)]);
  await api.database.query(`update keys set near_limit_at = now() - interval '16 minutes' where account_id = $1`, [
    account,
  ]);
  expect(await titles(headers)).toEqual([]);
});

test('a process near its limit of calls is an item of the service', async () => {
  const { account } = await newAccount();
  await api.database.query('delete from calls');
  await insertRows('calls', account, 7);
  const found = async () => {
    await sweepAttention(api.database, null, { ...LIMITS, calls: 100, processCalls: 8 });
    const text = 'select subject, facts from attention_items where account_id is null and closed_at is null';
    return (await api.database.query(text)).rows;
  };
  expect(await found()).toEqual([{ subject: 'process_calls', facts: { name: 'process_calls', count: 7, of: 8 } }]);
  await removeOne('calls', account);
  expect(await found()).toMatchObject([{ facts: { count: 6 } }]);
  await removeOne('calls', account);
  expect(await found()).toEqual([]);
});

test('the load of the busiest phone process is an item of the service from 80% of its limit on', async () => {
  const found = async (percent: number) => {
    await api.database.query('delete from process_leases');
    for (const [id, of] of [
      [11, 10],
      [12, percent],
    ])
      await api.database.query(
        `insert into process_leases (id, instance, seen_at, load_percent) overriding system value
         values ($1, 'phone', now() + interval '1 hour', $2)`,
        [id, of],
      );
    await sweepAttention(api.database, null, LIMITS);
    const { rows } = await api.database.query<Pick<AttentionItem, 'kind' | 'subject' | 'merchantId' | 'facts'>>(
      `select kind, subject, merchant_id as "merchantId", facts from attention_items
        where subject = 'process_load' and closed_at is null`,
    );
    return rows.map((row) => attentionWords({ ...row, businessName: null }));
  };
  expect(await found(75)).toEqual([]);
  expect(await found(120)).toMatchObject([
    {
      title: 'A phone process is near its load limit',
      detail: 'In the last minute, its load was 120% of the limit. Above the limit, it refuses new calls.',
    },
  ]);
  expect(await found(70)).toHaveLength(1);
  expect(await found(65)).toEqual([]);
});

test('an account that has used 80% of its speech of an hour has an item for an hour', async () => {
  const { account } = await newAccount();
  const other = await newAccount();
  const found = async (of: AccountId) => {
    await sweepAttention(api.database, null, LIMITS);
    const text = 'select mode, subject from attention_items where account_id = $1 and closed_at is null';
    return (await api.database.query(text, [of])).rows;
  };
  await noteSpeechNearLimit(api.database, account);
  expect(await found(account)).toEqual([{ mode: 'live', subject: 'speech' }]);
  expect(await found(other.account)).toEqual([]);
  await api.database.query(`update accounts set speech_near_limit_at = now() - interval '61 minutes' where id = $1`, [
    account,
  ]);
  expect(await found(account)).toEqual([]);
});

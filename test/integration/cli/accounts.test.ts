/** `ringkey account`, `ringkey key` and `ringkey merchant`, from the command line to the database. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../../src/domain/ids.ts';
import { hashKey } from '../../../src/domain/key.ts';
import { MerchantResource } from '../../../src/contract/merchants.ts';
import { findAccount } from '../../../src/db/keys/accounts.ts';
import { findKey } from '../../../src/db/keys/keys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

function ringkey(line: string) {
  return runCommand(line, { DATABASE_URL: testDatabase.url });
}

async function json<T = Record<string, string>>(line: string): Promise<T> {
  const { code, out, err } = await ringkey(`${line} --json`);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

test('an account, its keys, from the first to the last', async () => {
  const { account_id = '', header_signing_secret } = await json('account create --name Acme --currency EUR');
  const id = parseId('Account', account_id);
  if (id === null) throw new Error('no account id');
  expect(await findAccount(testDatabase.database, id)).toMatchObject({
    name: 'Acme',
    currency: 'EUR',
    headerSigningSecret: header_signing_secret,
  });

  const created = await json(`key create --account ${id} --mode live --name bot`);
  const living = async (key = '') => (await findKey(testDatabase.database, hashKey(key)))?.mode ?? null;
  expect(created.key).toMatch(/^rk_live_/);
  expect(await living(created.key)).toBe('live');

  const rolled = await json(`key roll ${created.key_id} --expires-in 0`);
  expect([await living(created.key), await living(rolled.key)]).toEqual([null, 'live']);

  await json(`key revoke ${rolled.key_id}`);
  expect(await living(rolled.key)).toBeNull();

  const list = await ringkey(`key list --account ${id}`);
  expect(list.out).toContain(`${rolled.key_id}  live  ${rolled.prefix}…  revoked`);
  expect(list.out).toContain(`${created.key_id}  live  ${created.prefix}…  ends`);
  expect(list.out).not.toContain(rolled.key);
});

test('a merchant, in the currency of its account where none is given', async () => {
  const { account_id } = await json('account create --name Shops --currency GBP');
  const words = '--name Diner --number +15550100001 --policy above --threshold 2000';
  const merchant = await json(`merchant create --account ${account_id} --mode live ${words}`);
  expect(merchant).toMatchObject({
    ...{ environment: 'live', business_name: 'Diner', currency: 'GBP', numbers: ['+15550100001'] },
    ...{ payment_policy: 'above', payment_policy_amount_cents: 2_000, processor: null },
  });
  expect(MerchantResource.strict().parse(merchant)).toEqual(merchant);
  expect(await json(`merchant list --account ${account_id}`)).toEqual({ merchants: [merchant] });
  const { out } = await ringkey(`merchant list --account ${account_id}`);
  expect(out).toContain(
    `${merchant.merchant_id}  live  ${merchant.slug}  GBP  above 2000  no processor  +15550100001  Diner`,
  );
  expect((await ringkey(`merchant list --account ${account_id} --mode test`)).out).toBe('no merchants');
  const again = await ringkey(`merchant create --account ${account_id} --mode live ${words}`);
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/^ringkey: numbers: /) });
  const bare = await ringkey(`merchant create --account ${account_id} --name Bare --policy above`);
  expect(bare).toMatchObject({ code: 1, err: expect.stringMatching(/^ringkey: payment_policy_amount_cents: /) });
});

test('accounts are listed, without their secrets', async () => {
  const { account_id, header_signing_secret = '' } = await json('account create --name Listed');
  const { out } = await ringkey('account list');
  expect(out).toContain(`${account_id}  USD  Listed`);
  const listed = await ringkey('account list --json');
  expect(JSON.parse(listed.out)).toMatchObject({
    accounts: expect.arrayContaining([{ account_id, name: 'Listed', currency: 'USD' }]),
  });
  expect(out + listed.out).not.toContain(header_signing_secret);
});

test('a key is printed once', async () => {
  const { account_id } = await json('account create --name Acme');
  const { out } = await ringkey(`key create --account ${account_id}`);
  expect(out).toMatch(/^rk_test_[A-Za-z0-9_-]{43}\n {2}key_\w+, mode test\. Keep it/);
});

test.each([
  ['key create --account acct_nobody', 1, /no such account/],
  ['key revoke key_nobody', 1, /no such key/],
  ['account create --name Acme --curency EUR', 2, /unknown option '--curency'[\s\S]*--currency[\s\S]*Usage: /],
])('%s ends with %i', async (line, code, message) => {
  expect(await ringkey(line)).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
});

test('how long an old key goes on', async () => {
  const { account_id } = await json('account create --name Acme');
  for (const [option, seconds] of [
    ['', 86_400],
    [' --expires-in 90m', 5_400],
    [' --expires-in 7d', 604_800],
  ]) {
    const { key_id } = await json(`key create --account ${account_id}`);
    const rolled = await json<{ replaces: { expires_at: string } }>(`key roll ${key_id}${option}`);
    const leftMs = Date.parse(rolled.replaces.expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(Number(seconds) * 1_000 - 60_000);
    expect(leftMs).toBeLessThanOrEqual(Number(seconds) * 1_000);
  }
});

test.each([
  'account',
  'account create',
  'account create --name Acme --currency XXX',
  'account create --name=',
  `account create --name ${'x'.repeat(101)}`,
  'account create --name a\nb',
  'account create --name --json',
  'account create --nome Acme',
  'account list more',
  'key create',
  'key create --account mer_1',
  'key create --account acct_1 --mode prod',
  'key create --account acct_1 more',
  'key roll',
  'key roll key_1 key_2',
  'key roll key_1 --expires-in 8d',
  'key roll key_1 --expires-in soon',
  'key revoke acct_1',
  'key destroy key_1',
  'merchant create --account acct_1',
  'merchant create --name Shop',
  'merchant create --account acct_1 --name Shop --slug The-Shop',
  'merchant create --account acct_1 --name Shop --number 5550100001',
  'merchant create --account acct_1 --name Shop --policy sometimes',
  'merchant create --account acct_1 --name Shop --policy above --threshold 0',
  'merchant status mer_1',
])('a command line that does not fit: %s', async (line) => {
  expect(await ringkey(line)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/Usage: ringkey /) });
});

/** `ringkey account`, `ringkey key` and `ringkey merchant`, from the command line to the database. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { MerchantResource } from '../../../src/contract/merchants.ts';
import { findAccount } from '../../../src/db/keys/accounts.ts';
import { findKey } from '../../../src/db/keys/keys.ts';
import { listMerchantRecords } from '../../../src/db/merchants/merchant-records.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { hashKey } from '../../../src/domain/key.ts';
import { createVault, openHeaderSecret } from '../../../src/lib/vault/vault.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { runCommand } from '../../support/run-command.ts';

const KEY = randomBytes(32);

const testDatabase = useTestDatabase();

const settings = () => ({ DATABASE_URL: testDatabase.url, RINGKEY_ENCRYPTION_KEYS: KEY.toString('base64') });

function ringkey(line: string) {
  return runCommand(line, settings());
}

async function json<T = Record<string, string>>(line: string): Promise<T> {
  const { code, out, err } = await ringkey(`${line} --json`);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

test('creates an account, and creates, rolls, revokes and lists its keys', async () => {
  const { account_id = '', header_signing_secret } = await json('account create --name Acme --currency EUR');
  const id = parseId('Account', account_id);
  if (id === null) throw new Error('no account id');
  const account = await findAccount(testDatabase.database, id);
  expect(account).toMatchObject({ name: 'Acme', currency: 'EUR', headerSecretSealed: true });
  expect(account && openHeaderSecret(createVault([KEY]), account)).toBe(header_signing_secret);

  const created = await json(`key create --account ${id} --mode live --name bot`);
  const activeMode = async (key = '') => (await findKey(testDatabase.database, hashKey(key)))?.mode ?? null;
  expect(created.key).toMatch(/^rk_live_/);
  expect(await activeMode(created.key)).toBe('live');

  const rolled = await json(`key roll ${created.key_id} --expires-in 0`);
  expect([await activeMode(created.key), await activeMode(rolled.key)]).toEqual([null, 'live']);

  await json(`key revoke ${rolled.key_id}`);
  expect(await activeMode(rolled.key)).toBeNull();

  const list = await ringkey(`key list --account ${id}`);
  expect(list.out).toContain(`${rolled.key_id}  live  full  ${rolled.prefix}…  revoked`);
  expect(list.out).toContain(`${created.key_id}  live  full  ${created.prefix}…  expires`);
  expect(list.out).not.toContain(rolled.key);
});

test('creates no account without encryption keys, because its secret would be stored in the clear', async () => {
  const { code, err } = await runCommand('account create --name Clear', { DATABASE_URL: testDatabase.url });
  expect(code).toBe(1);
  expect(err).toContain('RINGKEY_ENCRYPTION_KEYS must be set when DATABASE_URL is');
  const { rowCount } = await testDatabase.database.query(`select from accounts where name = 'Clear'`);
  expect(rowCount).toBe(0);
});

test('encrypts and rolls the secret of an account', async () => {
  const created = await json('account create --name Sealed');
  const id = parseId('Account', created.account_id ?? '');
  if (id === null) throw new Error('no account id');
  const opened = async () => {
    const account = await findAccount(testDatabase.database, id);
    return account?.headerSecretSealed === true ? openHeaderSecret(createVault([KEY]), account) : null;
  };
  expect(await opened()).toBe(created.header_signing_secret);
  const rolled = await json(`account roll-secret ${id}`);
  expect(rolled.header_signing_secret).not.toBe(created.header_signing_secret);
  expect(await opened()).toBe(rolled.header_signing_secret);
  const events = await testDatabase.database.query(
    `select action, actor_kind, source, changes
       from audit_events where object_id = $1 order by sequence`,
    [id],
  );
  expect(events.rows).toMatchObject([
    { action: 'account.created', actor_kind: 'command', source: hostname(), changes: { name: 'Sealed' } },
    { action: 'account.secret_rolled', actor_kind: 'command', source: hostname(), changes: {} },
  ]);
  expect((await ringkey('account roll-secret acct_nobody')).code).toBe(1);
});

test('lets the operator change the lists of an account with live keys', async () => {
  const { account_id = '' } = await json('account create --name Live');
  await json(`key create --account ${account_id} --mode live`);
  const changed = await ringkey(`account update ${account_id} --return-host agents.example.com --json`);
  expect(changed).toMatchObject({ code: 0, out: expect.stringContaining('agents.example.com') });
});

test('creates a key with a scope, an expiry and allowed sources', async () => {
  const { account_id = '' } = await json('account create --name Bound');
  const bounds = '--scope agent --expires 90d --allow-source 203.0.113.0/24 --allow-source 2001:db8::1';
  const key = await json(`key create --account ${account_id} ${bounds}`);
  expect(key).toMatchObject({ scope: 'agent', allowed_sources: ['203.0.113.0/24', '2001:db8::1'] });
  const leftMs = Date.parse(key.expires_at ?? '') - Date.now();
  expect(leftMs).toBeGreaterThan(89 * 86_400_000);
  expect(leftMs).toBeLessThanOrEqual(90 * 86_400_000);
  const found = await findKey(testDatabase.database, hashKey(key.key ?? ''));
  expect(found).toMatchObject({ scope: 'agent', allowedSources: ['203.0.113.0/24', '2001:db8::1'] });
  const until = await json(`key create --account ${account_id} --expires 2049-12-31`);
  expect(until).toMatchObject({ scope: 'full', expires_at: '2049-12-31T00:00:00.000Z', allowed_sources: [] });
  expect(await json(`key roll ${key.key_id}`)).toMatchObject({ scope: 'agent', expires_at: key.expires_at });
});

test.each([
  '--scope admin',
  '--expires yesterday',
  '--expires 2020-01-01',
  '--expires 0d',
  '--allow-source example.com',
])('rejects creating a key with %s', async (option) => {
  const { code, err } = await ringkey(`key create --account acct_1 ${option}`);
  expect(code).toBe(2);
  expect(err).toContain(option.split(' ')[0]);
});

test('creates and lists a merchant, by default in the currency of its account', async () => {
  const { account_id } = await json('account create --name Shops --currency GBP');
  const words = '--name Diner --number +15550100001 --policy above --threshold 2000';
  const merchant = await json(`merchant create --account ${account_id} --mode live ${words}`);
  expect(merchant).toMatchObject({
    environment: 'live',
    business_name: 'Diner',
    currency: 'GBP',
    numbers: ['+15550100001'],
    payment_policy: 'above',
    payment_policy_amount_cents: 2_000,
    processor: null,
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

test('rejects a number of the payment line as a merchant’s number', async () => {
  const { account_id } = await json('account create --name Acme');
  const withNumber = { ...settings(), RINGKEY_TRANSFER_NUMBERS: `+15550109999=${account_id}:live` };
  const words = `merchant create --account ${account_id} --name Diner --number +15550109999`;
  expect(await runCommand(words, withNumber)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^ringkey: numbers: /),
  });
});

test('lists accounts without their secrets', async () => {
  const { account_id, header_signing_secret = '' } = await json('account create --name Listed');
  const { out } = await ringkey('account list');
  expect(out).toContain(`${account_id}  USD  Listed`);
  const listed = await ringkey('account list --json');
  expect(JSON.parse(listed.out)).toMatchObject({
    accounts: expect.arrayContaining([
      {
        account_id,
        name: 'Listed',
        currency: 'USD',
        return_hosts: null,
        return_number_prefixes: [],
        text_countries: [],
        attestation_urls: { test: null, live: null },
      },
    ]),
  });
  expect(out + listed.out).not.toContain(header_signing_secret);
});

const NO_URLS = { attestation_urls: { test: null, live: null } };

test('changes the allowed hosts, prefixes and countries of an account one by one', async () => {
  const { account_id } = await json('account create --name Sender');
  const facts = { account_id, name: 'Sender', currency: 'USD', text_countries: [] as string[] };
  const hosts = ['agents.example.com', '*.example.org'];
  const first = await json(`account update ${account_id} --return-host Agents.example.com --return-host *.example.org`);
  expect(first).toEqual({ ...facts, return_hosts: hosts, return_number_prefixes: [], ...NO_URLS });
  const second = await json(`account update ${account_id} --return-prefix +44`);
  expect(second).toEqual({ ...facts, return_hosts: hosts, return_number_prefixes: ['+44'], ...NO_URLS });
  const { out } = await ringkey('account list');
  expect(out).toContain(`${account_id}  USD  Sender  returns to agents.example.com, *.example.org, +44`);
  const last = await json(`account update ${account_id} --no-return-host --no-return-prefix`);
  expect(last).toEqual({ ...facts, return_hosts: [], return_number_prefixes: [], ...NO_URLS });
  const texts = await json(`account update ${account_id} --text-country mx --text-country GB`);
  expect(texts).toMatchObject({ text_countries: ['MX', 'GB'], return_hosts: [] });
  expect(await json(`account update ${account_id} --no-text-country`)).toMatchObject({ text_countries: [] });
});

test('sets the attestation URL of one mode', async () => {
  const { account_id } = await json('account create --name Attested');
  const url = 'https://voice.example.com/attestation';
  const live = await json(`account update ${account_id} --mode live --attestation-url ${url}`);
  expect(live).toMatchObject({ attestation_urls: { test: null, live: url } });
  expect(await json(`account update ${account_id} --return-prefix +44`)).toMatchObject({
    attestation_urls: { test: null, live: url },
  });
  expect(await ringkey(`account update ${account_id} --mode live --attestation-url http://127.0.0.1/`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/must be an https URL at a public host/),
  });
  expect(await json(`account update ${account_id} --mode live --no-attestation-url`)).toMatchObject(NO_URLS);
});

test('prints a new key once', async () => {
  const { account_id } = await json('account create --name Acme');
  const { out } = await ringkey(`key create --account ${account_id}`);
  expect(out).toMatch(/^rk_test_[A-Za-z0-9_-]{43}\n {2}key_\w+, mode test, scope full\. Save it now/);
});

test.each([
  ['key create --account acct_nobody', 1, /account not found/],
  ['account update acct_nobody --return-host *', 1, /account not found/],
  ['account update acct_x --text-country Mexico', 2, /two letters/],
  ['key revoke key_nobody', 1, /key not found/],
  ['account create --name Acme --curency EUR', 2, /unknown option '--curency'[\s\S]*--currency[\s\S]*Usage: /],
])('runs “%s” with exit code %i', async (line, code, message) => {
  expect(await ringkey(line)).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
});

test('keeps a rolled key valid for the given time', async () => {
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
  'account update',
  'account update acct_1 --return-host sip:agent@example.com',
  'account update acct_1 --return-prefix 44',
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
])('rejects the command line: %s', async (line) => {
  expect(await ringkey(line)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/Usage: ringkey /) });
});

test('the first test key brings what it can be tried on; later ones bring no more', async () => {
  const { account_id = '' } = await json('account create --name Fresh --currency EUR');
  const other = await json('account create --name Other');
  const id = parseId('Account', account_id);
  if (id === null) throw new Error('no account id');
  const merchants = async () =>
    (
      await listMerchantRecords(
        testDatabase.database,
        { accountId: id, mode: 'test' },
        { limit: 10, startingAfter: null },
      )
    )?.items ?? [];
  await json(`key create --account ${id} --mode live`);
  expect(await merchants()).toEqual([]);
  const { code, out } = await ringkey(`key create --account ${id} --mode test`);
  expect(code).toBe(0);
  const found = await merchants();
  expect(found.map(({ merchant }) => merchant.slug).toSorted()).toEqual([
    'demo-books',
    'demo-diner',
    'demo-free',
    'demo-market',
  ]);
  for (const { merchant, numbers } of found) {
    expect(out).toMatch(new RegExp(`${merchant.id}  ${merchant.businessName}  \\${numbers[0]}`));
    expect(merchant).toMatchObject({ currency: 'EUR', processor: 'sandbox' });
  }
  expect(out).toMatch(/order_1001/);
  expect(out).toMatch(/caller \+15550101234 with the saved card card_/);
  expect((await ringkey(`key create --account ${id} --mode test`)).out).not.toMatch(/mer_/);
  expect(await merchants()).toHaveLength(4);
  const { test_data } = await json<{ test_data: { merchants: { merchant_id: string }[] } }>(
    `key create --account ${other.account_id} --mode test`,
  );
  const ours = found.map(({ merchant }) => String(merchant.id));
  for (const { merchant_id } of test_data.merchants) expect(ours).not.toContain(merchant_id);
});

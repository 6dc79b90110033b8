/** `ringkey vault reseal`: afterwards, the old encryption key is no longer needed. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notificationSecretContext } from '../../../src/accounts/merchants/notification-secret.ts';
import { orderSourceContext } from '../../../src/accounts/merchants/order-source.ts';
import { credentialsContext, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { totpContext } from '../../../src/accounts/users/second-factor.ts';
import { slackUrlContext } from '../../../src/alerts/manage.ts';
import { sendLink } from '../../../src/checkout/send-link.ts';
import { resealAll, SEALED } from '../../../src/cli/vault-reseal.ts';
import { deleteInstrument } from '../../../src/db/cards/removals.ts';
import { findAccount, insertAccount } from '../../../src/db/keys/accounts.ts';
import { answerContext } from '../../../src/db/keys/idempotency.ts';
import { setNotificationSecret } from '../../../src/db/processor-notifications/inbox.ts';
import { readSealed, replaceSealed } from '../../../src/db/sealed.ts';
import { rollWebhookSecret } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { type Id, type IdKind, newId, parseId } from '../../../src/domain/ids.ts';
import {
  createVault,
  openHeaderSecret,
  sealHandle,
  sealHeaderSecret,
  type Vault,
} from '../../../src/lib/vault/vault.ts';
import { DEMO_SIGNING_SECRET, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { webhookSecretContext } from '../../../src/notifications/webhooks/endpoints.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';
import { createTestSession } from '../../support/test-merchants.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [old, both, fresh] = [createVault([OLD]), createVault([NEW, OLD]), createVault([NEW])];
const KEY_HASH = Buffer.alloc(32, 7);
const ANSWER = { accountId: 'acct_demo', mode: 'test', route: 'POST /v1/keys/:id/roll', keyHash: KEY_HASH };
const CARDS = 5;
const DINER = {
  accountId: seededId('Account', 'acct_demo'),
  merchantId: seededId('Merchant', 'mer_demo_diner'),
  mode: 'test',
} as const;

function seededId<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text);
  if (id === null) throw new Error('no id');
  return id;
}

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  await seedDemo(testDatabase.database);
});
afterEach(async () => {
  await testDatabase.close();
});

function reseal(keys: readonly Buffer[]) {
  return runCommand('vault reseal', {
    DATABASE_URL: testDatabase.url,
    RINGKEY_ENCRYPTION_KEYS: keys.map((key) => key.toString('base64')).join(),
  });
}

async function saveCard(vault: Vault, handle: string) {
  const id = newId('Instrument');
  await testDatabase.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, handle_sealed,
                              brand, last_four, expiry_month, expiry_year)
     values ($1, 'acct_demo', 'test', 'con_demo_caller', 'mer_demo_books', 'stripe', $2, true, 'VISA', '4242', 12, 2049)`,
    [id, sealHandle(vault, id, handle)],
  );
  return id;
}

/** Writes at least one encrypted text into each column that can have one. */
async function fillSealedColumns(vault: Vault) {
  const sql = testDatabase.database;
  const endpoint = newId('WebhookEndpoint');
  const secret = (text: string) => vault.seal(text, webhookSecretContext(endpoint));
  const cards = [];
  for (let n = 0; n < CARDS; n += 1) cards.push(await saveCard(vault, `handle ${n}`));
  const removed = await saveCard(vault, 'removed handle');
  await deleteInstrument(sql, removed);
  await sql.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor, credentials)
     values ('mer_demo_books', 'acct_demo', 'test', 'stripe', $1)`,
    [vault.seal('{"secret_key":"sk_test_1"}', credentialsContext('mer_demo_books', 'stripe'))],
  );
  const notification = (text: string) => vault.seal(text, notificationSecretContext('mer_demo_books', 'stripe'));
  await setNotificationSecret(
    sql,
    seededId('Merchant', 'mer_demo_books'),
    'stripe',
    notification('first notification secret'),
    24,
  );
  await setNotificationSecret(
    sql,
    seededId('Merchant', 'mer_demo_books'),
    'stripe',
    notification('second notification secret'),
    24,
  );
  await sql.query(
    `insert into order_sources (merchant_id, account_id, mode, kind, url, signing_secret)
     values ('mer_demo_books', 'acct_demo', 'test', 'http', 'https://orders.example.com', $1)`,
    [vault.seal('order secret', orderSourceContext('mer_demo_books'))],
  );
  await sql.query(
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
     values ($1, 'acct_demo', 'test', 'https://hooks.example.com', '{}', $2)`,
    [endpoint, secret('first')],
  );
  const alert = newId('AlertTarget');
  await sql.query(
    `insert into alert_targets (id, account_id, mode, channel, slack_url, topics, urgent_only, time_zone, summary_if_empty)
     values ($1, 'acct_demo', 'test', 'slack', $2, '{keys}', false, 'UTC', false)`,
    [alert, vault.seal('https://slack.example.com/services/T0', slackUrlContext(alert))],
  );
  await rollWebhookSecret(sql, endpoint, secret('second'), 3_600);
  const account = newId('Account');
  await insertAccount(sql, { id: account, name: 'Sealed' }, sealHeaderSecret(vault, account, 'header secret'));
  await sql.query(
    `insert into idempotency_keys (account_id, mode, route, key_hash, request_hash, request_id, claimed_until, status, answer)
     values ($1, 'test', $2, $3, $3, 'req_1', now(), 200, $4)`,
    [ANSWER.accountId, ANSWER.route, KEY_HASH, vault.seal('answer', answerContext(ANSWER))],
  );
  const user = newId('User');
  const totp = (text: string) => vault.seal(text, totpContext(user));
  await sql.query(
    `insert into users (id, account_id, email, name, role, password_hash, totp_secret)
     values ($1, 'acct_demo', 'ada@example.com', 'Ada', 'owner', 'hash', $2)`,
    [user, totp('authenticator')],
  );
  await sql.query(
    `insert into user_invitations (token_hash, user_id, totp_secret, expires_at) values ($1, $2, $3, now())`,
    [KEY_HASH, user, totp('new authenticator')],
  );
  const session = await createTestSession(sql, { ...DINER });
  await sendLink(
    {
      database: sql,
      vault,
      processors: [createSandbox(sql)],
      linkBase: () => 'https://pay.example.com',
      hasSmsCarrier: false,
    },
    DINER,
    session,
  );
  return { cards, removed, endpoint };
}

/** All columns of the database with a text that is encrypted with this key. */
async function placesOf(key: Buffer): Promise<string[]> {
  const [keyId] = createVault([key]).seal('', '').split('.');
  const columns = await testDatabase.database.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'text' order by 1, 2`,
  );
  const places: string[] = [];
  for (const { table, column } of columns.rows) {
    const found = await testDatabase.database.query(`select 1 from ${table} where starts_with(${column}, $1) limit 1`, [
      `${keyId}.`,
    ]);
    if (found.rowCount !== 0) places.push(`${table}.${column}`);
  }
  return places;
}

async function opened(vault: Vault): Promise<string[]> {
  const texts: string[] = [];
  for (const kind of SEALED) {
    for (const { key, sealed } of await readSealed(testDatabase.database, kind, null, 100)) {
      texts.push(vault.open(sealed, kind.context(key)));
    }
  }
  return texts.sort();
}

test('encrypts every text with the new key', async () => {
  const { cards } = await fillSealedColumns(old);
  const extra = await saveCard(both, 'of the new key');
  const columns = SEALED.map(({ table, column }) => `${table}.${column}`).sort();
  expect(await placesOf(OLD)).toEqual(columns);
  const before = await opened(both);
  expect(before).toHaveLength(columns.length - 1 + CARDS + 1);

  expect(await reseal([NEW, OLD])).toEqual({
    code: 0,
    err: '',
    log: '',
    out: [
      'account secrets of earlier versions: 1 encrypted',
      'processor credentials: 1 encrypted again, 0 unchanged',
      'notification secrets: 1 encrypted again, 0 unchanged',
      'previous notification secrets: 1 encrypted again, 0 unchanged',
      'order source secrets: 1 encrypted again, 0 unchanged',
      'webhook secrets: 1 encrypted again, 0 unchanged',
      'previous webhook secrets: 1 encrypted again, 0 unchanged',
      'Slack channels of alerts: 1 encrypted again, 0 unchanged',
      'account secrets: 1 encrypted again, 1 unchanged',
      `card handles: ${cards.length} encrypted again, 1 unchanged`,
      'handles of removed cards: 1 encrypted again, 0 unchanged',
      'pay links: 1 encrypted again, 0 unchanged',
      'texts with pay links: 1 encrypted again, 0 unchanged',
      'authenticators of invited users: 1 encrypted again, 0 unchanged',
      'authenticators of users: 1 encrypted again, 0 unchanged',
      'stored responses: 1 encrypted again, 0 unchanged',
    ].join('\n'),
  });
  expect(await placesOf(OLD)).toEqual([]);
  expect(await opened(fresh)).toEqual([...before, DEMO_SIGNING_SECRET].sort());
  expect(before).toEqual(expect.arrayContaining(['first', 'second', 'handle 4', 'removed handle', 'of the new key']));
  expect(cards).not.toContain(extra);

  const charge = { ...DINER, merchantId: seededId('Merchant', 'mer_demo_books'), processor: 'stripe' };
  const credentials = await credentialsSource(testDatabase.database, fresh)(charge);
  expect(credentials?.secret_key?.reveal((text) => text)).toBe('sk_test_1');
});

test('encrypts the secret of an account that an earlier version created, without changing it', async () => {
  const id = newId('Account');
  await insertAccount(testDatabase.database, { id, name: 'Old' });
  const before = await findAccount(testDatabase.database, id);
  expect((await reseal([NEW])).out).toMatch(/^account secrets of earlier versions: 2 encrypted$/m);
  const after = await findAccount(testDatabase.database, id);
  if (before === null || after === null) throw new Error('no account');
  expect(after.headerSigningSecret).not.toContain(before.headerSigningSecret);
  expect(openHeaderSecret(fresh, after)).toBe(before.headerSigningSecret);
  expect([openHeaderSecret(old, after), openHeaderSecret(null, after)]).toEqual([null, null]);
  // It cannot be decrypted for another account.
  expect(openHeaderSecret(fresh, { ...after, id: newId('Account') })).toBeNull();
  expect((await reseal([NEW])).out).not.toMatch(/earlier versions/);
});

test('works in batches, and changes nothing the second time', async () => {
  await fillSealedColumns(old);
  const first = await resealAll(testDatabase.database, both, 1);
  expect(first.find(({ name }) => name === 'card handles')).toMatchObject({ resealed: CARDS, current: 0, missed: 0 });
  const again = await resealAll(testDatabase.database, both, 1);
  expect(again.map(({ resealed }) => resealed)).toEqual(SEALED.map(() => 0));
  expect(again.find(({ name }) => name === 'card handles')).toMatchObject({ current: CARDS });
  expect(await placesOf(OLD)).toEqual([]);
});

test('names the row that no key decrypts, keeps it, and encrypts the rest', async () => {
  const lost = await saveCard(createVault([randomBytes(32)]), 'lost');
  const savedCard = await saveCard(old, 'kept');
  const { code, err } = await reseal([NEW, OLD]);
  expect({ code, err }).toEqual({ code: 1, err: `ringkey: card handles that no key decrypts: ${lost}` });
  const { rows } = await testDatabase.database.query<{ handle: string }>(
    'select processor_handle as handle from instruments where id = $1',
    [savedCard],
  );
  expect(fresh.isCurrent(String(rows[0]?.handle))).toBe(true);
});

test('skips texts that the service has changed or locked in the meantime', async () => {
  const [changed, held, free] = [await saveCard(old, '1'), await saveCard(old, '2'), await saveCard(old, '3')];
  const cards = SEALED.find(({ name }) => name === 'card handles');
  if (cards === undefined) throw new Error('no cards');
  const mine = [changed, held, free] as readonly string[];
  const texts = (await readSealed(testDatabase.database, cards, null, 100)).filter(({ key }) =>
    mine.includes(key[0] ?? ''),
  );
  await testDatabase.database.query(`update instruments set processor_handle = 'newer' where id = $1`, [changed]);
  const replaced = await testDatabase.database.transaction(async (sql) => {
    await sql.query('select 1 from instruments where id = $1 for update', [held]);
    return replaceSealed(
      testDatabase.database,
      cards,
      texts.map((text) => ({ ...text, resealed: `resealed ${text.key[0]}` })),
    );
  });
  expect(replaced).toBe(1);
  const { rows } = await testDatabase.database.query<{ id: string; handle: string }>(
    'select id, processor_handle as handle from instruments where id = any($1)',
    [mine],
  );
  const handles = new Map(rows.map(({ id, handle }) => [id, handle]));
  expect([handles.get(changed), handles.get(free)]).toEqual(['newer', `resealed ${free}`]);
  expect(handles.get(held)).toBe(texts.find(({ key }) => key[0] === held)?.sealed);
});

import { expect, test } from 'vitest';
import { findAccount } from '../../../src/db/keys/accounts.ts';
import { findKey } from '../../../src/db/keys/keys.ts';
import { listMerchantRecords } from '../../../src/db/merchants/merchant-records.ts';
import { findMerchantBySlug } from '../../../src/db/merchants/merchants.ts';
import { hashKey } from '../../../src/domain/key.ts';
import {
  DEMO_ACCOUNT,
  DEMO_KEY,
  DEMO_SIGNING_SECRET,
  revokeDemoKey,
  seedDemo,
} from '../../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;

const test1 = useTestDatabase();

test('seeds the demo on every start, and keeps changes', async () => {
  const { database } = test1;
  await Promise.all([seedDemo(database), seedDemo(database)]);
  await database.query(`update merchants set business_name = 'My Diner' where id = 'mer_demo_diner'`);
  await seedDemo(database);
  const merchants = await listMerchantRecords(database, SCOPE, { limit: 100, startingAfter: null });
  const ofNumber = (number: string) => merchants?.items.find(({ numbers }) => numbers.includes(number))?.merchant;

  expect(Buffer.from(DEMO_SIGNING_SECRET, 'base64')).toHaveLength(32);
  expect(await findAccount(database, DEMO_ACCOUNT)).toMatchObject({ headerSigningSecret: DEMO_SIGNING_SECRET });
  expect(await findMerchantBySlug(database, SCOPE, 'demo-diner')).toMatchObject({
    id: 'mer_demo_diner',
    businessName: 'My Diner',
    policy: { kind: 'always' },
    asksPostalCode: false,
    asksConfirmation: false,
  });
  expect(ofNumber('+15550100002')).toMatchObject({
    slug: 'demo-books',
    policy: { kind: 'above', amountCents: 2_000 },
    asksPostalCode: true,
    asksConfirmation: true,
  });
  expect(ofNumber('+15550100003')).toMatchObject({
    id: 'mer_demo_free',
    policy: { kind: 'never' },
  });
  expect(ofNumber('+15550100004')).toMatchObject({
    id: 'mer_demo_market',
    slug: 'demo-market',
    policy: { kind: 'always' },
    cardSaving: 'ask',
  });
  const count = await database.query('select count(*)::int from sandbox_orders');
  expect(count.rows).toEqual([{ count: 6 }]);
});

test('stores only the hash of the demo key', async () => {
  await seedDemo(test1.database);
  expect(await findKey(test1.database, hashKey(DEMO_KEY))).toMatchObject(SCOPE);
  const { rows } = await test1.database.query('select to_jsonb(k) as row from keys k');
  expect(JSON.stringify(rows)).not.toContain(DEMO_KEY);
});

test('restores a revoked demo key at the next start', async () => {
  const { database } = test1;
  await seedDemo(database);
  await database.query('update keys set revoked_at = now() where key_hash = $1', [hashKey(DEMO_KEY)]);
  expect(await findKey(database, hashKey(DEMO_KEY))).toBeNull();
  await seedDemo(database);
  expect(await findKey(database, hashKey(DEMO_KEY))).toMatchObject(SCOPE);
});

test('revokes the demo key without the demo, and restores it with the demo', async () => {
  const { database } = test1;
  await seedDemo(database);
  expect(await findKey(database, hashKey(DEMO_KEY))).not.toBeNull();
  await revokeDemoKey(database);
  expect(await findKey(database, hashKey(DEMO_KEY))).toBeNull();
  await seedDemo(database);
  expect(await findKey(database, hashKey(DEMO_KEY))).not.toBeNull();
});

/** The demo: an account, and the test data of every account under the IDs in the documentation. */
import { DEMO_ACCOUNT_ID, DEMO_KEY, DEMO_SIGNING_SECRET } from '../../contract/demo.ts';
import { insertAccount } from '../../db/keys/accounts.ts';
import { insertKey } from '../../db/keys/keys.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { type Id, type IdKind, parseId } from '../../domain/ids.ts';
import { hashKey } from '../../domain/key.ts';
import { insertTestData, type TestDataIds } from './test-data.ts';

export { DEMO_KEY, DEMO_SIGNING_SECRET };

export const DEMO_ACCOUNT = seeded('Account', DEMO_ACCOUNT_ID);

export const DEMO_DINER = seeded('Merchant', 'mer_demo_diner');

const SCOPE: Scope = { accountId: DEMO_ACCOUNT, mode: 'test' };
const IDS: TestDataIds = {
  diner: DEMO_DINER,
  books: seeded('Merchant', 'mer_demo_books'),
  free: seeded('Merchant', 'mer_demo_free'),
  market: seeded('Merchant', 'mer_demo_market'),
  caller: seeded('Consumer', 'con_demo_caller'),
  card: seeded('Instrument', 'card_demo_visa'),
};

/** Inserts the demo data; existing rows do not change. */
export async function seedDemo(sql: Sql): Promise<void> {
  await insertAccount(sql, { id: DEMO_ACCOUNT, name: 'Ringkey demo' });
  await sql.query(
    `update accounts set header_signing_secret = $2, header_secret_sealed = false,
                         return_hosts = coalesce(return_hosts, '{*}') where id = $1`,
    [DEMO_ACCOUNT, DEMO_SIGNING_SECRET],
  );
  await insertKey(sql, { ...SCOPE, key: DEMO_KEY });
  // A visitor may have revoked or rolled the key; each start restores it.
  await sql.query('update keys set revoked_at = null, expires_at = null where key_hash = $1', [hashKey(DEMO_KEY)]);
  await insertTestData(sql, SCOPE, IDS, 'USD');
}

/** Revokes the well-known key if Ringkey no longer runs as a demo. */
export async function revokeDemoKey(sql: Sql): Promise<void> {
  await sql.query('update keys set revoked_at = now() where key_hash = $1 and revoked_at is null', [hashKey(DEMO_KEY)]);
}

function seeded<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text);
  if (id === null) throw new Error('a seeded id has not the shape of an id');
  return id;
}

/** The demo: an account, four merchants, a caller with a saved card, a few orders. Everything is in test mode. */
import { DEMO_KEY, DEMO_SIGNING_SECRET } from '../contract/demo.ts';
import type { Scope } from '../domain/account.ts';
import { type Id, type IdKind, parseId } from '../domain/ids.ts';
import { hashKey } from '../domain/key.ts';
import type { Merchant, PaymentPolicy } from '../domain/session.ts';
import { insertAccount } from '../db/keys/accounts.ts';
import { insertConsumer, insertInstrument } from '../db/cards/consumers.ts';
import type { Sql } from '../db/pool.ts';
import { insertKey } from '../db/keys/keys.ts';
import { seedMerchant } from '../db/merchants/merchant-records.ts';

export { DEMO_KEY, DEMO_SIGNING_SECRET };

export const DEMO_ACCOUNT = seeded('Account', 'acct_demo');
export const DEMO_CALLER_PHONE = '+15550101234';

const SCOPE: Scope = { accountId: DEMO_ACCOUNT, mode: 'test' };
const DINER = seeded('Merchant', 'mer_demo_diner');
const BOOKS = seeded('Merchant', 'mer_demo_books');
const FREE = seeded('Merchant', 'mer_demo_free');
const MARKET = seeded('Merchant', 'mer_demo_market');
const CALLER = seeded('Consumer', 'con_demo_caller');

/** Inserts the demo data; rows that exist are left as they are. */
export async function seedDemo(sql: Sql): Promise<void> {
  await insertAccount(sql, { id: DEMO_ACCOUNT, name: 'Ringkey demo' });
  await sql.query('update accounts set header_signing_secret = $2 where id = $1', [DEMO_ACCOUNT, DEMO_SIGNING_SECRET]);
  await insertKey(sql, { ...SCOPE, key: DEMO_KEY });
  // A visitor may have revoked or rolled it: from each start on it works again.
  await sql.query('update keys set revoked_at = null, expires_at = null where key_hash = $1', [hashKey(DEMO_KEY)]);
  for (const { merchant, number } of MERCHANTS) await seedMerchant(sql, merchant, [number]);
  await insertConsumer(sql, SCOPE, {
    id: CALLER,
    phone: DEMO_CALLER_PHONE,
    firstName: 'Demo',
    lastName: 'Caller',
    email: 'demo.caller@example.com',
  });
  await insertInstrument(sql, SCOPE, {
    id: seeded('Instrument', 'card_demo_visa'),
    consumerId: CALLER,
    merchantId: DINER,
    processor: 'sandbox',
    processorHandle: 'sandbox_visa',
    fingerprint: 'visa',
    brand: 'VISA',
    lastFour: '4242',
    expiryMonth: 12,
    expiryYear: 2049,
    isDefault: true,
  });
  for (const [merchantId, orderId, amountCents] of ORDERS) {
    await sql.query(
      `insert into sandbox_orders (account_id, merchant_id, order_id, amount_cents) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [DEMO_ACCOUNT, merchantId, orderId, amountCents],
    );
  }
}

const MERCHANTS: readonly { merchant: Merchant; number: string }[] = [
  {
    number: '+15550100001',
    merchant: demoMerchant(DINER, 'demo-diner', 'Demo Diner', { kind: 'always' }),
  },
  {
    number: '+15550100002',
    merchant: {
      ...demoMerchant(BOOKS, 'demo-books', 'Demo Books', { kind: 'above', amountCents: 2_000 }),
      asksPostalCode: true,
      asksConfirmation: true,
    },
  },
  {
    number: '+15550100003',
    merchant: demoMerchant(FREE, 'demo-free', 'Demo Library', { kind: 'never' }),
  },
  {
    number: '+15550100004',
    merchant: { ...demoMerchant(MARKET, 'demo-market', 'Demo Market', { kind: 'always' }), cardSaving: 'ask' },
  },
];

/** Minor units of US dollars. */
const ORDERS = [
  [DINER, 'order_1001', 4_250],
  [DINER, 'order_1002', 1_899],
  [DINER, 'order_1003', 12_600],
  [BOOKS, 'order_2001', 3_499],
  [BOOKS, 'order_2002', 1_250],
  [FREE, 'order_3001', 500],
] as const;

function demoMerchant(id: Id<'Merchant'>, slug: string, businessName: string, policy: PaymentPolicy): Merchant {
  return {
    id,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    slug,
    businessName,
    currency: 'USD',
    policy,
    language: 'en-US',
    timeZone: 'UTC',
    voice: null,
    asksPostalCode: false,
    asksConfirmation: false,
    cardSaving: 'never',
    returnMode: null,
    acceptedBrands: ['visa', 'mastercard', 'american-express', 'discover'],
    processor: 'sandbox',
  };
}

function seeded<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text);
  if (id === null) throw new Error('a seeded id has not the shape of an id');
  return id;
}

/**
 * The test data of an account: four merchants, a caller with a saved card, a few orders. Everything is in test mode.
 */
import { takeAdvisoryLocks } from '../../db/advisory-locks.ts';
import { insertConsumer, insertInstrument } from '../../db/cards/consumers.ts';
import { seedMerchant } from '../../db/merchants/merchant-records.ts';
import { type Database, readOne, type Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { type AccountId, type ConsumerId, type InstrumentId, type MerchantId, newId } from '../../domain/ids.ts';
import { MERCHANT_DEFAULTS, type Merchant, type PaymentPolicy } from '../../domain/merchant.ts';
import type { Currency } from '../../domain/money.ts';

export const TEST_CALLER_PHONE = '+15550101234';

type MerchantName = 'diner' | 'books' | 'free' | 'market';

export interface TestDataIds extends Record<MerchantName, MerchantId> {
  caller: ConsumerId;
  card: InstrumentId;
}

/** One merchant of an account's test data. */
interface TestDataMerchant {
  merchant: Merchant;
  /** E.164; the same in every account's test data. */
  number: string;
  orders: readonly string[];
}

export interface TestData {
  merchants: readonly TestDataMerchant[];
  callerPhone: string;
  cardId: InstrumentId;
}

/** Creates test data with new IDs for an account. @returns null if the account already has test merchants */
export function giveTestData(database: Database, accountId: AccountId, currency: Currency): Promise<TestData | null> {
  return database.transaction(async (sql) => {
    await takeAdvisoryLocks(sql, [`test data ${accountId}`]);
    const { has } = await readOne<{ has: boolean }>(
      sql,
      `select exists (select from merchants where account_id = $1 and mode = 'test') as has`,
      [accountId],
    );
    if (has) return null;
    const [diner, books, free, market] = [newId('Merchant'), newId('Merchant'), newId('Merchant'), newId('Merchant')];
    const ids = { diner, books, free, market, caller: newId('Consumer'), card: newId('Instrument') };
    return insertTestData(sql, { accountId, mode: 'test' }, ids, currency);
  });
}

/** Existing rows do not change. */
export async function insertTestData(sql: Sql, scope: Scope, ids: TestDataIds, currency: Currency): Promise<TestData> {
  const merchants = merchantsOf(ids, scope, currency);
  for (const { merchant, number } of merchants) await seedMerchant(sql, merchant, [number]);
  await insertConsumer(sql, scope, {
    id: ids.caller,
    phone: TEST_CALLER_PHONE,
    firstName: 'Demo',
    lastName: 'Caller',
    email: 'demo.caller@example.com',
  });
  const visa = {
    id: ids.card,
    consumerId: ids.caller,
    merchantId: ids.diner,
    processor: 'sandbox',
    // The sandbox's handles are not secret.
    processorHandle: 'sandbox_visa',
    handleSealed: false,
    fingerprint: 'visa',
    brand: 'VISA',
    lastFour: '4242',
    expiryMonth: 12,
    expiryYear: 2049,
    isDefault: true,
  };
  await insertInstrument(sql, scope, visa, 'on conflict do nothing');
  for (const [name, orderId, amountCents] of ORDERS) {
    await sql.query(
      `insert into sandbox_orders (account_id, merchant_id, order_id, amount_cents) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [scope.accountId, ids[name], orderId, amountCents],
    );
  }
  return { merchants, callerPhone: TEST_CALLER_PHONE, cardId: ids.card };
}

/** Amounts in minor units of the merchant's currency. */
const ORDERS: readonly (readonly [MerchantName, string, number])[] = [
  ['diner', 'order_1001', 4_250],
  ['diner', 'order_1002', 1_899],
  ['diner', 'order_1003', 12_600],
  ['books', 'order_2001', 3_499],
  ['books', 'order_2002', 1_250],
  ['free', 'order_3001', 500],
];

/** It offers to save cards, and speaks Spanish on request. */
const MARKET: Partial<Merchant> = { cardSaving: 'ask', secondLanguage: 'es' };

/** It also takes bank accounts. */
const BOOKS: Partial<Merchant> = {
  asksPostalCode: true,
  asksConfirmation: true,
  bankDebitPhone: '+15550100002',
};

const ABOVE_20: PaymentPolicy = { kind: 'above', amountCents: 2_000 };

function merchantsOf(ids: TestDataIds, scope: Scope, currency: Currency): TestDataMerchant[] {
  const merchantOf = (
    name: MerchantName,
    number: string,
    businessName: string,
    policy: PaymentPolicy,
    more: Partial<Merchant> = {},
  ): TestDataMerchant => ({
    number,
    merchant: {
      ...MERCHANT_DEFAULTS,

      ...scope,
      id: ids[name],
      slug: `demo-${name}`,
      businessName,
      currency,
      policy,
      processor: 'sandbox',
      ...more,
    },
    orders: ORDERS.filter(([of]) => of === name).map(([, orderId]) => orderId),
  });
  return [
    merchantOf('diner', '+15550100001', 'Demo Diner', { kind: 'always' }),
    merchantOf('books', '+15550100002', 'Demo Books', ABOVE_20, BOOKS),
    merchantOf('free', '+15550100003', 'Demo Library', { kind: 'never' }),
    merchantOf('market', '+15550100004', 'Demo Market', { kind: 'always' }, MARKET),
  ];
}

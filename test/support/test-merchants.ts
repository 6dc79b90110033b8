/** Creates merchants, sessions and saved cards. */

import { insertAccount } from '../../src/db/keys/accounts.ts';
import { seedMerchant } from '../../src/db/merchants/merchant-records.ts';
import type { Sql } from '../../src/db/pool.ts';
import { insertSession, type NewSession } from '../../src/db/sessions/sessions.ts';
import type { CaptureMode } from '../../src/domain/hold.ts';
import {
  type AccountId,
  type CheckoutSessionId,
  type InstrumentId,
  type MerchantId,
  newId,
} from '../../src/domain/ids.ts';
import { MERCHANT_DEFAULTS, type Merchant } from '../../src/domain/merchant.ts';
import type { Mode, Purpose } from '../../src/domain/session.ts';
import { sealHandle, type Vault } from '../../src/lib/vault/vault.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';

export interface TestMerchant {
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
}

export async function createTestMerchant(
  sql: Sql,
  options: { processor?: string | null; mode?: Mode } = {},
): Promise<TestMerchant> {
  const testMerchant: TestMerchant = {
    accountId: newId('Account'),
    merchantId: newId('Merchant'),
    mode: options.mode ?? 'test',
  };
  await insertAccount(sql, { id: testMerchant.accountId, name: 'Test' });
  const merchant: Merchant = {
    ...MERCHANT_DEFAULTS,
    id: testMerchant.merchantId,
    accountId: testMerchant.accountId,
    mode: testMerchant.mode,
    slug: 'test',
    businessName: 'Test merchant',
    acceptedBrands: ['visa'],
    processor: options.processor === undefined ? 'sandbox' : options.processor,
  };
  await seedMerchant(sql, merchant, []);
  return testMerchant;
}

export interface SessionOptions {
  callerEmail?: string;
  amountCents?: number;
  /** Negative for an expired session. */
  secondsLeft?: number;
  merchantId?: MerchantId | null;
  callerPhone?: string | null;
  orderId?: string;
  capture?: CaptureMode;
  purpose?: Purpose;
  /** Default: true, because the sessions of a test have the same order. */
  allowRepeat?: boolean;
}

export async function createTestSession(
  sql: Sql,
  testMerchant: TestMerchant,
  options: SessionOptions = {},
): Promise<CheckoutSessionId> {
  const id = newId('CheckoutSession');
  const session: Omit<NewSession, 'metadata' | 'transferToken'> = {
    id,
    accountId: testMerchant.accountId,
    mode: testMerchant.mode,
    consumerId: null,
    verdict: 'required',
    merchantId: options.merchantId === undefined ? testMerchant.merchantId : options.merchantId,
    amount: { amountCents: options.amountCents ?? 4_250, currency: 'USD' },
    amountSource: 'request',
    callerPhone: options.callerPhone === undefined ? '+15550101234' : options.callerPhone,
    callerEmail: options.callerEmail ?? null,
    orderId: options.orderId ?? 'order_1',
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    capture: options.capture ?? 'automatic',
    purpose: options.purpose ?? 'payment',
    ttlSeconds: options.secondsLeft ?? 1_800,
  };
  await insertSession(sql, { ...session, metadata: {}, transferToken: null, allowRepeat: options.allowRepeat ?? true });
  return id;
}

/** Saves a Visa of the sessions' caller, valid until April 2031. Its handle is sealed if a vault is given. */
export async function insertSavedCard(sql: Sql, testMerchant: TestMerchant, vault?: Vault): Promise<InstrumentId> {
  const { accountId, merchantId, mode } = testMerchant;
  const id = newId('Instrument');
  const handle = handleOf(testCard('visa'));
  await sql.query(
    `with caller as (insert into consumers (id, account_id, mode, phone) values ($1, $2, $3, $4) returning id)
     insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, handle_sealed,
                              brand, last_four, expiry_month, expiry_year)
     select $5, $2, $3, id, $6, 'sandbox', $7, $8, 'VISA', '4242', 4, 2031 from caller`,
    [
      newId('Consumer'),
      accountId,
      mode,
      '+15550101234',
      id,
      merchantId,
      vault === undefined ? handle : sealHandle(vault, id, handle),
      vault !== undefined,
    ],
  );
  return id;
}

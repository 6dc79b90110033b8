/** Processor credentials: connecting a merchant, and charging with the stored credentials. */

import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import type { ApiError } from '../../../src/contract/errors.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { Merchant } from '../../../src/domain/merchant.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { CredentialsFor } from '../../../src/payments/shared/deps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeStripe, SECRET_KEY, startFakeStripe } from '../../support/fake-stripe.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { stripeProcessorAt } from '../../support/vendor-processors.ts';
import {
  agePendingCharges,
  createRecordingLog,
  createTestPayments,
  keyedCard,
  readPaymentState,
} from './test-payments.ts';

let db: TestDatabase;
let fakeVendor: FakeStripe;
let processors: Processor[];
const vault = createVault([randomBytes(32)]);

beforeAll(async () => {
  [db, fakeVendor] = await Promise.all([createTestDatabase(), startFakeStripe()]);
  processors = [createSandbox(db.database), stripeProcessorAt(fakeVendor)];
});
afterAll(() => Promise.all([db.close(), fakeVendor.close()]));

const GOOD = { secret_key: SECRET_KEY };

async function merchantOf({ accountId, merchantId }: TestMerchant): Promise<Merchant> {
  const record = await findMerchantRecord(db.database, accountId, merchantId);
  if (record === null) throw new Error('no merchant');
  return record.merchant;
}

async function connected(
  testMerchant: TestMerchant,
  processor: string,
  credentials: Record<string, string>,
): Promise<Merchant> {
  const merchant = await merchantOf(testMerchant);
  await connectMerchant(
    { database: db.database, processors, vault, privateTargets: false },
    SYSTEM,
    testMerchant,
    merchant,
    {
      processor,
      credentials,
    },
  );
  return merchant;
}

async function pay(
  testMerchant: TestMerchant,
  credentialsFor: CredentialsFor | null = credentialsSource(db.database, vault),
) {
  const sessionId = await createTestSession(db.database, testMerchant);
  const payments = createTestPayments(db.database, { processors, ...(credentialsFor !== null && { credentialsFor }) });
  const result = await payments.pay(testMerchant, sessionId, keyedCard('4242424242424242'));
  return { result, sessionId, state: await readPaymentState(db.database, sessionId) };
}

describe('connecting', () => {
  const failure = (testMerchant: TestMerchant, processor: string, credentials: Record<string, string>) =>
    connected(testMerchant, processor, credentials).then(
      () => null,
      (error: ApiError) => ({ code: error.code, param: error.facts.param }),
    );

  it.each([
    [{}, 'credentials.secret_key'],
    [{ secret_key: 'sk_live_51StandIn0000000000000000' }, 'credentials.secret_key'],
    [{ secret_key: 'sk_test_51Nobody00000000000000000' }, 'credentials'],
    [{ ...GOOD, secretkey: 'x' }, 'credentials.secretkey'],
    [{ ...GOOD, account_id: 'me' }, 'credentials.account_id'],
  ])('rejects %o', async (credentials, param) => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    expect(await failure(testMerchant, 'stripe', credentials)).toEqual({ code: 'invalid_credentials', param });
    expect((await merchantOf(testMerchant)).processor).toBeNull();
  });

  it('stores credentials that the processor accepts, encrypted', async () => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    await connected(testMerchant, 'stripe', GOOD);
    const { rows } = await db.database.query('select * from merchant_processors where merchant_id = $1', [
      testMerchant.merchantId,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(SECRET_KEY);
  });
});

describe('charging', () => {
  it("with the merchant's own", async () => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    await connected(testMerchant, 'stripe', GOOD);
    const { result, state } = await pay(testMerchant);
    expect(result).toMatchObject({ type: 'succeeded', charge: { processor: 'stripe' } });
    expect(state).toMatchObject({ session: 'complete', charges: ['succeeded'] });
    expect(fakeVendor.countPayments(state.rows[0]?.id ?? '')).toBe(1);
    expect(fakeVendor.violations).toEqual([]);
  });

  it.each([
    ['are none', () => null],
    ['cannot be opened', () => credentialsSource(db.database, createVault([randomBytes(32)]))],
    ['cannot be read from the database', () => () => Promise.reject(new Error('away'))],
  ])('with credentials that %s sends nothing and says why', async (_, source) => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    await connected(testMerchant, 'stripe', GOOD);
    const before = fakeVendor.requests.length;
    const { result } = await pay(testMerchant, source());
    expect(result).toMatchObject({
      type: 'merchant_fault',
      charge: { processorCode: 'credentials_rejected', declineCode: null },
    });
    expect(fakeVendor.requests).toHaveLength(before);
  });

  it('with a lost response leaves the charge pending and settles it by the processor’s lookup', async () => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    await connected(testMerchant, 'stripe', GOOD);
    fakeVendor.failNext('reset');
    const { result, sessionId } = await pay(testMerchant);
    expect(result).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, sessionId, 2);
    const credentialsFor = credentialsSource(db.database, vault);
    const resolving = { database: db.database, processors, log: createRecordingLog(), credentialsFor };
    await resolveDueCharges(resolving, requestTimeout());
    const state = await readPaymentState(db.database, sessionId);
    expect(state).toMatchObject({ session: 'complete', charges: ['succeeded'] });
    expect(fakeVendor.countPayments(state.rows[0]?.id ?? '')).toBe(1);
  });

  it.each([
    ['connected anew since, maybe to another account: what that one has not may have been taken', true, 'pending'],
    ['connected as before: what it has not was never taken', false, 'failed'],
  ])('with a lost response and a merchant %s', async (_, isReconnected, expected) => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    await connected(testMerchant, 'stripe', GOOD);
    await db.database.query(`update merchant_processors set connected_at = now() - interval '1 day'`);
    fakeVendor.failNext('reset');
    const { result, sessionId } = await pay(testMerchant);
    expect(result).toMatchObject({ type: 'pending' });
    if (isReconnected) await connected(testMerchant, 'stripe', GOOD);
    await agePendingCharges(db.database, sessionId, 600);
    const elsewhere = await startFakeStripe();
    try {
      const resolving = {
        database: db.database,
        processors: [stripeProcessorAt(elsewhere)],
        log: createRecordingLog(),
      };
      const credentialsFor = credentialsSource(db.database, vault);
      await resolveDueCharges({ ...resolving, credentialsFor }, requestTimeout());
      // The draft that uses up the charge's key, and its cancelation: an unused key leaves nothing to look up.
      expect(elsewhere.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
    } finally {
      await elsewhere.close();
    }
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session: 'open', charges: [expected] });
  });

  it('keeps the credentials of a processor that the merchant has left', async () => {
    const testMerchant = await createTestMerchant(db.database, { processor: null });
    const merchant = await connected(testMerchant, 'stripe', GOOD);
    await connected(testMerchant, 'sandbox', { api_key: 'anything' });
    const of = (processor: string) =>
      credentialsSource(
        db.database,
        vault,
      )({ accountId: testMerchant.accountId, merchantId: merchant.id, mode: 'test', processor });
    expect((await of('stripe'))?.secret_key?.reveal(String)).toBe(SECRET_KEY);
    expect((await of('sandbox'))?.api_key?.reveal(String)).toBe('anything');
    expect(await of('square')).toBeNull();
    expect(inspect(await of('stripe'), { depth: 9, showHidden: true })).not.toContain(SECRET_KEY);
    expect(JSON.stringify(await of('stripe'))).not.toContain(SECRET_KEY);
  });
});

/** Reconciliation after a merchant was connected to its processor again: to the same account, or to another one. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { reconcileNext } from '../../../src/app/daily-reconciliation.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { listConnections } from '../../../src/db/reconciliation.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts';
import { type FakeStripe, RESTRICTED_KEY, SECRET_KEY, startFakeStripe } from '../../support/fake-stripe.ts';
import { BROKEN } from '../../support/fake-stripe-cards.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { stripeProcessorAt } from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { createTestRefunds } from './test-refunds.ts';

const db = useTestDatabase();
const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const vault = createVault([randomBytes(32)]);
const OLD_KEY = { secret_key: SECRET_KEY };
/** Cannot read its account, and no account is named. */
const RESTRICTED = { secret_key: RESTRICTED_KEY };

let fakeStripe: FakeStripe;
let merchant: TestMerchant;
beforeEach(async () => {
  fakeStripe = await startFakeStripe();
  merchant = await createTestMerchant(db.database, { processor: null });
  await connect();
  await age('merchant_processors', 'merchant_id', merchant.merchantId, 72);
});
afterEach(() => fakeStripe.close());

const depsOf = () => ({
  database: db.database,
  log: createRecordingLog(),
  processors: [stripeProcessorAt(fakeStripe)] as const,
  credentialsFor: credentialsSource(db.database, vault),
});

async function connect(credentials: Record<string, string> = OLD_KEY): Promise<void> {
  const record = await findMerchantRecord(db.database, merchant.accountId, merchant.merchantId);
  if (record === null) throw new Error('no merchant');
  const deps = { ...depsOf(), vault, privateTargets: false };
  await connectMerchant(deps, SYSTEM, merchant, record.merchant, { processor: 'stripe', credentials });
}

/** Moves all times of a row into the past. */
async function age(table: string, key: string, id: string, hours: number): Promise<void> {
  const { rows } = await db.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and data_type = 'timestamp with time zone'`,
    [table],
  );
  const earlier = rows.map(({ name }) => `${name} = ${name} - $2::integer * interval '1 hour'`).join(', ');
  await db.database.query(`update ${table} set ${earlier} where ${key} = $1`, [id, hours]);
}

/** A payment of three hours ago. */
async function payEarlier(card = '4242424242424242'): Promise<Charge> {
  const session = await createTestSession(db.database, merchant, { callerPhone: null });
  const { processors, credentialsFor } = depsOf();
  const payments = createTestPayments(db.database, { processors: [...processors], credentialsFor });
  await payments.pay(merchant, session, keyedCard(card));
  const charge = (await readPaymentState(db.database, session)).rows.at(-1);
  if (charge === undefined) throw new Error('no charge');
  const intent = [...fakeStripe.intents.values()].at(-1);
  if (intent === undefined) throw new Error('no payment');
  intent.created -= 3 * 3_600;
  await age('charges', 'id', charge.id, 3);
  return charge;
}

/** A payment of three hours ago that Stripe took and that was reported as failed. */
async function payAndFail(): Promise<Charge> {
  const charge = await payEarlier(BROKEN);
  await settleCharge(depsOf(), charge, NOT_RECEIVED);
  return charge;
}

/** Stripe's other account has none of the payments. */
function moveToAnotherAccount(): void {
  fakeStripe.accountId = 'acct_1Another';
  fakeStripe.intents.clear();
  fakeStripe.refunds.length = 0;
}

/** Compares the last five hours. */
async function run() {
  const filter = { accountId: null, merchantId: merchant.merchantId, mode: null };
  const [connection] = await listConnections(db.database, filter);
  if (connection === undefined) throw new Error('not connected');
  const now = Date.now();
  const span = { from: new Date(now - 5 * HOUR_MS), until: new Date(now + HOUR_MS) };
  const outcome = await reconcile(depsOf(), connection, { ...span, fix: false }, NEVER);
  if (outcome.status !== 'compared') throw new Error(outcome.cause);
  return { outcome, span };
}

describe('charges before the merchant was connected again', () => {
  test('are compared if the account at the processor is the same', async () => {
    const failed = await payAndFail();
    const paid = await payEarlier();
    fakeStripe.intents.delete((await readPaymentState(db.database, paid.sessionId)).rows[0]?.processorPaymentId ?? '');
    await connect();
    const { outcome } = await run();
    expect(new Map(outcome.findings.map(({ chargeId, kind }) => [chargeId, kind]))).toEqual(
      new Map([
        [failed.id, 'failed_here'],
        [paid.id, 'missing_there'],
      ]),
    );
    expect(outcome.notCompared).toBeNull();
  });

  test('are counted, with their period and the reason, if the account is another one', async () => {
    await payAndFail();
    await payEarlier();
    moveToAnotherAccount();
    const before = Date.now();
    await connect();
    const { outcome, span } = await run();
    expect(outcome.findings).toEqual([]);
    expect(outcome.notCompared).toMatchObject({ from: span.from, charges: 2, reason: 'another_account' });
    const until = outcome.notCompared?.until.getTime() ?? 0;
    expect([until >= before - 1_000, until <= Date.now() + 1_000]).toEqual([true, true]);
  });

  test.each([
    ['now', RESTRICTED, OLD_KEY],
    ['earlier', OLD_KEY, RESTRICTED],
  ])('are counted if the account was unknown %s', async (_, next, first) => {
    if (first === RESTRICTED) {
      await connect(RESTRICTED);
      await age('merchant_processors', 'merchant_id', merchant.merchantId, 72);
    }
    await payEarlier();
    await connect(next);
    expect((await run()).outcome.notCompared).toMatchObject({ charges: 1, reason: 'unknown_account' });
  });

  test('are reported although there are none here, because the database may have lost some', async () => {
    moveToAnotherAccount();
    await connect();
    expect((await run()).outcome.notCompared).toMatchObject({ charges: 0, reason: 'another_account' });
  });

  test('are compared after two changes of the key, and not after a change to another account and back', async () => {
    await payEarlier();
    await connect();
    await connect();
    expect((await run()).outcome.notCompared).toBeNull();
    fakeStripe.accountId = 'acct_1Another';
    await connect();
    fakeStripe.accountId = 'acct_1StandIn';
    await connect();
    expect((await run()).outcome.notCompared).toMatchObject({ charges: 1, reason: 'another_account' });
  });

  test('are not reported for a merchant that was connected for the first time', async () => {
    merchant = await createTestMerchant(db.database, { processor: null });
    await connect();
    expect((await run()).outcome).toMatchObject({ findings: [], notCompared: null });
  });
});

test('refunds at another account are not reported as missing at the present one', async () => {
  const charge = await payEarlier();
  const { processors, credentialsFor } = depsOf();
  const { refund } = createTestRefunds(db.database, merchant, { processor: processors[0], credentialsFor });
  const made = await refund(charge.id, 100);
  if (made.type !== 'refund') throw new Error(made.type);
  await age('refunds', 'id', made.refund.id, 3);
  moveToAnotherAccount();
  await connect();
  expect((await run()).outcome.findings).toEqual([]);
});

describe('the daily reconciliation', () => {
  const runDue = async () => {
    await db.database.query(
      `update merchant_processors set reconcile_at = case when merchant_id = $1 then now() else 'infinity' end`,
      [merchant.merchantId],
    );
    const deps = depsOf();
    expect(await reconcileNext(deps, 'report', NEVER)).toBe(true);
    return deps.log.lines;
  };

  test('logs that earlier charges could not be compared, and compares the others', async () => {
    await payEarlier();
    moveToAnotherAccount();
    await connect();
    await age('merchant_processors', 'merchant_id', merchant.merchantId, 1);
    expect(await runDue()).toEqual([
      'charges before the merchant was connected to this account were not compared: check them at the processor',
      'payments reconciled with the processor',
    ]);
  });

  test('logs nothing of the kind after a change of the key', async () => {
    await payEarlier();
    await connect();
    expect(await runDue()).toEqual(['payments reconciled with the processor']);
  });
});

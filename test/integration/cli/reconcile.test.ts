/** `ringkey reconcile` on the sandbox: what it prints, what `--fix` settles, its exit codes. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { credentialsContext } from '../../../src/accounts/merchants/processor.ts';
import { insertLostCharge } from '../../../src/db/charges/late-charges.ts';
import { type MerchantId, newId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  createRecordingLog,
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  readPaymentState,
} from '../payments/test-payments.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

/** A charge from an hour ago that the sandbox has taken, but that is recorded as failed. */
async function failedCharge() {
  const { database, merchant } = runner;
  await database.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor, records_since)
     values ($1, $2, 'test', 'sandbox', now() - interval '2 days')
     on conflict (merchant_id, processor) do update set records_since = excluded.records_since`,
    [merchant.merchantId, merchant.accountId],
  );
  const session = await createTestSession(database, merchant);
  const processors = [createSandbox(database, FAST_SANDBOX)];
  await createTestPayments(database, { processors }).pay(merchant, session, keyedCard('hangs_taken'));
  const charge = (await readPaymentState(database, session)).rows[0];
  if (charge === undefined) throw new Error('no charge');
  await settleCharge({ database, log: createRecordingLog() }, charge, NOT_RECEIVED);
  await database.query(`update charges set created_at = created_at - interval '1 hour' where id = $1`, [charge.id]);
  await database.query(`update sandbox_payments set created_at = created_at - interval '1 hour' where reference = $1`, [
    charge.id,
  ]);
  return charge;
}

/** A merchant that was connected to another Stripe account a moment ago, after a charge of two hours ago. */
async function movedToAnotherAccount(key: Buffer): Promise<MerchantId> {
  const { database } = runner;
  const merchant = await createTestMerchant(database, { processor: 'stripe' });
  const { merchantId, accountId, mode } = merchant;
  const sealed = createVault([key]).seal(
    JSON.stringify({ secret_key: 'sk_test_0123456789abcdef' }),
    credentialsContext(merchantId, 'stripe'),
  );
  await database.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor, credentials, records_change)
     values ($1, $2, $3, 'stripe', $4, 'another_account')
     on conflict (merchant_id, processor) do update
       set credentials = excluded.credentials, records_change = excluded.records_change`,
    [merchantId, accountId, mode, sealed],
  );
  const session = await createTestSession(database, merchant);
  await insertLostCharge(database, {
    id: newId('Charge'),
    sessionId: session,
    accountId,
    merchantId,
    mode,
    amount: { amountCents: 4_250, currency: 'USD' },
    tipCents: 0,
    source: 'phone',
    processor: 'stripe',
    capture: 'automatic',
    createdAt: new Date(Date.now() - 2 * 3_600_000),
  });
  return merchantId;
}

test('says how many charges it could not compare after a merchant moved to another account, and exits with 1', async () => {
  const key = randomBytes(32);
  const settings = { RINGKEY_ENCRYPTION_KEYS: key.toString('base64') };
  const merchantId = await movedToAnotherAccount(key);
  const reported = await runner.run(`reconcile --merchant ${merchantId}`, settings);
  expect([reported.code, reported.err]).toEqual([1, '']);
  const [head, line, ...others] = reported.out.split('\n');
  expect([head, others]).toEqual([`${merchantId}  test  stripe  0 payments, 0 differences`, []]);
  expect(line).toMatch(
    /^ {2}not compared: 1 charges from \S+Z until \S+Z, because the merchant was connected to another account then$/,
  );
  const json = await runner.run(`reconcile --merchant ${merchantId} --json`, settings);
  expect(json.code).toBe(1);
  const [connection] = (JSON.parse(json.out) as { connections: object[] }).connections;
  expect(connection).toMatchObject({ differences: [], not_compared: { charges: 1, reason: 'another_account' } });
});

test('reports a difference, settles it with --fix, and then finds none', async () => {
  const { id } = await failedCharge();
  const { merchantId } = runner.merchant;
  const reported = await runner.run(`reconcile --merchant ${merchantId}`);
  expect([reported.code, reported.err]).toEqual([1, '']);
  expect(reported.out).toMatch(
    new RegExp(
      `^${merchantId}  test  sandbox  1 payments, 1 differences\n  failed_here  ${id}  sandbox_\\w+  4250 / 4250 USD$`,
    ),
  );
  const fixed = await runner.run(`reconcile --merchant ${merchantId} --fix`);
  expect(fixed.code).toBe(0);
  expect(fixed.out).toContain('settled');
  expect(await auditOf(runner.database, id)).toMatchObject([
    { action: 'charge.paid_late', actor_kind: 'command', changes: { status: { from: 'failed', to: 'succeeded' } } },
  ]);
  const json = await runner.run('reconcile --mode test --json');
  expect(json.code).toBe(0);
  expect(JSON.parse(json.out)).toEqual({
    connections: [
      {
        account_id: runner.merchant.accountId,
        merchant_id: merchantId,
        environment: 'test',
        processor: 'sandbox',
        compared: true,
        payments: 1,
        differences: [],
        not_compared: null,
      },
    ],
  });
  expect((await runner.run('reconcile --mode live')).out).toBe('no connected merchants');
  expect((await runner.run('reconcile --days 0')).code).toBe(2);
});

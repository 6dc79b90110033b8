/** `ringkey reconcile` on the sandbox: what it prints, what `--fix` settles, its exit codes. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/settle-charge.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  createRecordingLog,
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  readPaymentState,
} from '../payments/test-payments.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

/** A charge of an hour ago that the sandbox has taken, and that is called failed here. */
async function calledFailed() {
  const { database, merchant } = runner;
  await database.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor, connected_at)
     values ($1, $2, 'test', 'sandbox', now() - interval '2 days')
     on conflict (merchant_id, processor) do update set connected_at = excluded.connected_at`,
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

test('tells of a difference, settles it, and then finds none', async () => {
  const { id } = await calledFailed();
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
      },
    ],
  });
  expect((await runner.run('reconcile --mode live')).out).toBe('no connected merchants');
  expect((await runner.run('reconcile --days 0')).code).toBe(2);
});

/** `ringkey charge acknowledge`: an operator has seen a charge that was reported as failed and was paid. */
import { expect, test } from 'vitest';
import { findListedCharge } from '../../../src/db/charges/charge-lists.ts';
import { recordLateSuccess } from '../../../src/payments/charges/late-success.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from '../payments/test-payments.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

async function newCharge(card: string) {
  const { database, merchant } = runner;
  const session = await createTestSession(database, merchant);
  await createTestPayments(database).pay(merchant, session, keyedCard(card));
  const charge = (await readPaymentState(database, session)).rows[0];
  if (charge === undefined) throw new Error('no charge');
  return charge;
}

async function lateCharge() {
  const charge = await newCharge('hangs_not_taken');
  const deps = { database: runner.database, log: createRecordingLog() };
  await settleCharge(deps, charge, NOT_RECEIVED);
  await recordLateSuccess(deps, charge, { status: 'succeeded', processorPaymentId: `sandbox_late_${charge.id}` });
  return charge;
}

const needsAttention = async (charge: Awaited<ReturnType<typeof newCharge>>) =>
  (await findListedCharge(runner.database, charge.accountId, charge.id))?.needsAttention;

test('ends the attention that a late charge needs, with the operator in the audit log, once', async () => {
  const charge = await lateCharge();
  expect(await needsAttention(charge)).toBe(true);
  const line = `charge acknowledge ${charge.id}`;
  expect(await runner.run(line)).toMatchObject({ code: 0, out: `${charge.id}  acknowledged  4250 USD`, err: '' });
  expect(await needsAttention(charge)).toBe(false);
  expect((await runner.run(line)).code).toBe(0);
  expect(await auditOf(runner.database, charge.id)).toMatchObject([
    { action: 'charge.paid_late' },
    { action: 'charge.acknowledged', actor_kind: 'command', changes: {} },
  ]);
});

test('rejects a charge that was not late, an unknown charge and a malformed ID', async () => {
  const { id } = await newCharge('visa');
  expect(await runner.run(`charge acknowledge ${id}`)).toMatchObject({
    code: 1,
    out: '',
    err: `ringkey: ${id} was not paid late: there is nothing to acknowledge`,
  });
  expect((await runner.run('charge acknowledge ch_00000000000000000000000000')).code).toBe(1);
  expect((await runner.run('charge acknowledge nonsense')).code).toBe(2);
});

/** The texts of a payment that fails after it had succeeded: a returned bank debit, a failed capture. */
import { afterEach, expect, it } from 'vitest';
import { recordReturn } from '../../../src/payments/charges/debit-returns.ts';
import { recordHistory } from '../../../src/payments/notifications/record-history.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { listTexts, POLL, useNotificationHarness } from '../outbox/notification-harness.ts';
import { createTestPayments, keyedAccount, keyedCard } from '../payments/test-payments.ts';

const harness = useNotificationHarness();
afterEach(() => harness.stop());

it('texts the payer once that a paid bank debit was returned', async () => {
  harness.start();
  const sessionId = await createTestSession(harness.database, harness.merchant);
  const payments = createTestPayments(harness.database);
  const result = await payments.pay(harness.merchant, sessionId, keyedAccount('bank_settles_at_once'));
  if (result.type !== 'succeeded') throw new Error(result.type);
  const kinds = async () => (await listTexts(harness, sessionId)).map(({ kind, status }) => [kind, status]);
  const receipt = ['receipt', 'sent'];
  await expect.poll(kinds, POLL).toEqual([receipt]);
  const declined = { status: 'declined', declineCode: 'generic_decline', processorCode: 'R10' } as const;
  for (let look = 0; look < 2; look += 1) {
    await recordReturn(payments, result.charge, { ...declined, processorPaymentId: null });
  }
  await expect.poll(kinds, POLL).toEqual([receipt, ['debit_returned', 'sent']]);
  const [, returned] = await listTexts(harness, sessionId);
  expect(returned?.body).toMatch(
    /^Test merchant: your bank returned the debit of \$42\.50 for order order_1 \(.*\) from the bank account ending 7771\. It is not paid\. Reply STOP/,
  );
});

it('texts the payer once that a payment could not be collected after all', async () => {
  harness.start();
  const sessionId = await createTestSession(harness.database, harness.merchant);
  const payments = createTestPayments(harness.database);
  const result = await payments.pay(harness.merchant, sessionId, keyedCard('visa'));
  if (result.type !== 'succeeded') throw new Error(result.type);
  const kinds = async () => (await listTexts(harness, sessionId)).map(({ kind, status }) => [kind, status]);
  const receipt = ['receipt', 'sent'];
  await expect.poll(kinds, POLL).toEqual([receipt]);
  for (let look = 1; look <= 2; look += 1) {
    await recordHistory(payments, result.charge, { status: 'read', refunds: [], captureFailure: 'refused' }, look);
  }
  await expect.poll(kinds, POLL).toEqual([receipt, ['not_collected', 'sent']]);
  const [, corrected] = await listTexts(harness, sessionId);
  expect(corrected?.body).toMatch(
    /^Test merchant: your payment of \$42\.50 for order order_1 \(.*\) could not be collected after all\. You were not charged/,
  );
});

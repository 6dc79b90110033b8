/** Receipts by email: queued by the relay, sent to a real mail server, retried, and never to an erased caller. */
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { Mailer } from '../../../src/notifications/email/ports.ts';
import { sendDueEmails } from '../../../src/notifications/email/send-emails.ts';
import { createSmtpMailer } from '../../../src/notifications/email/smtp/mailer.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { recordReturn } from '../../../src/payments/charges/debit-returns.ts';
import { recordHistory } from '../../../src/payments/notifications/record-history.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { useNotificationHarness } from '../outbox/notification-harness.ts';
import { createTestPayments, keyedAccount, keyedCard, listSessionEvents } from '../payments/test-payments.ts';

const harness = useNotificationHarness();
afterEach(() => harness.database.query('delete from emails'));

const FROM = 'receipts@pay.example.com';
const RETURNED = {
  status: 'declined',
  declineCode: 'generic_decline',
  processorCode: 'R10',
  processorPaymentId: null,
} as const;
const CALLER = { callerEmail: 'jordan@example.com' };

async function pay(card = 'visa', options: object = CALLER): Promise<CheckoutSessionId> {
  const { database, merchant } = harness;
  const sessionId = await createTestSession(database, merchant, options);
  await createTestPayments(database).pay(merchant, sessionId, keyedCard(card));
  await relayAll();
  return sessionId;
}

async function relayAll(): Promise<void> {
  while ((await relayBatch({ database: harness.database, docsUrl: 'https://docs.example.com' })).more);
}

async function emailsOf(sessionId: CheckoutSessionId) {
  const { rows } = await harness.database.query<{
    id: string;
    kind: string;
    status: string;
    error_code: string | null;
  }>('select id, kind, status, error_code from emails where session_id = $1 order by created_at, id', [sessionId]);
  return rows;
}

function mailerTo(url: string): Mailer {
  const mailer = createSmtpMailer({ url, from: FROM });
  onTestFinished(() => mailer.close());
  return mailer;
}

/** The sessions are of test mode. */
const sendBy = (mailer: Mailer) =>
  sendDueEmails({ sql: harness.database, mailers: { live: null, test: mailer }, log: harness.log });

async function mailServer() {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  return server;
}

it('sends one receipt for a payment, also if its events are resent', async () => {
  const server = await mailServer();
  const sessionId = await pay();
  const events = await listSessionEvents(harness.database, sessionId);
  await resendEvents(
    harness.database,
    events.map(({ id }) => id),
  );
  await relayAll();
  await sendBy(mailerTo(server.url));
  const [email] = await emailsOf(sessionId);
  expect(email).toMatchObject({ kind: 'receipt', status: 'sent', error_code: null });
  expect(server.received).toHaveLength(1);
  const [received] = server.received;
  expect(received).toMatchObject({ from: FROM, to: ['jordan@example.com'] });
  expect(received?.message).toMatch(/^From: Test merchant <receipts@pay\.example\.com>\r$/m);
  expect(received?.message).toMatch(/^Subject: Your receipt from Test merchant: \$42\.50\r$/m);
  expect(received?.message).toContain(`Message-ID: <${email?.id}@pay.example.com>`);
  expect(received?.message).toContain('Auto-Submitted: auto-generated');
  expect(received?.message).toMatch(/Content-Type: text\/plain[\s\S]*Visa ending 4242[\s\S]*Content-Type: text\/html/);
});

it('names the merchant’s own address for questions, otherwise the account’s', async () => {
  const { database, merchant } = harness;
  const set = (table: 'accounts' | 'merchants', column: string, id: string, branding: object | null) =>
    database.query(`update ${table} set ${column} = $2 where id = $1`, [id, branding && JSON.stringify(branding)]);
  await set('accounts', 'page_branding_test', merchant.accountId, { supportEmail: 'account@shop.example.com' });
  onTestFinished(async () => {
    await set('accounts', 'page_branding_test', merchant.accountId, null);
    await set('merchants', 'page_branding', merchant.merchantId, null);
  });
  const server = await mailServer();
  const mailer = mailerTo(server.url);
  for (const supportEmail of [null, 'merchant@shop.example.com']) {
    await set('merchants', 'page_branding', merchant.merchantId, { accentColor: null, supportEmail });
    await pay();
    await sendBy(mailer);
  }
  const repliesTo = server.received.map(({ message }) => /^Reply-To: .*<(.+)>\r$/m.exec(message)?.[1]);
  expect(repliesTo).toEqual(['account@shop.example.com', 'merchant@shop.example.com']);
});

it.each([
  ['a returned bank debit', keyedAccount('bank_settles_at_once'), 'debit_returned', 'your bank returned your payment'],
  ['a failed capture', keyedCard('visa'), 'not_collected', 'your payment of $42.50 could not be collected'],
] as const)('corrects the receipt after %s, once', async (_, means, kind, subject) => {
  const server = await mailServer();
  const { database, merchant } = harness;
  const sessionId = await createTestSession(database, merchant, CALLER);
  const payments = createTestPayments(database);
  const result = await payments.pay(merchant, sessionId, means);
  if (result.type !== 'succeeded') throw new Error(result.type);
  await relayAll();
  const mailer = mailerTo(server.url);
  await sendBy(mailer);
  for (let look = 1; look <= 2; look += 1) {
    if (kind === 'debit_returned') await recordReturn(payments, result.charge, RETURNED);
    else await recordHistory(payments, result.charge, { status: 'read', refunds: [], captureFailure: 'refused' }, look);
    await relayAll();
    await sendBy(mailer);
  }
  expect(await emailsOf(sessionId)).toMatchObject([
    { kind: 'receipt', status: 'sent' },
    { kind, status: 'sent' },
  ]);
  expect(server.received).toHaveLength(2);
  expect(server.received[1]?.message).toContain(subject);
});

it('sends no receipt any more for a payment whose capture has failed', async () => {
  const server = await mailServer();
  const { database, merchant } = harness;
  const sessionId = await createTestSession(database, merchant, CALLER);
  const payments = createTestPayments(database);
  const result = await payments.pay(merchant, sessionId, keyedCard('visa'));
  if (result.type !== 'succeeded') throw new Error(result.type);
  await relayAll();
  await recordHistory(payments, result.charge, { status: 'read', refunds: [], captureFailure: 'refused' }, 1);
  await relayAll();
  await sendBy(mailerTo(server.url));
  expect(await emailsOf(sessionId)).toMatchObject([
    { kind: 'receipt', status: 'failed', error_code: 'replaced' },
    { kind: 'not_collected', status: 'sent' },
  ]);
});

it('queues nothing for a caller without an address, nor for a decline that the caller has heard', async () => {
  expect(await emailsOf(await pay('visa', {}))).toEqual([]);
  expect(await emailsOf(await pay('insufficient_funds'))).toEqual([]);
});

it('tries again while the mail server is away, with the same message ID', async () => {
  const gone = await startMailServer();
  await gone.close();
  const sessionId = await pay();
  await sendBy(mailerTo(gone.url));
  expect(await emailsOf(sessionId)).toMatchObject([{ status: 'waiting', error_code: 'ESOCKET' }]);
  const server = await mailServer();
  await sendBy(mailerTo(server.url));
  expect(server.received).toEqual([]);
  await harness.database.query(`update emails set next_attempt_at = now() where status = 'waiting'`);
  await sendBy(mailerTo(server.url));
  const [email] = await emailsOf(sessionId);
  expect(email?.status).toBe('sent');
  expect(server.received[0]?.message).toContain(`<${email?.id}@`);
});

it.each([
  [550, { status: 'failed', error_code: '550' }],
  [451, { status: 'waiting', error_code: '451' }],
])('after the reply %i to the recipient, the email is as the reply says', async (code, expected) => {
  const server = await mailServer();
  server.refuseWith = code;
  const sessionId = await pay();
  await sendBy(mailerTo(server.url));
  expect(await emailsOf(sessionId)).toMatchObject([expected]);
});

it('sends nothing to a caller who was erased after the payment', async () => {
  const server = await mailServer();
  const sessionId = await pay();
  await harness.database.query('update checkout_sessions set caller_email = null where id = $1', [sessionId]);
  await sendBy(mailerTo(server.url));
  expect(await emailsOf(sessionId)).toMatchObject([{ status: 'failed', error_code: 'caller_erased' }]);
  expect(server.received).toEqual([]);
});

it('fails a live email if no mail server is set', async () => {
  const sessionId = await pay();
  await harness.database.query(`update emails set mode = 'live' where session_id = $1`, [sessionId]);
  await sendBy(mailerTo('smtp://127.0.0.1:9'));
  expect(await emailsOf(sessionId)).toMatchObject([{ status: 'failed', error_code: 'not_configured' }]);
});

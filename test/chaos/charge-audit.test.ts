/** Tests of the charge audit: it finds every violation that a test inserts into the database. */
import { beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { insertWebhookEndpoint } from '../../src/db/webhooks/webhook-endpoints.ts';
import { newId } from '../../src/domain/ids.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { recordReturn } from '../../src/payments/charges/debit-returns.ts';
import { createTestPayments, keyedAccount, keyedCard } from '../integration/payments/test-payments.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../support/test-merchants.ts';
import { auditAfterChanges } from './audit-after-changes.ts';
import { auditCharges, auditNotifications, countUndelivered } from './charge-audit.ts';

const db = useTestDatabase();
const received = new Map<string, number>();
beforeAll(async () => {
  const merchant = await createTestMerchant(db.database);
  const payments = createTestPayments(db.database);
  for (const card of ['visa', 'do_not_honor', 'visa']) {
    await payments.pay(merchant, await createTestSession(db.database, merchant), keyedCard(card));
  }
  const session = await createTestSession(db.database, merchant);
  const debit = await payments.pay(merchant, session, keyedAccount('bank_settles_at_once'));
  if (debit.type !== 'succeeded') throw new Error(debit.type);
  const returned = { status: 'declined', declineCode: 'generic_decline', processorCode: 'R10' } as const;
  await recordReturn(payments, debit.charge, { ...returned, processorPaymentId: null });
  const hook = {
    id: newId('WebhookEndpoint'),
    url: 'https://example.com',
    events: [...EVENT_TYPES],
    signingSecret: 'x',
  };
  await insertWebhookEndpoint(db.database, merchant, hook, 1);
  await relayBatch({ database: db.database, docsUrl: 'https://docs.example.com' });
  expect(await countUndelivered(db.database)).toBeGreaterThan(0);
  await db.database.query(`update webhook_deliveries set status = 'delivered'`);
  await db.database.query(`update texts set status = 'sent'`);
  expect(await countUndelivered(db.database)).toBe(0);
  const { rows } = await db.database.query<{ id: string }>('select id from events');
  for (const { id } of rows) received.set(id, 1);
});

const ONE_PAID = `(select id from charges where status = 'succeeded' order by id limit 1)`;
const ONE_FAILED = `(select id from charges where status = 'failed' and returned_at is null limit 1)`;
const PAYMENT_AGAIN = `
  insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency)
  select $1, 'again', account_id, mode, status, amount_cents, currency from sandbox_payments limit 1`;

test.each([
  [[`drop index one_live_charge_of_session, one_live_charge_per_session`, twin('succeeded')], 'two live charges'],
  [[twin('failed'), taken()], 'two payments'],
  [[PAYMENT_AGAIN.replace('$1', `'ch_unknown'`)], 'payment without a charge'],
  [[`update charges set status = 'failed', decline_code = 'do_not_honor' where id = ${ONE_PAID}`], 'outcome differs'],
  [[`delete from sandbox_payments where reference = ${ONE_PAID}`], 'outcome differs'],
  [[`update sandbox_payments set amount_cents = 1`], 'amount differs'],
  [[`update charges set processor_payment_id = 'other' where id = ${ONE_PAID}`], 'payment ID differs'],
  [[`update checkout_sessions set status = 'open'`], 'not complete'],
  [
    [
      `alter table events drop constraint events_session_id_fkey`,
      `update events set session_id = 'cs_other' where type = 'checkout.failed'`,
    ],
    'whose session has another',
  ],
  [
    ['alter table charges drop constraint charges_account_id_fkey', `update charges set account_id = 'acct_other'`],
    'whose session has another',
  ],
  [
    ['delete from webhook_deliveries', `delete from events where type = 'checkout.failed'`],
    'settled charge without exactly one event',
  ],
  [[`drop index one_event_a_charge_and_kind`, again('checkout.succeeded')], 'settled charge without exactly one event'],
  [
    [`drop index one_final_event_a_session`, again('checkout.completed')],
    'completed session without exactly one event',
  ],
  [[`update charges set returned_at = null where returned_at is not null`], 'outcome differs'],
  [[`update charges set status = 'succeeded' where returned_at is not null`], 'and is not failed'],
  [['update debit_returns set check_at = now(), returned_at = null'], 'still looked up'],
  [
    ['delete from webhook_deliveries', `delete from events where type = 'charge.returned'`],
    'failed later without exactly one event',
  ],
  [
    ['delete from webhook_deliveries', `delete from events where type = 'checkout.completed'`],
    'completed session without exactly one event',
  ],
])('the audit finds, after %j, %s', async (changes, fault) => {
  const faults = await auditAfterChanges(db.database, changes, auditCharges);
  expect(faults.some((found) => found.includes(fault))).toBe(true);
});

test.each([
  [`update events set relayed_at = null where type = 'checkout.failed'`, 'not relayed'],
  [`delete from webhook_deliveries where event_id = (select min(id) from events)`, 'not delivered'],
  [`update webhook_deliveries set status = 'failed' where event_id = (select min(id) from events)`, 'not delivered'],
  [
    `delete from texts where id = (select min(id) from texts where kind = 'receipt')`,
    'without exactly one sent receipt',
  ],
  [
    `update texts set status = 'unknown' where id = (select min(id) from texts where kind = 'receipt')`,
    'without exactly one sent receipt',
  ],
  [`drop index one_text_a_charge_and_kind; ${textAgain('receipt', ONE_PAID)}`, 'without exactly one sent receipt'],
  [`delete from texts where kind = 'debit_returned'`, 'failed later without exactly one text'],
  [textAgain('debit_returned', ONE_FAILED), 'failed later without exactly one text'],
  [textAgain('receipt', ONE_FAILED), 'receipt without a payment'],
  [textAgain('not_charged', ONE_FAILED), 'or another charge with one'],
])('the audit finds, after %j, %s', async (change, fault) => {
  const faults = await auditAfterChanges(db.database, [change], (sql) => auditNotifications(sql, received));
  expect(faults.some((found) => found.includes(fault))).toBe(true);
});

test('the audit finds events that were never received, and received ones that do not exist', async () => {
  const [first = ''] = received.keys();
  const without = new Map([...received].filter(([id]) => id !== first));
  expect(await auditNotifications(db.database, without)).toEqual([
    expect.stringContaining(`${first} was never received`),
  ]);
  const more = new Map([...received, ['evt_other', 1]]);
  expect(await auditNotifications(db.database, more)).toEqual(['evt_other was received but does not exist']);
});

test('the audit finds no violations in consistent data', async () => {
  expect(await auditAfterChanges(db.database, [], auditCharges)).toEqual([]);
  expect(await auditNotifications(db.database, received)).toEqual([]);
});

test('the audit finds an answer to a client that the database contradicts', async () => {
  const { rows } = await db.database.query<{ id: string }>(`select id from charges where status = 'failed'`);
  const [declined] = rows;
  const audit = (status: 'pending' | 'succeeded' | 'failed') =>
    auditCharges(db.database, [{ chargeId: declined?.id ?? '', status }]);
  expect(await audit('failed')).toEqual([]);
  expect(await audit('pending')).toEqual([]);
  expect(await audit('succeeded')).toHaveLength(1);
  expect(await auditCharges(db.database, [{ chargeId: newId('Charge'), status: 'pending' }])).toHaveLength(1);
});

/** A second charge of a paid session. */
function twin(status: string): string {
  return `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
    select 'ch_twin', session_id, account_id, mode, merchant_id, '${status}', amount_cents, currency, source, processor
      from charges where id = ${ONE_PAID}`;
}

function taken(): string {
  return PAYMENT_AGAIN.replace('$1', `'ch_twin'`);
}

function again(type: string): string {
  return `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select 'evt_again', account_id, mode, type, session_id, charge_id, facts from events where type = '${type}' limit 1`;
}

function textAgain(kind: string, charge: string): string {
  return `insert into texts (id, account_id, mode, session_id, charge_id, kind, recipient, body, segments, status)
    select 'txt_again', account_id, mode, session_id, ${charge}, '${kind}', recipient, body, segments, 'sent' from texts limit 1`;
}

/** Tests of the audit of system runs: it finds every contradiction that a test puts into the run or the database. */
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { auditAfterChanges } from '../chaos/audit-after-changes.ts';
import type { WebhookReceiver } from '../chaos/webhook-receiver.ts';
import { createTestPayments, keyedCard } from '../integration/payments/test-payments.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../support/test-merchants.ts';
import { auditSystem } from './audit.ts';
import type { CallStory } from './calls.ts';
import type { SystemRun } from './run.ts';

const db = useTestDatabase();
let paid: { sessionId: string; chargeId: string; amountCents: number };
let declined: string;

beforeAll(async () => {
  const merchant = await createTestMerchant(db.database);
  const payments = createTestPayments(db.database);
  for (const card of ['visa', 'do_not_honor']) {
    const session = await createTestSession(db.database, merchant);
    await payments.pay(merchant, session, keyedCard(card));
    if (card === 'do_not_honor') declined = session;
  }
  const { rows } = await db.database.query<typeof paid>(
    `select session_id as "sessionId", id as "chargeId", amount_cents as "amountCents" from charges where status = 'succeeded'`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was paid');
  paid = row;
  await relayBatch({ database: db.database, docsUrl: 'https://docs.example.com' });
  await db.database.query(`update texts set status = 'sent'`);
});

async function audit(run: Partial<SystemRun>, changes: readonly string[] = []): Promise<string[]> {
  const { rows } = await db.database.query<{ id: string }>('select id from events');
  const webhooks: WebhookReceiver = {
    received: new Map(rows.map(({ id }) => [id, 1])),
    unexpected: [],
    close: () => Promise.resolve(),
  };
  const whole: SystemRun = {
    baseUrl: '',
    speechFolder: '',
    database: db.database,
    keys: [],
    charges: [],
    refunds: [],
    calls: [],
    receipts: new Set(),
    unexpected: [],
    ...run,
  };
  return auditAfterChanges(db.database, changes, (sql) => auditSystem(sql, whole, webhooks));
}

/** A call after which the agent got these headers. */
function callOf(sessionId: string, { more = {}, ...story }: Partial<CallStory> & { more?: Record<string, string> }) {
  const headers = {
    'X-Ringkey-Outcome': 'succeeded',
    'X-Ringkey-Session': sessionId,
    'X-Ringkey-Charge': paid.chargeId,
    'X-Ringkey-Amount': String(paid.amountCents),
    ...more,
  };
  return { calls: [{ script: 'pay' as const, sessionId, announced: [], headers, isAsExpected: true, ...story }] };
}

test('the audit finds no contradiction if all were told the truth', async () => {
  const tip = { 'X-Ringkey-Amount': String(paid.amountCents - 100), 'X-Ringkey-Tip': '100' };
  for (const more of [{}, tip]) expect(await audit(callOf(paid.sessionId, { more }))).toEqual([]);
  const at = Date.now();
  const announced = [{ at, by: 'line' as const, what: 'paid' as const, text: 'You paid.' }];
  expect(await audit({ ...callOf(paid.sessionId, { announced }), receipts: new Set([paid.sessionId]) })).toEqual([]);
});

test('the audit finds what an agent, a caller or a payer was told and what is not so', async () => {
  const at = Date.now();
  const [line, nothing, something] = ['line', 'nothing charged', 'paid'] as const;
  const wrong = await Promise.all([
    audit(callOf(paid.sessionId, { more: { 'X-Ringkey-Amount': '1' } })),
    audit(callOf(paid.sessionId, { more: { 'X-Ringkey-Charge': newId('Charge') } })),
    audit(callOf(declined, { headers: {}, announced: [{ at, by: line, what: something, text: 'You paid.' }] })),
    audit(callOf(paid.sessionId, { headers: {}, announced: [{ at, by: line, what: nothing, text: 'Nothing.' }] })),
    audit({ receipts: new Set([declined]) }),
    audit({ unexpected: ['500'] }),
  ]);
  expect(wrong.map((faults) => faults.join())).toEqual([
    expect.stringContaining('the agent was told'),
    expect.stringContaining('the agent was told'),
    expect.stringContaining('nothing was paid'),
    expect.stringContaining('after the card was charged'),
    expect.stringContaining('a receipt without a payment'),
    '500',
  ]);
});

test.each([
  [
    `insert into sandbox_disputes (dispute_id, payment_id, reason, is_answered, outcome, amount_cents, currency, opens_at, decided_at)
     select 'other', payment_id, 'fraudulent', false, 'lost', amount_cents, currency, now(), now() from sandbox_payments limit 1`,
    'a dispute at the processor that was not recorded',
  ],
  [
    `insert into processor_notifications (merchant_id, processor, account_id, mode, event_id, type, payout_id)
     select c.merchant_id, c.processor, c.account_id, c.mode, 'x', 'payout.paid', 'sandbox_payout_' || p.payment_id
       from charges c join sandbox_payments p on p.reference = c.id where p.status = 'succeeded'`,
    'a payout that was notified and not recorded',
  ],
  [
    `update checkout_sessions set purpose = 'save_card' where status = 'complete'`,
    'a save-only checkout with a payment',
  ],
])('the audit finds, after %s, %s', async (change, fault) => {
  expect((await audit({}, [change])).some((found) => found.includes(fault))).toBe(true);
});

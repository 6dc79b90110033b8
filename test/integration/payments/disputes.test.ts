/** Disputes: a notification only says which one to read, and a newer state replaces an older one. */
import { describe, expect, it } from 'vitest';
import { insertNotification, type NotifiedDispute } from '../../../src/db/processor-notifications/inbox.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import { unknown } from '../../../src/payments/port/answers.ts';
import type { DisputeAnswer } from '../../../src/payments/port/disputes.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { decideDispute, tellOfDispute } from '../../support/disputes.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const NEVER = new AbortController().signal;

/** A charge to this card, and its payment. */
async function pay(card = 'visa'): Promise<{ chargeId: ChargeId; paymentId: string }> {
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard(card));
  const { rows } = await db.database.query<{ chargeId: ChargeId; paymentId: string }>(
    `select id as "chargeId", processor_payment_id as "paymentId" from charges where session_id = $1`,
    [sessionId],
  );
  if (rows[0] === undefined) throw new Error('nothing was charged');
  return rows[0];
}

const makeDue = () => db.database.query('update processor_notifications set due_at = now() where due_at is not null');

async function disputesOf(chargeId: ChargeId) {
  const { rows } = await db.database.query(
    `select status, kind, reason, merchant_id as "merchantId" from disputes where charge_id = $1`,
    [chargeId],
  );
  return rows;
}

async function eventsOf(chargeId: ChargeId) {
  const { rows } = await db.database.query<{ type: string; status: string }>(
    `select type, facts->'dispute'->>'status' as status from events
      where charge_id = $1 and type like 'dispute.%' order by sequence`,
    [chargeId],
  );
  return rows.map(({ type, status }) => `${type}: ${status}`);
}

/** The state of the dispute at the processor. */
interface State extends Partial<NotifiedDispute> {
  paymentId: string;
}

const answerWith = (state: State): DisputeAnswer => ({
  status: 'found',
  dispute: {
    kind: 'chargeback',
    status: 'needs_response',
    reason: 'fraudulent',
    processorReason: null,
    amountCents: 500,
    currency: 'USD',
    evidenceDueAt: null,
    version: null,
    ...state,
  },
});

const reading = (answer: DisputeAnswer): Processor => ({
  ...createSandbox(db.database, FAST_SANDBOX),
  disputes: { read: async () => answer },
});

/** A notification about a dispute, handled while the processor answers this. */
async function notify(disputeId: string, answer: DisputeAnswer, of: TestMerchant = merchant): Promise<string> {
  const id = newId('Event');
  const subject = { paymentId: null, chargeId: null, disputeId };
  const connection = { ...of, processor: 'sandbox', secrets: [] };
  await insertNotification(db.database, connection, { id, type: 'dispute.updated', subject });
  await handle(answer);
  return id;
}

async function handle(answer: DisputeAnswer): Promise<void> {
  const deps = { database: db.database, processors: [reading(answer)], log: createRecordingLog() };
  while ((await handleDueNotifications(deps, NEVER)).more);
}

const isOpen = async (eventId: string) =>
  (await db.database.query('select from processor_notifications where event_id = $1 and due_at is not null', [eventId]))
    .rowCount === 1;

describe('a dispute at the sandbox', () => {
  it('is opened by its test card, and decided later, with an event each', async () => {
    const { chargeId } = await pay('disputed');
    expect(await disputesOf(chargeId)).toEqual([]);
    await tellOfDispute(db.database, chargeId, 'opens_at');
    const facts = { kind: 'chargeback', reason: 'fraudulent', merchantId: merchant.merchantId };
    expect(await disputesOf(chargeId)).toEqual([{ ...facts, status: 'needs_response' }]);
    await decideDispute(db.database, chargeId);
    expect(await disputesOf(chargeId)).toEqual([{ ...facts, status: 'lost' }]);
    expect(await eventsOf(chargeId)).toEqual(['dispute.created: needs_response', 'dispute.updated: lost']);
  });

  it('is not opened by a hold', async () => {
    const sessionId = await createTestSession(db.database, merchant, { capture: 'manual' });
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('disputed'));
    const text = `select from sandbox_disputes d join sandbox_payments p using (payment_id)
                    join charges c on c.id = p.reference where c.session_id = $1`;
    expect((await db.database.query(text, [sessionId])).rowCount).toBe(0);
  });
});

describe('a notification of a dispute', () => {
  it('writes what the processor answers, and nothing for the same state again', async () => {
    const { chargeId, paymentId } = await pay();
    for (let count = 0; count < 3; count += 1) await notify('d_same', answerWith({ paymentId }));
    expect(await eventsOf(chargeId)).toEqual(['dispute.created: needs_response']);
    await notify('d_same', answerWith({ paymentId, evidenceDueAt: new Date('2027-01-01T00:00:00Z') }));
    expect(await eventsOf(chargeId)).toEqual(['dispute.created: needs_response', 'dispute.updated: needs_response']);
  });

  it('never replaces a newer state with an older one', async () => {
    const { chargeId, paymentId } = await pay();
    await notify('d_order', answerWith({ paymentId, version: 5, status: 'won' }));
    await notify('d_order', answerWith({ paymentId, version: 4, status: 'needs_response' }));
    expect(await disputesOf(chargeId)).toMatchObject([{ status: 'won' }]);
    await notify('d_order', answerWith({ paymentId, version: 6, status: 'lost' }));
    expect(await disputesOf(chargeId)).toMatchObject([{ status: 'lost' }]);
    expect(await eventsOf(chargeId)).toEqual(['dispute.created: won', 'dispute.updated: lost']);
  });

  it('of two at once writes one dispute', async () => {
    const { chargeId, paymentId } = await pay();
    const subject = { paymentId: null, chargeId: null, disputeId: 'd_both' };
    for (const id of [newId('Event'), newId('Event')]) {
      const connection = { ...merchant, processor: 'sandbox', secrets: [] };
      await insertNotification(db.database, connection, { id, type: 'dispute.created', subject });
    }
    await Promise.all([handle(answerWith({ paymentId })), handle(answerWith({ paymentId }))]);
    expect(await disputesOf(chargeId)).toHaveLength(1);
    expect(await eventsOf(chargeId)).toEqual(['dispute.created: needs_response']);
  });

  it('of another merchant does not touch the charge', async () => {
    const { chargeId, paymentId } = await pay();
    const other = await createTestMerchant(db.database);
    await notify('d_foreign', answerWith({ paymentId }), other);
    await notify('d_foreign', answerWith({ paymentId, chargeId }), other);
    expect(await disputesOf(chargeId)).toEqual([]);
  });

  it('that arrives before our own commit is handled when the charge is there', async () => {
    const { chargeId, paymentId } = await pay();
    // Until the transaction that moves it is over, the row is at another merchant.
    const other = await createTestMerchant(db.database);
    const move = (to: TestMerchant) =>
      db.database.query('update charges set merchant_id = $2 where id = $1', [chargeId, to.merchantId]);
    await move(other);
    const id = await notify('d_early', answerWith({ paymentId }));
    expect(await disputesOf(chargeId)).toEqual([]);
    expect(await isOpen(id)).toBe(true);
    await move(merchant);
    await makeDue();
    await handle(answerWith({ paymentId }));
    expect(await disputesOf(chargeId)).toHaveLength(1);
    expect(await isOpen(id)).toBe(false);
  });

  it('about a charge that never appears is dropped after a few minutes', async () => {
    const answer = answerWith({ paymentId: 'x', chargeId: newId('Charge') });
    const id = await notify('d_never', answer);
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      expect(await isOpen(id)).toBe(true);
      await makeDue();
      await handle(answer);
    }
    expect(await isOpen(id)).toBe(false);
  });

  it('is retried while the processor does not answer, and dropped if it has no such dispute', async () => {
    const id = await notify('d_silent', unknown('timeout'));
    expect(await isOpen(id)).toBe(true);
    await makeDue();
    await handle({ status: 'not_found' });
    expect(await isOpen(id)).toBe(false);
  });

  it('does not store a code that contains a card number', async () => {
    const { chargeId, paymentId } = await pay();
    await notify('d_code', answerWith({ paymentId, processorReason: '4242424242424242' }));
    const text = 'select processor_reason as reason from disputes where charge_id = $1';
    expect((await db.database.query(text, [chargeId])).rows).toEqual([{ reason: null }]);
  });
});

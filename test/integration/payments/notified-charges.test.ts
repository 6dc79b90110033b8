/** What a processor's notification does: it makes the resolver look up its charge at once, and writes nothing itself. */
import { describe, expect, it } from 'vitest';
import { insertNotification, type NotifiedSubject } from '../../../src/db/processor-notifications/inbox.ts';
import { type ChargeId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { checkDueHolds } from '../../../src/payments/holds/resolve-holds.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import { unknown } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard, readPaymentState } from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const NEVER = new AbortController().signal;
const NOTHING: NotifiedSubject = { paymentId: null, chargeId: null, disputeId: null };

const sandbox = () => createSandbox(db.database, FAST_SANDBOX);

async function notify(subject: Partial<NotifiedSubject>, of: TestMerchant = merchant): Promise<string> {
  const id = newId('Event');
  const connection = { ...of, processor: 'sandbox', secrets: [] };
  const notification = { id, type: 'payment.updated', subject: { ...NOTHING, ...subject } };
  expect(await insertNotification(db.database, connection, notification)).toBe(true);
  return id;
}

/** Handles what is due, then looks up what that made due. */
async function handle(processors: Processor[] = [sandbox()]): Promise<void> {
  const deps = { database: db.database, processors, log: createRecordingLog() };
  while ((await handleDueNotifications(deps, NEVER)).more);
  await resolveDueCharges(deps, NEVER);
  await checkDueHolds(deps, NEVER);
}

/** The row of a notification. `due`: seconds until its next attempt; null if it is done. */
async function rowOf(eventId: string) {
  const { rows } = await db.database.query<{ attempts: number; due: number | null }>(
    `select attempts, extract(epoch from due_at - now())::double precision as due from processor_notifications
      where event_id = $1`,
    [eventId],
  );
  return rows[0] ?? { attempts: -1, due: -1 };
}

/** A session with a charge whose outcome is unknown, which is not looked up by itself for an hour. */
async function leaveUnknown(card = 'hangs_taken'): Promise<{ sessionId: CheckoutSessionId; chargeId: ChargeId }> {
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard(card));
  const { rows } = await db.database.query<{ id: ChargeId }>(
    `update charges set resolve_at = now() + interval '1 hour', resolve_attempts = 4 where session_id = $1 returning id`,
    [sessionId],
  );
  return { sessionId, chargeId: rows[0]?.id as ChargeId };
}

const paymentOf = async (chargeId: ChargeId) => {
  const text = 'select payment_id as id from sandbox_payments where reference = $1';
  return (await db.database.query<{ id: string }>(text, [chargeId])).rows[0]?.id ?? '';
};

const statusesOf = async (sessionId: CheckoutSessionId) => (await readPaymentState(db.database, sessionId)).charges;

describe('a notification about a pending charge', () => {
  it('has it looked up at once, by our ID or by the ID of its payment', async () => {
    const [byCharge, byPayment] = [await leaveUnknown(), await leaveUnknown()];
    await notify({ chargeId: byCharge.chargeId });
    await notify({ paymentId: await paymentOf(byPayment.chargeId) });
    await handle();
    expect(await statusesOf(byCharge.sessionId)).toEqual(['succeeded']);
    expect(await statusesOf(byPayment.sessionId)).toEqual(['succeeded']);
  });

  it('does not decide: whatever it says, the lookup is the truth', async () => {
    const { sessionId, chargeId } = await leaveUnknown();
    await notify({ chargeId });
    await handle([{ ...sandbox(), lookUp: async () => unknown('busy') }]);
    expect(await statusesOf(sessionId)).toEqual(['pending']);
  });

  it('uses up none of its lookups, however many arrive', async () => {
    const { chargeId } = await leaveUnknown();
    for (let count = 0; count < 10; count += 1) {
      await notify({ chargeId });
      await handle([{ ...sandbox(), lookUp: async () => unknown('busy') }]);
    }
    const text = 'select resolve_attempts as attempts from charges where id = $1';
    expect((await db.database.query(text, [chargeId])).rows).toEqual([{ attempts: 4 }]);
  });

  it('has it looked up again after the resolver has given up', async () => {
    const { sessionId, chargeId } = await leaveUnknown();
    await db.database.query(`update charges set resolve_at = 'infinity', resolve_attempts = 100 where id = $1`, [
      chargeId,
    ]);
    await notify({ chargeId });
    await handle();
    expect(await statusesOf(sessionId)).toEqual(['succeeded']);
  });

  it('waits while the own process may still get the answer', async () => {
    const { sessionId, chargeId } = await leaveUnknown();
    await db.database.query(`delete from events where charge_id = $1`, [chargeId]);
    const id = await notify({ chargeId });
    await handle();
    expect(await statusesOf(sessionId)).toEqual(['pending']);
    expect(await rowOf(id)).toMatchObject({ attempts: 1, due: expect.any(Number) });
  });

  it('of another merchant is not touched', async () => {
    const { sessionId, chargeId } = await leaveUnknown();
    const other = await createTestMerchant(db.database);
    await notify({ chargeId }, other);
    await notify({ paymentId: await paymentOf(chargeId) }, other);
    await handle();
    expect(await statusesOf(sessionId)).toEqual(['pending']);
  });
});

describe('a notification', () => {
  it('that arrives before our own commit is handled when the charge is there', async () => {
    const { sessionId, chargeId } = await leaveUnknown();
    // Until the transaction that moves it is over, the row is at another merchant.
    const other = await createTestMerchant(db.database);
    await db.database.query('update charges set merchant_id = $2 where id = $1', [chargeId, other.merchantId]);
    const id = await notify({ chargeId });
    await handle();
    expect(await rowOf(id)).toMatchObject({ attempts: 1, due: expect.any(Number) });
    await db.database.query('update charges set merchant_id = $2 where id = $1', [chargeId, merchant.merchantId]);
    await db.database.query('update processor_notifications set due_at = now() where event_id = $1', [id]);
    await handle();
    expect(await statusesOf(sessionId)).toEqual(['succeeded']);
    expect(await rowOf(id)).toEqual({ attempts: 2, due: null });
  });

  it('is retried while the processor cannot be asked, and given up after a day', async () => {
    const id = await notify({ paymentId: 'sandbox_x' });
    const { notifications = null } = sandbox();
    const silent = {
      ...sandbox(),
      notifications: notifications && { ...notifications, chargeOf: async () => unknown('timeout') },
    };
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await handle([silent]);
      expect(await rowOf(id)).toMatchObject({ attempts: attempt, due: attempt < 8 ? expect.any(Number) : null });
      await db.database.query('update processor_notifications set due_at = now() where due_at is not null');
    }
  });

  it('about a charge that does not exist is dropped after a few minutes', async () => {
    const id = await notify({ chargeId: newId('Charge') });
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await db.database.query('update processor_notifications set due_at = now() where due_at is not null');
      await handle();
    }
    expect(await rowOf(id)).toEqual({ attempts: 4, due: null });
  });

  it('has a hold read that was captured in the dashboard of the processor', async () => {
    const sessionId = await createTestSession(db.database, merchant, { capture: 'manual' });
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'));
    const { rows } = await db.database.query<{ reference: ChargeId }>(
      `update sandbox_payments set status = 'succeeded', captured_cents = amount_cents - 100
        where reference in (select id from charges where session_id = $1) returning reference`,
      [sessionId],
    );
    const chargeId = rows[0]?.reference as ChargeId;
    await notify({ paymentId: await paymentOf(chargeId) });
    await handle();
    const state = await readPaymentState(db.database, sessionId);
    expect(state.charges).toEqual(['succeeded']);
    expect(state.events).toContain('charge.captured');
    expect(state.rows[0]?.capturedCents).toBe((state.rows[0]?.amount.amountCents ?? 0) - 100);
  });
});

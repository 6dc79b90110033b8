/** Charges that were reported as failed, although their processor took the money. */
import { describe, expect, test } from 'vitest';
import { expireSessions } from '../../../src/checkout/expire.ts';
import { findCharge } from '../../../src/db/charges/charges.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { recordLateSuccess } from '../../../src/payments/charges/late-success.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import type { Settlement } from '../../../src/payments/port/answers.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession, type SessionOptions } from '../../support/test-merchants.ts';
import {
  createRecordingLog,
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  listSessionEvents,
  readPaymentState,
} from './test-payments.ts';
import { createTestRefunds } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
let orders = 0;

const taken = (charge: Charge): Settlement & { status: 'succeeded' } => ({
  status: 'succeeded',
  processorPaymentId: `sandbox_late_${charge.id}`,
});
const settleDeps = () => ({ database: db.database, log: createRecordingLog() });
const payCard = (id: CheckoutSessionId, card = 'visa') =>
  createTestPayments(db.database).pay(merchant, id, keyedCard(card));
const reread = async ({ id }: Charge) => {
  const charge = await findCharge(db.database, id);
  if (charge === null) throw new Error('the charge is gone');
  return charge;
};

/** A session of an order of its own, unless `options` name one. */
function openSession(options: SessionOptions = {}) {
  orders += 1;
  const of = { orderId: `late_order_${orders}`, allowRepeat: false, callerPhone: `+1555020${1_000 + orders}` };
  return createTestSession(db.database, merchant, { ...of, ...options });
}

async function lastCharge(id: CheckoutSessionId): Promise<Charge> {
  const charge = (await readPaymentState(db.database, id)).rows.at(-1);
  if (charge === undefined) throw new Error('the session has no charge');
  return charge;
}

/** A session whose charge failed because the processor did not have it. */
async function calledFailed(options: SessionOptions = {}): Promise<{ session: CheckoutSessionId; charge: Charge }> {
  const session = await openSession(options);
  await payCard(session, 'hangs_not_taken');
  await settleCharge(settleDeps(), await lastCharge(session), NOT_RECEIVED);
  return { session, charge: await lastCharge(session) };
}

describe('a failed charge that turns out to be paid', () => {
  test('succeeds with was_late, completes its session, sends events, and can be refunded', async () => {
    const { session, charge } = await calledFailed();
    const late: string[] = [];
    const deps = { ...settleDeps(), onLateSuccess: ({ id }: Charge) => late.push(id) };
    const { charge: found, isWritten } = await settleCharge(deps, charge, taken(charge));
    expect([isWritten, late]).toEqual([true, [charge.id]]);
    expect(found).toMatchObject({
      status: 'succeeded',
      wasLate: true,
      duplicateOf: null,
      declineCode: null,
      processorCode: null,
      processorPaymentId: `sandbox_late_${charge.id}`,
    });
    const state = await readPaymentState(db.database, session);
    expect(state).toMatchObject({ session: 'complete', charges: ['succeeded'] });
    expect(state.events).toEqual(['checkout.pending', 'checkout.failed', 'checkout.succeeded', 'checkout.completed']);
    const events = await listSessionEvents(db.database, session);
    expect(events.at(-1)?.facts).toMatchObject({
      outcome: 'succeeded',
      charge: { was_late: true, duplicate_of: null },
    });
    const { rowCount } = await db.database.query('select from charge_rechecks where charge_id = $1', [charge.id]);
    expect(rowCount).toBe(0);
    expect(await payCard(session)).toMatchObject({ type: 'refused', reason: 'already_paid' });
  });

  test('is recorded once, whichever process finds it', async () => {
    const { session, charge } = await calledFailed();
    const settled = await Promise.all(
      Array.from({ length: 5 }, () => settleCharge(settleDeps(), charge, taken(charge))),
    );
    expect(settled.filter(({ isWritten }) => isWritten)).toHaveLength(1);
    const { rows } = await db.database.query(
      `select from audit_events where object_id = $1 and action = 'charge.paid_late'`,
      [charge.id],
    );
    expect(rows).toHaveLength(1);
    expect((await readPaymentState(db.database, session)).events).toHaveLength(4);
  });

  test('completes an expired session: its last event is not resent, but a success follows', async () => {
    const { session, charge } = await calledFailed();
    await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [session]);
    while ((await expireSessions(db.database)).more);
    await settleCharge(settleDeps(), charge, taken(charge));
    const state = await readPaymentState(db.database, session);
    expect(state.session).toBe('complete');
    expect(state.events).toEqual([
      'checkout.pending',
      'checkout.failed',
      'checkout.expired',
      'checkout.completed',
      'checkout.succeeded',
    ]);
  });

  test('pays for its order, so another session of the order is refused', async () => {
    const { charge } = await calledFailed({ orderId: 'late_only' });
    await settleCharge(settleDeps(), charge, taken(charge));
    const other = await openSession({ orderId: 'late_only' });
    expect(await payCard(other)).toMatchObject({ type: 'refused', reason: 'order_paid', charge: { id: charge.id } });
  });

  test('is the duplicate of a later charge of its session, and is only refunded on request', async () => {
    const { session, charge } = await calledFailed();
    const second = await payCard(session);
    expect(second.type).toBe('succeeded');
    const other = await lastCharge(session);
    const { log, ...deps } = settleDeps();
    await settleCharge({ ...deps, log }, charge, await reallyTaken(charge));
    expect(await reread(charge)).toMatchObject({ status: 'succeeded', wasLate: true, duplicateOf: other.id });
    expect(await reread(other)).toMatchObject({ status: 'succeeded', wasLate: false, duplicateOf: null });
    expect(log.lines.join('\n')).toContain('refund one of them');
    const back = await db.database.query('select from refunds where session_id = $1', [session]);
    expect(back.rowCount).toBe(0);
    expect(await createTestRefunds(db.database, merchant).refund(charge.id)).toMatchObject({
      type: 'refund',
      refund: { status: 'succeeded', amount: { amountCents: 4_250 } },
    });
    expect(
      (await readPaymentState(db.database, session)).events.filter((type) => type.endsWith('completed')),
    ).toHaveLength(1);
  });

  test('is the duplicate of the charge of another session that paid the order', async () => {
    const orderId = 'late_twice';
    const { charge } = await calledFailed({ orderId });
    const session = await openSession({ orderId });
    expect((await payCard(session)).type).toBe('succeeded');
    await settleCharge(settleDeps(), charge, taken(charge));
    expect((await reread(charge)).duplicateOf).toBe((await lastCharge(session)).id);
  });

  test('is not a duplicate if its order can be paid several times', async () => {
    const of = { orderId: 'late_repeat', allowRepeat: true };
    const { charge } = await calledFailed(of);
    expect((await payCard(await openSession(of))).type).toBe('succeeded');
    await settleCharge(settleDeps(), charge, taken(charge));
    expect((await reread(charge)).duplicateOf).toBeNull();
  });

  test.each(['of its session', 'of its order'])(
    'beside a pending charge %s it is a duplicate until that fails',
    async (where) => {
      const orderId = `late_pending ${where}`;
      const { session, charge } = await calledFailed({ orderId });
      const again = where === 'of its session' ? session : await openSession({ orderId });
      expect((await payCard(again, 'hangs_not_taken')).type).toBe('pending');
      const pending = await lastCharge(again);
      await settleCharge(settleDeps(), charge, taken(charge));
      expect(await reread(charge)).toMatchObject({ status: 'succeeded', duplicateOf: pending.id });
      await settleCharge(settleDeps(), pending, NOT_RECEIVED);
      expect(await reread(charge)).toMatchObject({ status: 'succeeded', duplicateOf: null });
      // The other one is found, too: the second of the two is the duplicate.
      await settleCharge(settleDeps(), pending, taken(pending));
      expect(await reread(pending)).toMatchObject({ status: 'succeeded', duplicateOf: charge.id });
      expect(await reread(charge)).toMatchObject({ duplicateOf: null });
    },
  );

  test('stays a duplicate if a concurrent pending charge succeeds', async () => {
    const { session, charge } = await calledFailed();
    await payCard(session, 'hangs_taken');
    const pending = await lastCharge(session);
    await settleCharge(settleDeps(), charge, taken(charge));
    await settleCharge(settleDeps(), pending, taken(pending));
    expect((await reread(charge)).duplicateOf).toBe(pending.id);
    expect((await reread(pending)).duplicateOf).toBeNull();
  });

  test('is flagged if another session of its order is paid at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const orderId = `late_race_${round}`;
      const { charge } = await calledFailed({ orderId });
      const session = await openSession({ orderId });
      const [, paid] = await Promise.all([settleCharge(settleDeps(), charge, taken(charge)), payCard(session)]);
      const found = await reread(charge);
      if (paid.type === 'refused') expect(paid.reason).toBe('order_paid');
      else expect(found.duplicateOf).toBe((await lastCharge(session)).id);
    }
  });

  test('is no duplicate of a hold that is released at the same moment', async () => {
    const orderId = 'late_hold';
    const { charge } = await calledFailed({ orderId });
    const session = await openSession({ orderId, capture: 'manual' });
    expect(await payCard(session)).toMatchObject({ charge: { status: 'authorized' } });
    const held = await lastCharge(session);
    let settling: Promise<unknown> = Promise.resolve();
    await db.database.transaction(async (sql) => {
      await sql.query(`update charges set status = 'voided' where id = $1`, [held.id]);
      settling = settleCharge(settleDeps(), charge, taken(charge));
      await expect.poll(waitsForLock, { timeout: 60_000 }).toBe(true);
    });
    await settling;
    expect(await reread(charge)).toMatchObject({ status: 'succeeded', wasLate: true, duplicateOf: null });
  });

  test('is not counted twice if its payment belongs to another charge', async () => {
    const { session, charge } = await calledFailed();
    await payCard(session);
    const { processorPaymentId } = await lastCharge(session);
    if (processorPaymentId === null) throw new Error('a paid charge without its payment');
    const { log, database } = settleDeps();
    expect(await recordLateSuccess({ log, database }, charge, { ...taken(charge), processorPaymentId })).toBeNull();
    expect((await reread(charge)).status).toBe('failed');
    expect(log.lines.join('\n')).toContain('belongs to another charge');
  });
});

/** Whether a statement waits for a lock. */
async function waitsForLock(): Promise<boolean> {
  const { rowCount } = await db.database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount !== 0;
}

/** The sandbox has taken the charge before. */
async function reallyTaken(charge: Charge): Promise<Settlement & { status: 'succeeded' }> {
  await db.database.query(
    `insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency, brand, last_four,
                                   card_name, settles_at)
     values ($1, $2, $3, $4, 'succeeded', $5, 'USD', 'VISA', '4242', 'visa', now())`,
    [charge.id, taken(charge).processorPaymentId, charge.accountId, charge.mode, charge.amount.amountCents],
  );
  const found = await createSandbox(db.database, FAST_SANDBOX).lookUp(
    { chargeId: charge.id, mode: charge.mode, createdAt: charge.createdAt, credentials: {} },
    new AbortController().signal,
  );
  if (found.status !== 'succeeded') throw new Error(`the sandbox: ${found.status}`);
  return found;
}

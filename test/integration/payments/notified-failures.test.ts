/** Refunds and captures whose outcome at the processor became another one: found by its notifications. */
import { describe, expect, it } from 'vitest';
import { findCharge } from '../../../src/db/charges/charges.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import type { HistoryAnswer } from '../../../src/payments/port/history.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestNotifications } from './test-notifications.ts';
import { listSessionEvents } from './test-payments.ts';
import { createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { sandbox, paid, notify, handle, told, retry, isDone, refundElsewhere, failThere, rowsOf, attentionKinds } =
  createTestNotifications(db, merchant);

describe('a refund that had succeeded and fails at the processor', () => {
  it('is failed, is told as such, needs attention, and can be made again', async () => {
    const chargeId = await paid();
    const refunds = createTestRefunds(db.database, merchant);
    await refunds.refund(chargeId, 300);
    const [refund] = await rowsOf(chargeId);
    await failThere(refund.id);
    expect(await told(chargeId)).toContain('a refund that had succeeded has failed');
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 0,
      refunds: ['failed 300'],
      failures: ['refused'],
      events: ['refund.succeeded', 'refund.failed'],
    });
    expect(await attentionKinds(refund.id)).toEqual(['refund_failed_late']);
    await told(chargeId);
    expect((await readRefundState(db.database, chargeId)).events).toEqual(['refund.succeeded', 'refund.failed']);
    expect(await refunds.refund(chargeId, 300)).toMatchObject({ refund: { status: 'succeeded' } });
  });

  it('is failed also if it was made at the processor', async () => {
    const chargeId = await paid();
    const there = await refundElsewhere(chargeId, 250);
    await told(chargeId);
    await failThere(there);
    await told(chargeId);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 0,
      refunds: ['failed 250'],
      events: ['refund.succeeded', 'refund.failed'],
    });
  });
});

describe('a refund that was reported as failed and was made at the processor', () => {
  it('succeeds, with an event, and is counted', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    await db.database.query(
      `with event as (delete from events where charge_id = $1 and refund_id is not null)
       update refunds set status = 'failed', failure = 'not_received', processor_refund_id = null where charge_id = $1`,
      [chargeId],
    );
    expect(await told(chargeId)).toContain('a refund that was reported as failed was made');
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 300,
      refunds: ['succeeded 300'],
      failures: [],
      events: ['refund.succeeded'],
    });
  });

  it('and fails again has a second event of its failure', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    const [refund] = await rowsOf(chargeId);
    await db.database.query(
      `with event as (update events set type = 'refund.failed' where charge_id = $1 and refund_id is not null)
       update refunds set status = 'failed', failure = 'not_received', processor_refund_id = null where charge_id = $1`,
      [chargeId],
    );
    await told(chargeId);
    await failThere(refund.id);
    await told(chargeId);
    expect((await readRefundState(db.database, chargeId)).events).toEqual([
      'refund.failed',
      'refund.succeeded',
      'refund.failed',
    ]);
  });

  it('stays failed if the charge has not that much left', async () => {
    const chargeId = await paid();
    const refunds = createTestRefunds(db.database, merchant);
    await refunds.refund(chargeId, 300);
    await db.database.query(`update refunds set status = 'failed', failure = 'not_received' where charge_id = $1`, [
      chargeId,
    ]);
    await refundElsewhere(chargeId, PAID);
    await notify(chargeId);
    await db.database.query(
      "update sandbox_refunds set created_at = created_at - interval '1 hour' where amount_cents = $1",
      [PAID],
    );
    expect(await handle()).toContain('refund at the processor differs from ours');
    expect((await readRefundState(db.database, chargeId)).refundedCents).toBe(PAID);
  });
});

describe('a capture that had succeeded and fails at the processor', () => {
  const failing = (answer: HistoryAnswer): Processor => {
    const processor = sandbox();
    const { notifications = null } = processor;
    const histories = { after: /./, read: async () => answer };
    return { ...processor, notifications: notifications && { ...notifications, histories } };
  };
  const FAILED = { status: 'read', refunds: [], captureFailure: 'CAPTURE_FAILED' } as const;

  it('is a failed charge, is told once, and needs attention', async () => {
    const chargeId = await paid();
    expect(await told(chargeId, failing(FAILED))).toContain('the capture of a charge has failed');
    await told(chargeId, failing(FAILED));
    const charge = await findCharge(db.database, chargeId);
    expect(charge).toMatchObject({
      status: 'failed',
      declineCode: 'processing_error',
      processorCode: 'CAPTURE_FAILED',
      captureFailedAt: expect.any(Date),
    });
    if (charge === null) throw new Error('the charge is gone');
    const events = (await listSessionEvents(db.database, charge.sessionId)).map(({ type }) => type);
    expect(events).toEqual(['checkout.succeeded', 'checkout.completed', 'charge.capture_failed']);
    expect(await attentionKinds(chargeId)).toEqual(['capture_failed']);
  });

  it('stays a succeeded charge if it was refunded, and needs attention', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    expect(await told(chargeId, failing(FAILED))).toContain('the capture of a refunded charge has failed');
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'succeeded' });
    expect(await attentionKinds(chargeId)).toEqual(['processor_differs']);
  });

  it('fails the charge once its refund has failed, too', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    await told(chargeId, failing(FAILED));
    const [refund] = await rowsOf(chargeId);
    await failThere(refund.id);
    await told(chargeId);
    await told(chargeId, failing(FAILED));
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'failed' });
    expect(await attentionKinds(chargeId)).toEqual(['capture_failed']);
  });

  it('is read again while the processor cannot be asked', async () => {
    const chargeId = await paid();
    const id = await notify(chargeId);
    await handle(failing({ status: 'unknown', cause: 'timeout' }));
    expect(await isDone(id)).toBe(false);
    await retry();
    await handle(failing(FAILED));
    expect(await isDone(id)).toBe(true);
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'failed' });
  });
});

describe('a test card of the sandbox', () => {
  /** Lets the sandbox's notifications arrive. */
  async function later(chargeId: ChargeId): Promise<void> {
    const mine = 'payment_id in (select payment_id from sandbox_payments where reference = $1)';
    await db.database.query(
      `update sandbox_refunds set created_at = least(created_at, now()), settles_at = least(settles_at, now()),
              succeeded_until = least(succeeded_until, now()) where ${mine}`,
      [chargeId],
    );
    await db.database.query(`update processor_notifications set due_at = now() where due_at is not null and ${mine}`, [
      chargeId,
    ]);
    await handle();
  }

  it('is refunded in the dashboard of the sandbox, which notifies that by itself', async () => {
    const chargeId = await createPaidCharge(db.database, merchant, 'refunded_elsewhere');
    await told(chargeId);
    expect(await rowsOf(chargeId)).toEqual([]);
    await later(chargeId);
    expect(await rowsOf(chargeId)).toMatchObject([{ origin: 'processor', status: 'succeeded', amount_cents: 100 }]);
  });

  it('has a refund that succeeds and fails later, which the sandbox notifies by itself', async () => {
    const chargeId = await createPaidCharge(db.database, merchant, 'refund_fails_later');
    const refunds = createTestRefunds(db.database, merchant);
    expect(await refunds.refund(chargeId)).toMatchObject({ refund: { status: 'succeeded' } });
    await later(chargeId);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 0,
      refunds: [`failed ${PAID}`],
      events: ['refund.succeeded', 'refund.failed'],
    });
  });
});

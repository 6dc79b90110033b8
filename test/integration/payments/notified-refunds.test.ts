/** Refunds that the merchant made at the processor, and refunds of ours that it names: found by its notifications. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';
import { createTestNotifications } from './test-notifications.ts';
import { agePendingRefunds, createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { paid, notify, handle, told, retry, isDone, refundElsewhere, failThere, rowsOf, attentionKinds } =
  createTestNotifications(db, merchant);

describe('a refund that the merchant made at the processor', () => {
  it('becomes a refund of the charge, with an event, and is counted', async () => {
    const chargeId = await paid();
    const there = await refundElsewhere(chargeId, 250);
    await told(chargeId);
    expect(await rowsOf(chargeId)).toMatchObject([
      { origin: 'processor', status: 'succeeded', amount_cents: 250, processor_refund_id: there },
    ]);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 250,
      events: ['refund.succeeded'],
    });
    const refunds = createTestRefunds(db.database, merchant);
    expect(await refunds.refund(chargeId, PAID)).toMatchObject({ type: 'refused', reason: 'too_much' });
  });

  it('is recorded once, however often and at however many workers it is notified', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, 250);
    for (let count = 0; count < 4; count += 1) await notify(chargeId);
    await Promise.all([handle(), handle(), handle()]);
    await told(chargeId);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 250,
      refunds: ['succeeded 250'],
      events: ['refund.succeeded'],
    });
  });

  it('is looked up until it is settled', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, 250, { settlesInMs: 60_000 });
    await told(chargeId);
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['pending 250'], events: [] });
    await db.database.query(
      `update sandbox_refunds set settles_at = now() where payment_id in
        (select payment_id from sandbox_payments where reference = $1)`,
      [chargeId],
    );
    await agePendingRefunds(db.database, chargeId, 120);
    await db.database.query('update refunds set resolve_at = now() where charge_id = $1', [chargeId]);
    await createTestRefunds(db.database, merchant).resolve();
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refunds: ['succeeded 250'],
      events: ['refund.succeeded'],
    });
  });

  it('never exceeds the charge', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, PAID + 1);
    expect(await told(chargeId)).toContain('refund at the processor differs from ours');
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refundedCents: 0, refunds: [], events: [] });
    expect(await attentionKinds(chargeId)).toEqual(['processor_differs']);
  });

  it('and exceeds what is left needs attention until it can be recorded', async () => {
    const chargeId = await paid();
    const refunds = createTestRefunds(db.database, merchant);
    await refunds.refund(chargeId, 300);
    const [ours] = await rowsOf(chargeId);
    const there = await refundElsewhere(chargeId, PAID);
    await told(chargeId);
    expect(await attentionKinds(chargeId)).toEqual(['processor_differs']);
    await failThere(ours.id);
    await told(chargeId);
    await told(chargeId);
    expect(await attentionKinds(chargeId)).toEqual([]);
    expect(await rowsOf(chargeId)).toMatchObject([
      { status: 'failed' },
      { origin: 'processor', status: 'succeeded', processor_refund_id: there },
    ]);
  });

  it('under the ID of a refund of ours is another refund', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    const [ours] = await rowsOf(chargeId);
    const there = await refundElsewhere(chargeId, 250);
    await told(chargeId);
    // The processor's record of the second refund has our ID of the first one.
    await db.database.query(`update sandbox_refunds set reference = 'moved ' || reference where reference = $1`, [
      ours.id,
    ]);
    await db.database.query(`update sandbox_refunds set reference = $1, status = 'failed' where refund_id = $2`, [
      ours.id,
      there,
    ]);
    await told(chargeId);
    expect(await rowsOf(chargeId)).toMatchObject([
      { id: ours.id, status: 'succeeded' },
      { processor_refund_id: there, status: 'failed' },
    ]);
  });

  it('and failed at once is not recorded', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, 250, { status: 'failed' });
    await told(chargeId);
    expect(await rowsOf(chargeId)).toEqual([]);
  });

  it('is not found by the notification of another merchant', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, 250);
    await notify(chargeId, await createTestMerchant(db.database));
    await handle();
    expect(await rowsOf(chargeId)).toEqual([]);
  });

  it('is found when the charge has succeeded, if it was notified before', async () => {
    const chargeId = await paid();
    await refundElsewhere(chargeId, 250);
    await db.database.query(`update charges set status = 'pending', settled_at = null where id = $1`, [chargeId]);
    const id = await notify(chargeId);
    await handle();
    expect([await isDone(id), await rowsOf(chargeId)]).toEqual([false, []]);
    await db.database.query(`update charges set status = 'succeeded', settled_at = now() where id = $1`, [chargeId]);
    await retry();
    await handle();
    expect(await isDone(id)).toBe(true);
    expect(await rowsOf(chargeId)).toMatchObject([{ origin: 'processor', amount_cents: 250 }]);
  });
});

describe('a refund of ours', () => {
  it('is known by its ID, and is never counted twice', async () => {
    const chargeId = await paid();
    await createTestRefunds(db.database, merchant).refund(chargeId, 300);
    await told(chargeId);
    expect(await rowsOf(chargeId)).toMatchObject([{ origin: 'ringkey', status: 'succeeded', amount_cents: 300 }]);
  });

  it('whose answer was lost delays what else was refunded, and is never counted twice', async () => {
    const chargeId = await createPaidCharge(db.database, merchant, 'refund_hangs');
    const refunds = createTestRefunds(db.database, merchant);
    await refunds.refund(chargeId, 300);
    // A processor that does not repeat our reference.
    await db.database.query(
      `update sandbox_refunds set reference = 'unnamed ' || reference where reference in
        (select id from refunds where charge_id = $1)`,
      [chargeId],
    );
    const id = await notify(chargeId);
    await handle();
    expect([await isDone(id), (await rowsOf(chargeId)).length]).toEqual([false, 1]);
    await db.database.query(
      `update refunds set status = 'succeeded', settled_at = now(), processor_refund_id =
         (select l.refund_id from sandbox_refunds l where l.reference = 'unnamed ' || refunds.id) where charge_id = $1`,
      [chargeId],
    );
    await retry();
    await handle();
    expect(await isDone(id)).toBe(true);
    expect(await rowsOf(chargeId)).toMatchObject([{ origin: 'ringkey', amount_cents: 300 }]);
  });

  it('that the database has lost is restored under its ID when no process can still write it', async () => {
    const chargeId = await paid();
    const refundId = newId('Refund');
    await refundElsewhere(chargeId, 300, { reference: refundId });
    const id = await notify(chargeId);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await handle();
      expect([await isDone(id), await rowsOf(chargeId)]).toEqual([false, []]);
      await retry();
    }
    await handle();
    expect(await isDone(id)).toBe(true);
    expect(await rowsOf(chargeId)).toMatchObject([{ id: refundId, status: 'succeeded', amount_cents: 300 }]);
  });
});

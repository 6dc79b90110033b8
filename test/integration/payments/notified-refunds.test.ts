/** Refunds that were made or that failed at the processor, and captures that failed there: found by its notifications. */
import { describe, expect, it } from 'vitest';
import { PAYMENT_FINDERS } from '../../../src/db/attention/payments.ts';
import { findCharge } from '../../../src/db/charges/charges.ts';
import { insertNotification } from '../../../src/db/processor-notifications/inbox.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { handleDueNotifications } from '../../../src/payments/handle-notifications.ts';
import type { HistoryAnswer } from '../../../src/payments/history-port.ts';
import type { Processor } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, FAST_SANDBOX, listSessionEvents } from './test-payments.ts';
import { agePendingRefunds, createPaidCharge, createTestRefunds, PAID, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const NEVER = new AbortController().signal;

const sandbox = () => createSandbox(db.database, FAST_SANDBOX);
const paid = () => createPaidCharge(db.database, merchant);

async function notify(chargeId: ChargeId, of: TestMerchant = merchant, type = 'refund.updated'): Promise<string> {
  const id = newId('Event');
  const subject = { paymentId: null, chargeId, disputeId: null };
  await insertNotification(db.database, { ...of, processor: 'sandbox', secrets: [] }, { id, type, subject });
  return id;
}

/** Handles what is due, once. @returns the lines of the log */
async function handle(processor: Processor = sandbox()): Promise<string> {
  const log = createRecordingLog();
  await handleDueNotifications({ database: db.database, processors: [processor], log }, NEVER);
  return log.lines.join('\n');
}

/** Notifies that something became of the charge, and handles it. */
async function told(chargeId: ChargeId, processor?: Processor): Promise<string> {
  await notify(chargeId);
  return handle(processor);
}

const retry = () => db.database.query('update processor_notifications set due_at = now() where due_at is not null');

async function isDone(eventId: string): Promise<boolean | undefined> {
  const text = 'select due_at is null as "isDone" from processor_notifications where event_id = $1';
  return (await db.database.query<{ isDone: boolean }>(text, [eventId])).rows[0]?.isDone;
}

interface Elsewhere {
  status?: 'succeeded' | 'failed';
  reference?: string;
  settlesInMs?: number;
}

/** A refund in the sandbox's own dashboard. @returns its ID there */
async function refundElsewhere(chargeId: ChargeId, cents: number, more: Elsewhere = {}): Promise<string> {
  const { status = 'succeeded', reference = `dashboard ${newId('Request')}`, settlesInMs = 0 } = more;
  const id = `sandbox_refund_${newId('Request')}`;
  await db.database.query(
    `insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents, status, settles_at)
     select $1, $2, payment_id, $4, $5, clock_timestamp() + $6::integer * interval '1 millisecond'
       from sandbox_payments where reference = $3`,
    [reference, id, chargeId, cents, status, settlesInMs],
  );
  return id;
}

const failThere = (id: string) =>
  db.database.query(`update sandbox_refunds set status = 'failed' where refund_id = $1 or reference = $1`, [id]);

const rowsOf = async (chargeId: ChargeId) =>
  (
    await db.database.query(
      `select id, origin, status::text, amount_cents, processor_refund_id, failure from refunds where charge_id = $1
        order by created_at, id`,
      [chargeId],
    )
  ).rows;

async function attentionKinds(subject: string): Promise<string[]> {
  const scope = { accountId: merchant.accountId, mode: merchant.mode };
  const found = await Promise.all(PAYMENT_FINDERS.map((finder) => finder.find(db.database, scope)));
  return found
    .flat()
    .filter((item) => item.subject === subject)
    .map(({ kind }) => kind);
}

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

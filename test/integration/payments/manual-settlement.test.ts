/**
 * The guards of manual settlement. Each test changes a charge or refund after it was read, as a request or the resolver
 * could: the guards judge what is in the database once the locks are held.
 */
import { describe, expect, test } from 'vitest';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import type { Refund } from '../../../src/domain/refund.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { findToSettle, settleManually } from '../../../src/payments/manual/manual-settlement.ts';
import { writeRefundAnswer } from '../../../src/payments/refunds/settle-refund.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { giveUp } from '../../support/seed-payments.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { createPaidCharge, createTestRefunds, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const log = createRecordingLog();
const deps = () => ({ database: db.database, log });
const by = SYSTEM;
const LOST = { outcome: 'not_received' } as const;
const asPaid = (processorId: string) => ({ outcome: 'succeeded', processorId }) as const;

async function read<K extends 'charge' | 'refund'>(kind: K, id: string) {
  const found = await findToSettle(db.database, kind, id);
  if (found === null) throw new Error(`the ${kind} is not in the database`);
  return found;
}

async function auditsOf({ id }: Charge | Refund): Promise<number> {
  const text = `select from audit_events where object_id = $1 and action like '%.settled'`;
  return (await db.database.query(text, [id])).rowCount ?? 0;
}

describe('a refund', () => {
  /** A pending refund of $10.00 that the processor has not named. */
  async function pendingRefund({ givenUp }: { givenUp: boolean }) {
    const chargeId = await createPaidCharge(db.database, merchant, 'refund_hangs');
    const result = await createTestRefunds(db.database, merchant).refund(chargeId, 1_000);
    if (result.type !== 'refund') throw new Error('no refund');
    if (givenUp) await giveUp(db.database, result.refund.id);
    return read('refund', result.refund.id);
  }

  test('is not recorded as not received if the processor named it after it was read', async () => {
    const found = await pendingRefund({ givenUp: true });
    await writeRefundAnswer(deps(), found.row, { status: 'pending', processorRefundId: 'theirs' }, null);
    expect(await settleManually(deps(), 'refund', { found, reported: LOST, by })).toMatchObject({
      type: 'refused',
      reason: 'named_otherwise',
      row: { status: 'pending', processorRefundId: 'theirs' },
    });
    // The amount stays reserved: a second refund of it is not possible.
    expect(await readRefundState(db.database, found.row.chargeId)).toMatchObject({
      refundedCents: 1_000,
      refunds: ['pending 1000'],
      events: [],
    });
    expect(await auditsOf(found.row)).toBe(0);
  });

  test('is not recorded under another ID if the processor named it after it was read', async () => {
    const found = await pendingRefund({ givenUp: true });
    await writeRefundAnswer(deps(), found.row, { status: 'pending', processorRefundId: 'theirs' }, null);
    const settle = (id: string) => settleManually(deps(), 'refund', { found, reported: asPaid(id), by });
    expect(await settle('ours')).toMatchObject({ reason: 'named_otherwise', row: { processorRefundId: 'theirs' } });
    expect(await settle('theirs')).toMatchObject({ type: 'settled', row: { processorRefundId: 'theirs' } });
    expect(await auditsOf(found.row)).toBe(1);
  });

  test('is not recorded as failed if the resolver took it up again after it was read', async () => {
    const found = await pendingRefund({ givenUp: true });
    await writeRefundAnswer(deps(), found.row, { status: 'unknown', cause: 'test' }, 1_000);
    for (const reported of [LOST, { outcome: 'refused' } as const]) {
      expect(await settleManually(deps(), 'refund', { found, reported, by })).toMatchObject({
        reason: 'still_asked',
      });
    }
    expect(await readRefundState(db.database, found.row.chargeId)).toMatchObject({ refunds: ['pending 1000'] });
  });

  test('keeps the outcome that the processor reported after it was read', async () => {
    const found = await pendingRefund({ givenUp: true });
    await writeRefundAnswer(deps(), found.row, { status: 'succeeded', processorRefundId: 'theirs' }, null);
    expect(await settleManually(deps(), 'refund', { found, reported: LOST, by, now: true })).toMatchObject({
      reason: 'not_pending',
      row: { status: 'succeeded' },
    });
    expect(await readRefundState(db.database, found.row.chargeId)).toMatchObject({
      refundedCents: 1_000,
      events: ['refund.succeeded'],
    });
  });
});

describe('a charge', () => {
  /** A pending charge that the processor has not named. */
  async function pendingCharge({ givenUp }: { givenUp: boolean }) {
    const sessionId = await createTestSession(db.database, merchant);
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('hangs_not_taken'));
    const id = (await readPaymentState(db.database, sessionId)).rows[0]?.id ?? '';
    if (givenUp) await giveUp(db.database, id);
    return read('charge', id);
  }

  const name = ({ id }: Charge, set = '') =>
    db.database.query(`update charges set processor_payment_id = 'theirs'${set} where id = $1`, [id]);

  test('is not recorded under another ID if the processor named it after it was read', async () => {
    const found = await pendingCharge({ givenUp: true });
    await name(found.row);
    const settle = (id: string) => settleManually(deps(), 'charge', { found, reported: asPaid(id), by });
    expect(await settle('ours')).toMatchObject({ reason: 'named_otherwise', row: { processorPaymentId: 'theirs' } });
    const { session, charges, events } = await readPaymentState(db.database, found.row.sessionId);
    expect([session, charges, events]).toEqual(['open', ['pending'], ['checkout.pending']]);
    expect(await auditsOf(found.row)).toBe(0);
    expect(await settle('theirs')).toMatchObject({ type: 'settled', row: { status: 'succeeded' } });
    expect(await auditsOf(found.row)).toBe(1);
  });

  test('is not recorded as failed if it began to wait for the payer after it was read', async () => {
    const { row } = await pendingCharge({ givenUp: false });
    await db.database.query(`update charges set created_at = created_at - interval '11 minutes' where id = $1`, [
      row.id,
    ]);
    const found = await read('charge', row.id);
    await name(row, `, action_deadline = now() + interval '1 minute'`);
    const settle = () => settleManually(deps(), 'charge', { found, reported: LOST, by, now: true });
    expect(await settle()).toMatchObject({ reason: 'in_transit', row: { processorPaymentId: 'theirs' } });
    expect(await readPaymentState(db.database, row.sessionId)).toMatchObject({ charges: ['pending'] });
  });

  test('keeps the outcome that was recorded after it was read, and its session stays unpaid', async () => {
    const found = await pendingCharge({ givenUp: true });
    await settleCharge(deps(), found.row, NOT_RECEIVED);
    const reported = asPaid('ours');
    expect(await settleManually(deps(), 'charge', { found, reported, by, now: true })).toMatchObject({
      reason: 'not_pending',
      row: { status: 'failed' },
    });
    expect(await readPaymentState(db.database, found.row.sessionId)).toMatchObject({
      session: 'open',
      charges: ['failed'],
    });
  });
});

test.each([
  ['charge', 're_1'],
  ['refund', 'ch_1'],
  ['charge', 'ch_\0'],
  ['refund', 're_unknown'],
] as const)('finds no %s with the ID %j', async (kind, id) => {
  expect(await findToSettle(db.database, kind, id)).toBeNull();
});

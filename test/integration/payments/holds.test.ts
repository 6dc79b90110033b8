/** Captures and voids: each at most once, whatever is asked at once or gets lost. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findCharge } from '../../../src/db/charges/charges.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { recordLateSuccess } from '../../../src/payments/charges/late-success.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { settleHold } from '../../../src/payments/holds/settle-hold.ts';
import type { HoldAnswer } from '../../../src/payments/port/holds.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { ageChanges, createHold, createTestHolds, HELD, readHoldState, sandboxWithHolds } from './test-holds.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { createTestRefunds } from './test-refunds.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
// The resolver claims everything that is due, also what another test left.
beforeEach(async () => {
  await db.database.query(`update hold_changes set resolve_at = 'infinity' where status = 'pending'`);
  await db.database.query('update charges set hold_check_at = null');
});

const hold = (card?: string, options = {}) => createHold(db.database, merchant, card, options);
const holds = () => createTestHolds(db.database, merchant);
const stateOf = (id: ChargeId) => readHoldState(db.database, id);
const UNKNOWN: HoldAnswer = { status: 'unknown', cause: 'test' };

async function isDue(id: ChargeId): Promise<void> {
  await db.database.query('update charges set hold_check_at = now() where id = $1', [id]);
}

describe('an authorized charge', () => {
  it('completes the session, counts as paid, and takes nothing', async () => {
    const session = await createTestSession(db.database, merchant, { amountCents: HELD, capture: 'manual' });
    const payments = createTestPayments(db.database);
    expect(await payments.pay(merchant, session, keyedCard('visa'))).toMatchObject({
      type: 'succeeded',
      charge: { status: 'authorized', capture: 'manual', captureBefore: expect.any(Date), capturedCents: null },
    });
    expect(await readPaymentState(db.database, session)).toMatchObject({
      session: 'complete',
      charges: ['authorized'],
      events: ['checkout.succeeded', 'checkout.completed'],
      ledger: ['authorized'],
    });
    const again = await payments.pay(merchant, session, keyedCard('visa'));
    expect(again).toMatchObject({ type: 'refused', reason: 'already_paid' });
  });

  it('pays for its order until it is voided', async () => {
    const orderId = newId('Request');
    const order = { orderId, allowRepeat: false, amountCents: HELD } as const;
    const id = await hold('visa', order);
    const payments = createTestPayments(db.database);
    const other = await createTestSession(db.database, merchant, order);
    expect(await payments.pay(merchant, other, keyedCard('visa'))).toMatchObject({ reason: 'order_paid' });
    expect(await holds().change('void', id)).toMatchObject({ type: 'done' });
    expect(await payments.pay(merchant, other, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
  });

  it('stays the only charge of its session after it was voided', async () => {
    const id = await hold();
    await holds().change('void', id);
    const { rows } = await db.database.query('select session_id as session from charges where id = $1', [id]);
    const again = await createTestPayments(db.database).pay(merchant, rows[0].session, keyedCard('visa'));
    expect(again).toMatchObject({ type: 'refused', reason: 'expired' });
  });

  it('becomes authorized late if it was reported as failed', async () => {
    const id = await hold();
    const { rows } = await db.database.query(
      `update charges set status = 'failed', decline_code = 'processing_error',
      processor_payment_id = null where id = $1 returning session_id as session`,
      [id],
    );
    const charge = await findCharge(db.database, id);
    if (charge === null) throw new Error('no charge');
    const found = { status: 'authorized', processorPaymentId: `late_${id}`, captureBefore: new Date() } as const;
    const late = await recordLateSuccess(createTestPayments(db.database), charge, found);
    expect(late).toMatchObject({ status: 'authorized', wasLate: true, captureBefore: expect.any(Date) });
    expect((await readPaymentState(db.database, rows[0].session)).charges).toEqual(['authorized']);
  });

  it('is found by the resolver if its response was lost', async () => {
    const session = await createTestSession(db.database, merchant, { capture: 'manual' });
    const payments = createTestPayments(db.database);
    expect(await payments.pay(merchant, session, keyedCard('hangs_taken'))).toMatchObject({ type: 'pending' });
    await db.database.query('update charges set resolve_at = now() where session_id = $1', [session]);
    await resolveDueCharges(payments, new AbortController().signal);
    expect(await readPaymentState(db.database, session)).toMatchObject({
      charges: ['authorized'],
      session: 'complete',
    });
  });
});

describe('a capture', () => {
  it('takes the whole hold, once, and returns the charge to the same request', async () => {
    const id = await hold();
    expect(await holds().change('capture', id)).toMatchObject({
      type: 'done',
      charge: { status: 'succeeded', capturedCents: HELD },
    });
    expect(await holds().change('capture', id)).toMatchObject({ type: 'done', charge: { capturedCents: HELD } });
    expect(await holds().change('capture', id, 100)).toMatchObject({ type: 'refused', reason: 'captured' });
    expect(await holds().change('void', id)).toMatchObject({ type: 'refused', reason: 'captured' });
    expect(await stateOf(id)).toEqual({
      status: 'succeeded',
      captured: HELD,
      changes: [`capture succeeded ${HELD}`],
      events: ['charge.captured'],
      there: `succeeded ${HELD}`,
    });
  });

  it('takes a part, and only that can be refunded', async () => {
    const id = await hold();
    const refunds = createTestRefunds(db.database, merchant);
    expect(await refunds.refund(id, 100)).toMatchObject({ type: 'refused', reason: 'not_paid' });
    await holds().change('capture', id, 1_000);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', captured: 1_000, there: 'succeeded 1000' });
    expect(await refunds.refund(id, 1_001)).toMatchObject({ type: 'refused', reason: 'too_much' });
    expect(await refunds.refund(id)).toMatchObject({ refund: { status: 'succeeded', amount: { amountCents: 1_000 } } });
  });

  it('is made once by many requests at once, captures and voids', async () => {
    const id = await hold();
    const kinds = ['capture', 'void', 'capture', 'void', 'capture', 'void'] as const;
    const results = await Promise.all(kinds.map((kind) => holds().change(kind, id)));
    expect(results.some(({ type }) => type === 'done')).toBe(true);
    const { status, changes, events, there } = await stateOf(id);
    expect(changes).toHaveLength(1);
    expect(events).toHaveLength(1);
    expect([status, there]).toEqual(status === 'voided' ? ['voided', 'voided'] : ['succeeded', `succeeded ${HELD}`]);
  });

  it.each([
    ['too much', HELD + 1, 'too_much'],
    ['a part at a processor that takes the whole only', 100, 'partial_unsupported'],
  ])('refuses %s, and leaves the hold', async (_name, amountCents, reason) => {
    const id = await hold();
    const processor = sandboxWithHolds(db.database, { partial: false });
    const result = await createTestHolds(db.database, merchant, processor).change('capture', id, amountCents);
    expect(result).toMatchObject({ type: 'refused', reason });
    expect(await stateOf(id)).toMatchObject({ status: 'authorized', changes: [] });
  });

  it('leaves the hold if the processor refuses, and can be repeated', async () => {
    const id = await hold('hold_refused');
    const failed = { type: 'failed', change: { failure: 'refused', processorCode: 'capture_refused' } };
    expect(await holds().change('capture', id)).toMatchObject(failed);
    expect(await holds().change('capture', id)).toMatchObject(failed);
    expect(await holds().change('void', id)).toMatchObject({ type: 'done' });
    expect(await stateOf(id)).toMatchObject({ status: 'voided', events: ['charge.voided'] });
  });

  it('refuses a charge that was taken at once, and one of another account', async () => {
    const session = await createTestSession(db.database, merchant, {});
    const paid = await createTestPayments(db.database).pay(merchant, session, keyedCard('visa'));
    if (paid.type !== 'succeeded') throw new Error(paid.type);
    const result = await holds().change('capture', paid.charge.id);
    expect(result).toMatchObject({ type: 'refused', reason: 'not_authorized' });
    const foreign = createTestHolds(db.database, { ...merchant, accountId: newId('Account') });
    expect(await foreign.change('void', await hold())).toMatchObject({ type: 'refused', reason: 'no_charge' });
  });
});

describe('a capture or void whose response was lost', () => {
  it.each([
    ['capture', { status: 'succeeded', captured: HELD, events: ['charge.captured'] }],
    ['void', { status: 'voided', captured: null, events: ['charge.voided'] }],
  ] as const)('blocks others, and is settled by the hold: %s', async (kind, ended) => {
    const id = await hold('hold_hangs');
    expect(await holds().change(kind, id)).toMatchObject({ type: 'pending', charge: { status: 'authorized' } });
    for (const other of ['capture', 'void'] as const) {
      expect(await holds().change(other, id)).toMatchObject({ type: 'refused', reason: 'in_progress' });
    }
    await ageChanges(db.database, id, 1);
    await holds().resolve();
    expect(await stateOf(id)).toMatchObject({ ...ended, changes: [`${kind} succeeded ${HELD}`] });
  });

  it('is logged without a card number that the processor sent', async () => {
    const id = await hold();
    const unread = async () => ({ status: 'unknown', cause: 'of 4242424242424242' }) as const;
    const silent = sandboxWithHolds(db.database, { capture: unread, read: unread });
    const { fields, ...holder } = createTestHolds(db.database, merchant, silent);
    expect(await holder.change('capture', id)).toMatchObject({ type: 'pending' });
    await ageChanges(db.database, id, 1);
    await holder.resolve();
    await isDue(id);
    await holder.check();
    expect(fields).toMatchObject([{ chargeId: id }, { chargeId: id }, { chargeId: id }]);
    expect(JSON.stringify(fields)).not.toContain('4242424242424242');
  });

  it('is sent again if it never arrived', async () => {
    const id = await hold();
    const lossy = createTestHolds(
      db.database,
      merchant,
      sandboxWithHolds(db.database, { capture: async () => UNKNOWN }),
    );
    expect(await lossy.change('capture', id, 500)).toMatchObject({ type: 'pending' });
    await ageChanges(db.database, id, 1);
    await holds().resolve();
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', captured: 500, there: 'succeeded 500' });
  });

  it('fails after half a day in which it never arrived, and the hold can be voided', async () => {
    const id = await hold();
    const lossy = createTestHolds(
      db.database,
      merchant,
      sandboxWithHolds(db.database, { capture: async () => UNKNOWN }),
    );
    await lossy.change('capture', id);
    await ageChanges(db.database, id, 12 * 3_600);
    await lossy.resolve();
    expect(await stateOf(id)).toMatchObject({
      status: 'authorized',
      changes: [`capture failed ${HELD} not_received`],
    });
    expect(await holds().change('void', id)).toMatchObject({ type: 'done' });
  });

  it('is looked up again after the resolver has given it up, if another is requested', async () => {
    const id = await hold();
    const lossy = sandboxWithHolds(db.database, { capture: async () => UNKNOWN });
    await createTestHolds(db.database, merchant, lossy).change('capture', id);
    const giveUp = `update hold_changes set created_at = now() - interval '4 days', resolve_at = 'infinity',
      resolve_attempts = 100 where charge_id = $1`;
    await db.database.query(giveUp, [id]);
    await holds().resolve();
    expect((await stateOf(id)).changes).toEqual([`capture pending ${HELD}`]);
    expect(await holds().change('capture', id)).toMatchObject({ type: 'refused', reason: 'in_progress' });
    await holds().resolve();
    expect((await stateOf(id)).changes).toEqual([`capture failed ${HELD} not_received`]);
    expect(await holds().change('capture', id)).toMatchObject({ type: 'done' });
  });

  it('is settled by the state that it finds, if the hold was voided elsewhere', async () => {
    const id = await hold();
    const lossy = createTestHolds(
      db.database,
      merchant,
      sandboxWithHolds(db.database, { capture: async () => UNKNOWN }),
    );
    await lossy.change('capture', id);
    await db.database.query(`update sandbox_payments set status = 'voided' where reference = $1`, [id]);
    await ageChanges(db.database, id, 1);
    await holds().resolve();
    expect(await stateOf(id)).toMatchObject({
      status: 'voided',
      changes: [`capture failed ${HELD} voided`],
      events: ['charge.voided'],
    });
  });
});

describe('a hold whose time is over', () => {
  const expire = (id: ChargeId) =>
    db.database.query('update sandbox_payments set capture_before = created_at where reference = $1', [id]);

  it('expires with an event, and cannot be captured', async () => {
    const id = await hold();
    await expire(id);
    await isDue(id);
    await holds().check();
    expect(await stateOf(id)).toMatchObject({ status: 'expired', events: ['charge.authorization_expired'] });
    expect(await holds().change('capture', id)).toMatchObject({ type: 'refused', reason: 'expired' });
    await holds().check();
    expect((await stateOf(id)).events).toHaveLength(1);
  });

  it('is found expired by a capture', async () => {
    const id = await hold();
    await expire(id);
    expect(await holds().change('capture', id)).toMatchObject({ type: 'failed', change: { failure: 'expired' } });
    expect(await stateOf(id)).toMatchObject({ status: 'expired', events: ['charge.authorization_expired'] });
  });

  it('stays authorized while the processor holds it, or does not answer', async () => {
    const id = await hold();
    await isDue(id);
    await holds().check();
    await isDue(id);
    const silent = sandboxWithHolds(db.database, { read: async () => ({ status: 'unknown', cause: 'test' }) });
    await createTestHolds(db.database, merchant, silent).check();
    expect(await stateOf(id)).toMatchObject({ status: 'authorized', events: [] });
  });

  it('is found captured in the dashboard of the processor', async () => {
    const id = await hold();
    await db.database.query(
      `update sandbox_payments set status = 'succeeded', captured_cents = 300 where reference = $1`,
      [id],
    );
    await isDue(id);
    await holds().check();
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', captured: 300, events: ['charge.captured'] });
  });

  it('stays voided if the processor reports a capture later, which is an error for the operator', async () => {
    const id = await hold();
    await holds().change('void', id);
    const charge = await findCharge(db.database, id);
    if (charge === null) throw new Error('no charge');
    const log = createRecordingLog();
    const captured = { status: 'captured', captured: { amountCents: HELD, currency: 'USD' } } as const;
    expect(await settleHold({ database: db.database, log }, charge, captured)).toMatchObject({
      charge: { status: 'voided' },
    });
    expect(log.lines).toContain('hold already ended in another way');
    expect((await stateOf(id)).events).toEqual(['charge.voided']);
  });

  it('is never recorded as captured for more than was held', async () => {
    const id = await hold();
    const captured = { amountCents: HELD + 1, currency: 'USD' };
    const wrong = sandboxWithHolds(db.database, { capture: async () => ({ status: 'captured', captured }) });
    const wrongly = createTestHolds(db.database, merchant, wrong);
    expect(await wrongly.change('capture', id)).toMatchObject({ type: 'pending' });
    expect(wrongly.lines).toContain('processor reports another capture than was possible');
    expect(await stateOf(id)).toMatchObject({ status: 'authorized' });
  });
});

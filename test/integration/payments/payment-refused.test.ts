/**
 * Payments that are refused before anything is sent: the session is expired, paid or being paid, or no processor
 * accepts the card.
 */
import { describe, expect, it } from 'vitest';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { APPROVED, createTestPayments, keyedCard, readPaymentState, scriptedProcessor } from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

describe('a payment is refused', () => {
  const refused = async (
    sessionId: Parameters<typeof readPaymentState>[1],
    at = merchant,
    processors?: Processor[],
  ) => {
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const result = await createTestPayments(db.database, { processors: processors ?? [processor] }).pay(
      at,
      sessionId,
      keyedCard('visa'),
    );
    expect(processor.requests).toBe(0);
    return result.type === 'refused' ? result.reason : result.type;
  };

  it('if the session has expired, swept or not', async () => {
    const past = await createTestSession(db.database, merchant, { secondsLeft: -1 });
    expect(await refused(past)).toBe('expired');
    await db.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [past]);
    expect(await refused(past)).toBe('expired');
    expect(await readPaymentState(db.database, past)).toMatchObject({ charges: [], events: [] });
  });

  it('if it is paid, naming the charge', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    const paid = await payments.pay(merchant, sessionId, keyedCard('visa'));
    const again = await payments.pay(merchant, sessionId, keyedCard('visa'));
    expect(again).toMatchObject({ type: 'refused', reason: 'already_paid', charge: paid.charge });
  });

  it('while another charge is pending, even after the session’s expiry', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    const pending = await payments.pay(merchant, sessionId, keyedCard('breaks_then_succeeds'));
    const blocked = { type: 'refused', reason: 'in_progress', charge: { id: pending.charge?.id } };
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject(blocked);
    await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [sessionId]);
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject(blocked);
  });

  it('if no processor of the merchant accepts the card in this mode', async () => {
    const unconnected = await createTestMerchant(db.database, { processor: null });
    const elsewhere = await createTestMerchant(db.database, { processor: 'stripe' });
    const live = await createTestMerchant(db.database, { mode: 'live' });
    for (const at of [unconnected, elsewhere, live]) {
      expect(await refused(await createTestSession(db.database, at), at)).toBe('merchant_not_connected');
    }
    const withoutMerchant = await createTestSession(db.database, merchant, { merchantId: null });
    expect(await refused(withoutMerchant)).toBe('merchant_not_connected');
    const sandbox = createSandbox(db.database);
    const noKeypad = { ...sandbox, can: { ...sandbox.can, keypad: false } };
    expect(await refused(await createTestSession(db.database, merchant), merchant, [noKeypad])).toBe(
      'merchant_not_connected',
    );
  });

  it('by throwing for a session of another account or mode', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const stranger = await createTestMerchant(db.database);
    const payments = createTestPayments(db.database);
    await expect(payments.pay(stranger, sessionId, keyedCard('visa'))).rejects.toThrow('not there');
    await expect(payments.pay({ ...merchant, mode: 'live' }, sessionId, keyedCard('visa'))).rejects.toThrow(
      'not there',
    );
    expect(payments.inFlight.size).toBe(0);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: [] });
  });
});

describe('races', () => {
  it('one of 20 concurrent payments of a session passes, on all channels', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const paymentsOfAll = Array.from({ length: 20 }, () => createTestPayments(db.database));
    const results = await Promise.all(
      paymentsOfAll.map((payments) => payments.pay(merchant, sessionId, keyedCard('visa'))),
    );
    const types = results.map((result) => (result.type === 'refused' ? result.reason : result.type));
    expect(types.filter((type) => type === 'succeeded')).toHaveLength(1);
    expect(types.filter((type) => type === 'already_paid' || type === 'in_progress')).toHaveLength(19);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      ledger: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('mixed declines and approvals never leave two live charges', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => createTestSession(db.database, merchant)));
    const cards = ['do_not_honor', 'visa', 'slow', 'lost_card', 'mastercard', 'insufficient_funds'];
    const payments = createTestPayments(db.database);
    await Promise.all(sessions.flatMap((id) => cards.map((card) => payments.pay(merchant, id, keyedCard(card)))));
    for (const id of sessions) {
      const state = await readPaymentState(db.database, id);
      expect(state.charges.filter((status) => status !== 'failed').length).toBeLessThanOrEqual(1);
      expect(state.ledger.filter((status) => status === 'succeeded').length).toBeLessThanOrEqual(1);
      expect(state.events.filter((type) => type === 'checkout.failed')).toHaveLength(
        state.charges.filter((status) => status === 'failed').length,
      );
    }
  });
});

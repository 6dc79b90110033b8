/** Payments that are not even sent: the session is over, paid or being paid, or nobody there can take the card. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Processor } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { APPROVED, bookOf, keyed, openSession, openShop, openTill, puppet, type Shop } from './test-payments.ts';

let db: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  db = await createTestDatabase();
  shop = await openShop(db.database);
});
afterAll(() => db.close());

describe('a payment is refused', () => {
  const refused = async (sessionId: Parameters<typeof bookOf>[1], at = shop, processors?: Processor[]) => {
    const asked = puppet(db.database, async () => APPROVED);
    const result = await openTill(db.database, { processors: processors ?? [asked] }).pay(at, sessionId, keyed('visa'));
    expect(asked.asked).toBe(0);
    return result.type === 'refused' ? result.reason : result.type;
  };

  it('when the session is past its time, swept or not', async () => {
    const past = await openSession(db.database, shop, { secondsLeft: -1 });
    expect(await refused(past)).toBe('expired');
    await db.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [past]);
    expect(await refused(past)).toBe('expired');
    expect(await bookOf(db.database, past)).toMatchObject({ charges: [], events: [] });
  });

  it('when it is paid, naming the charge', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const paid = await till.pay(shop, sessionId, keyed('visa'));
    const again = await till.pay(shop, sessionId, keyed('visa'));
    expect(again).toEqual({ type: 'refused', reason: 'already_paid', charge: paid.charge });
  });

  it('while another charge is pending, even past the session time', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const pending = await till.pay(shop, sessionId, keyed('breaks_then_succeeds'));
    const blocked = { type: 'refused', reason: 'in_progress', charge: { id: pending.charge?.id } };
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject(blocked);
    await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [sessionId]);
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject(blocked);
  });

  it('when the merchant has no processor that can take the card in this mode', async () => {
    const unconnected = await openShop(db.database, { processor: null });
    const elsewhere = await openShop(db.database, { processor: 'stripe' });
    const live = await openShop(db.database, { mode: 'live' });
    for (const at of [unconnected, elsewhere, live]) {
      expect(await refused(await openSession(db.database, at), at)).toBe('merchant_not_connected');
    }
    const nobody = await openSession(db.database, shop, { merchantId: null });
    expect(await refused(nobody)).toBe('merchant_not_connected');
    const noKeypad = {
      ...createSandbox(db.database),
      can: { keypad: false, savedCards: true, pageTokens: true, wallets: false },
    };
    expect(await refused(await openSession(db.database, shop), shop, [noKeypad])).toBe('merchant_not_connected');
  });

  it('by throwing for a session of another account or mode', async () => {
    const sessionId = await openSession(db.database, shop);
    const stranger = await openShop(db.database);
    const till = openTill(db.database);
    await expect(till.pay(stranger, sessionId, keyed('visa'))).rejects.toThrow('not there');
    await expect(till.pay({ ...shop, mode: 'live' }, sessionId, keyed('visa'))).rejects.toThrow('not there');
    expect(till.inFlight.size).toBe(0);
    expect(await bookOf(db.database, sessionId)).toMatchObject({ charges: [] });
  });
});

describe('races', () => {
  it('let one of 20 payments of a session through, whatever door they come by', async () => {
    const sessionId = await openSession(db.database, shop);
    const tills = Array.from({ length: 20 }, () => openTill(db.database));
    const results = await Promise.all(tills.map((till) => till.pay(shop, sessionId, keyed('visa'))));
    const types = results.map((result) => (result.type === 'refused' ? result.reason : result.type));
    expect(types.filter((type) => type === 'succeeded')).toHaveLength(1);
    expect(types.filter((type) => type === 'already_paid' || type === 'in_progress')).toHaveLength(19);
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      ...{ session: 'complete', charges: ['succeeded'], ledger: ['succeeded'] },
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('never leave two live charges when declines and approvals mix', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => openSession(db.database, shop)));
    const cards = ['do_not_honor', 'visa', 'slow', 'lost_card', 'mastercard', 'insufficient_funds'];
    const till = openTill(db.database);
    await Promise.all(sessions.flatMap((id) => cards.map((card) => till.pay(shop, id, keyed(card)))));
    for (const id of sessions) {
      const book = await bookOf(db.database, id);
      expect(book.charges.filter((status) => status !== 'failed').length).toBeLessThanOrEqual(1);
      expect(book.ledger.filter((status) => status === 'succeeded').length).toBeLessThanOrEqual(1);
      expect(book.events.filter((type) => type === 'checkout.failed')).toHaveLength(
        book.charges.filter((status) => status === 'failed').length,
      );
    }
  });
});

/** Processors that keep a card only after its charge: asked then and, while they are away, again; the payment stands. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepDueCards } from '../../../src/payments/keep-card.ts';
import type { CardWallet } from '../../../src/payments/ports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { cardsOf, consentsOf, forever, laterOnly, leaveNoneToKeep, openKeepingTill, payAgreed } from './card-saving.ts';
import { bookOf, keyed, openSession, openShop } from './test-payments.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());
afterEach(() => leaveNoneToKeep(db.database));

describe('a processor that keeps the card after its charge', () => {
  it('is asked as soon as the charge is paid', async () => {
    let woken = 0;
    const onPending = () => {
      woken += 1;
    };
    const till = openKeepingTill(db.database, { processors: [laterOnly(db.database)], onPending });
    const shop = await openShop(db.database);
    const result = await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa', { expiry: '0932' }));
    expect(result).toMatchObject({ type: 'succeeded', cardKept: false });
    expect(woken).toBe(1);
    expect(await cardsOf(db.database, shop)).toEqual([]);
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toMatchObject([{ lastFour: '4242', expiryMonth: 9, expiryYear: 2032 }]);
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'kept', attempts: 1 }]);
  });

  it('and cannot be reached is asked again, under the same key', async () => {
    const keys: string[] = [];
    const saveCharged: CardWallet['saveCharged'] = async ({ instrumentId }) => {
      keys.push(instrumentId);
      return { status: 'unavailable' };
    };
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    const away = openKeepingTill(db.database, { processors: [laterOnly(db.database, { saveCharged })] });
    await payAgreed(away, shop, sessionId, keyed('visa'));
    const due = () =>
      db.database.query('update card_consents set next_attempt_at = now() where merchant_id = $1', [shop.merchantId]);
    await keepDueCards(away, forever);
    expect(keys).toHaveLength(1);
    const [consent] = await consentsOf(db.database, shop);
    expect(consent.next_attempt_at - consent.agreed_at).toBeGreaterThanOrEqual(5_000);
    await due();
    await keepDueCards(away, forever);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
    await due();
    await keepDueCards(openKeepingTill(db.database, { processors: [laterOnly(db.database)] }), forever);
    expect(await cardsOf(db.database, shop)).toMatchObject([{ id: keys[0] }]);
  });

  it('and refuses has the last word; the payment stands', async () => {
    const told: string[] = [];
    const till = openKeepingTill(db.database, {
      processors: [laterOnly(db.database, { saveCharged: async () => ({ status: 'refused' }) })],
      onCard: (result) => told.push(result),
    });
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    await payAgreed(till, shop, sessionId, keyed('visa'));
    await keepDueCards(till, forever);
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'not_kept' }]);
    expect(await cardsOf(db.database, shop)).toEqual([]);
    expect((await bookOf(db.database, sessionId)).charges).toEqual(['succeeded']);
    expect(till.log.lines).toContain('card not kept though its caller agreed');
    expect(told).toEqual(['refused']);
  });

  it('and throws is asked again', async () => {
    const saveCharged = async () => Promise.reject(new Error('broken adapter'));
    const till = openKeepingTill(db.database, { processors: [laterOnly(db.database, { saveCharged })] });
    const shop = await openShop(db.database);
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa'));
    await keepDueCards(till, forever);
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'agreed', attempts: 1 }]);
  });
});

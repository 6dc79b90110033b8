/** Processors that save a card only after its charge. They are asked then, with retries while they are unavailable. */
import { afterEach, describe, expect, it } from 'vitest';
import { keepDueCards } from '../../../src/payments/charges/keep-card.ts';
import type { CardWallet } from '../../../src/payments/port/saved-cards.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  closePendingConsents,
  createCardSavingPayments,
  listConsents,
  listSavedCards,
  neverAborted,
  payWithConsent,
  sandboxSavingLater,
} from './card-saving.ts';
import { keyedCard, readPaymentState } from './test-payments.ts';

const db = useTestDatabase();
afterEach(() => closePendingConsents(db.database));

describe('a processor that keeps the card after its charge', () => {
  it('is asked as soon as the charge is paid', async () => {
    let woken = 0;
    const onPending = () => {
      woken += 1;
    };
    const payments = createCardSavingPayments(db.database, {
      processors: [sandboxSavingLater(db.database)],
      onPending,
    });
    const merchant = await createTestMerchant(db.database);
    const result = await payWithConsent(
      payments,
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('visa', { expiry: '0932' }),
    );
    expect(result).toMatchObject({ type: 'succeeded', cardSaved: false });
    expect(woken).toBe(1);
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    await keepDueCards(payments, neverAborted);
    expect(await listSavedCards(db.database, merchant)).toMatchObject([
      { lastFour: '4242', expiryMonth: 9, expiryYear: 2032 },
    ]);
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'kept', attempts: 1 }]);
  });

  it('is asked again under the same key if it cannot be reached', async () => {
    const keys: string[] = [];
    const saveCharged: CardWallet['saveCharged'] = async ({ instrumentId }) => {
      keys.push(instrumentId);
      return { status: 'unavailable' };
    };
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    const away = createCardSavingPayments(db.database, {
      processors: [sandboxSavingLater(db.database, { saveCharged })],
    });
    await payWithConsent(away, merchant, sessionId, keyedCard('visa'));
    const due = () =>
      db.database.query('update card_consents set next_attempt_at = now() where merchant_id = $1', [
        merchant.merchantId,
      ]);
    await keepDueCards(away, neverAborted);
    expect(keys).toHaveLength(1);
    const [consent] = await listConsents(db.database, merchant);
    expect(consent.next_attempt_at - consent.agreed_at).toBeGreaterThanOrEqual(5_000);
    await due();
    await keepDueCards(away, neverAborted);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
    await due();
    await keepDueCards(
      createCardSavingPayments(db.database, { processors: [sandboxSavingLater(db.database)] }),
      neverAborted,
    );
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ id: keys[0] }]);
  });

  it('is not asked again if it refuses, and the payment stays', async () => {
    const results: string[] = [];
    const payments = createCardSavingPayments(db.database, {
      processors: [sandboxSavingLater(db.database, { saveCharged: async () => ({ status: 'refused' }) })],
      onCard: (result) => results.push(result),
    });
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    await payWithConsent(payments, merchant, sessionId, keyedCard('visa'));
    await keepDueCards(payments, neverAborted);
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'not_kept' }]);
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    expect((await readPaymentState(db.database, sessionId)).charges).toEqual(['succeeded']);
    expect(payments.log.lines).toContain('card not saved although the caller agreed');
    expect(results).toEqual(['refused']);
  });

  it('is asked again if its adapter throws', async () => {
    const saveCharged = async () => Promise.reject(new Error('broken adapter'));
    const payments = createCardSavingPayments(db.database, {
      processors: [sandboxSavingLater(db.database, { saveCharged })],
    });
    const merchant = await createTestMerchant(db.database);
    await payWithConsent(payments, merchant, await createTestSession(db.database, merchant), keyedCard('visa'));
    await keepDueCards(payments, neverAborted);
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'agreed', attempts: 1 }]);
  });
});

/**
 * Saving the card of a charge whose caller agreed: with the outcome, later, or not at all, but never at the payment's
 * cost.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openHandle } from '../../../src/lib/vault/vault.ts';
import { keepDueCards } from '../../../src/payments/charges/keep-card.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  CALLER,
  CONSENT,
  closePendingConsents,
  createCardSavingPayments,
  listCardRemovals,
  listConsents,
  listSavedCards,
  neverAborted,
  payWithConsent,
  sandboxWith,
  VAULT,
} from './card-saving.ts';
import { agePendingCharges, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';

const db = useTestDatabase();
afterEach(() => closePendingConsents(db.database));

describe('a card whose caller agreed', () => {
  it('is saved with the charge for a new caller, and can be charged', async () => {
    const payments = createCardSavingPayments(db.database);
    const merchant = await createTestMerchant(db.database);
    const result = await payWithConsent(
      payments,
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('visa', { expiry: '0431' }),
    );
    expect(result).toMatchObject({ type: 'succeeded', cardSaved: true });
    const [card, ...others] = await listSavedCards(db.database, merchant);
    expect(others).toEqual([]);
    expect(card).toMatchObject({ brand: 'VISA', lastFour: '4242', expiryMonth: 4, expiryYear: 2031, isDefault: false });
    if (card === undefined || result.type !== 'succeeded') throw new Error('no card');

    const { rows: callers } = await db.database.query('select * from consumers where account_id = $1', [
      merchant.accountId,
    ]);
    expect(callers).toMatchObject([{ phone: CALLER, first_name: null, last_name: null, email: null }]);
    expect(await listConsents(db.database, merchant)).toMatchObject([
      {
        charge_id: result.charge.id,
        channel: 'phone',
        wording_id: 'keep_card.1',
        language: 'en-US',
        wording: CONSENT.wording,
        status: 'kept',
        instrument_id: card.id,
        consumer_id: callers[0]?.id,
      },
    ]);
    const { rows } = await db.database.query('select * from instruments where id = $1', [card.id]);
    expect(rows[0].processor_handle).not.toContain('sandbox_visa');
    const { processor_handle: processorHandle, handle_sealed: handleSealed } = rows[0];
    const handle = openHandle(VAULT, { id: card.id, processorHandle, handleSealed });
    expect(handle).toBe('sandbox_visa');

    const saved = { kind: 'saved', instrumentId: card.id, at: new Date() } as const;
    expect(await payments.pay(merchant, await createTestSession(db.database, merchant), saved)).toMatchObject({
      type: 'succeeded',
      charge: { instrumentId: card.id, brand: 'VISA', lastFour: '4242' },
    });
  });

  it('is not saved by the processor if the session has no caller', async () => {
    const keepsCard: boolean[] = [];
    const sandbox = sandboxWith(db.database, {});
    const processor: Processor = {
      ...sandbox,
      charge: (request, signal) => {
        keepsCard.push(request.keepsCard);
        return sandbox.charge(request, signal);
      },
    };
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    await db.database.query('update checkout_sessions set caller_phone = null where id = $1', [sessionId]);
    const payments = createCardSavingPayments(db.database, { processors: [processor] });
    expect(await payWithConsent(payments, merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'succeeded',
      cardSaved: false,
    });
    expect(keepsCard).toEqual([false]);
    expect(await listConsents(db.database, merchant)).toEqual([]);
  });

  it('is stored without its digits, except brand, last four and expiry', async () => {
    const merchant = await createTestMerchant(db.database);
    const card = keyedCard('mastercard', { securityCode: '731', postalCode: '90817' });
    await payWithConsent(
      createCardSavingPayments(db.database),
      merchant,
      await createTestSession(db.database, merchant),
      card,
    );
    const tables = ['instruments', 'card_consents', 'card_removals', 'charges', 'events', 'sandbox_payments'];
    for (const table of tables) {
      const { rows } = await db.database.query(
        `select to_jsonb(t)::text as row from ${table} t where account_id = $1`,
        [merchant.accountId],
      );
      // IDs, encrypted texts and times do not come from the card.
      const strange = /"\w*(id|handle|reference|fingerprint|hash|_at)": ?"[^"]*"/g;
      const text = rows.map(({ row }) => row.replaceAll(strange, '')).join();
      expect(text, table).not.toMatch(/55555|\b731\b|90817/);
    }
  });

  it('is not saved without consent, without a vault, or without a caller', async () => {
    const merchant = await createTestMerchant(db.database);
    const first = await createTestSession(db.database, merchant);
    expect(await createCardSavingPayments(db.database).pay(merchant, first, keyedCard('visa'))).toMatchObject({
      type: 'succeeded',
      cardSaved: false,
    });
    const bare = createTestPayments(db.database);
    expect(
      await payWithConsent(bare, merchant, await createTestSession(db.database, merchant), keyedCard('visa')),
    ).toMatchObject({
      cardSaved: false,
    });
    const nobodys = await createTestSession(db.database, merchant, { callerPhone: null });
    expect(
      await payWithConsent(createCardSavingPayments(db.database), merchant, nobodys, keyedCard('visa')),
    ).toMatchObject({
      cardSaved: false,
    });
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    expect(await listConsents(db.database, merchant)).toEqual([]);
  });

  it('is not saved if the charge is declined, at once or later', async () => {
    const payments = createCardSavingPayments(db.database);
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    expect(await payWithConsent(payments, merchant, sessionId, keyedCard('do_not_honor'))).toMatchObject({
      type: 'declined',
    });
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'not_kept', instrument_id: null }]);
    // There was no consent for the call's next card.
    await payments.pay(merchant, sessionId, keyedCard('visa'));
    await keepDueCards(payments, neverAborted);
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
  });

  it('is saved when the resolver settles the charge', async () => {
    const payments = createCardSavingPayments(db.database);
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    expect(
      await payWithConsent(payments, merchant, sessionId, keyedCard('hangs_taken', { expiry: '1130' })),
    ).toMatchObject({
      type: 'pending',
    });
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    // The card is not saved while the charge's outcome is unknown.
    await keepDueCards(payments, neverAborted);
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'agreed', attempts: 0 }]);
    await agePendingCharges(db.database, sessionId, 5);
    await resolveDueCharges(payments, neverAborted);
    expect((await readPaymentState(db.database, sessionId)).charges).toEqual(['succeeded']);
    expect(await listSavedCards(db.database, merchant)).toMatchObject([
      { lastFour: '6702', expiryMonth: 11, expiryYear: 2030 },
    ]);
  });

  it('is counted', async () => {
    const results: string[] = [];
    const payments = createCardSavingPayments(db.database, { onCard: (result) => results.push(result) });
    const merchant = await createTestMerchant(db.database);
    await payWithConsent(payments, merchant, await createTestSession(db.database, merchant), keyedCard('visa'));
    expect(results).toEqual(['kept']);
  });
});

describe('the same card again', () => {
  it('keeps its ID, gets the new expiry, and becomes the newest card', async () => {
    const payments = createCardSavingPayments(db.database);
    const merchant = await createTestMerchant(db.database);
    await payWithConsent(
      payments,
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('visa', { expiry: '0431' }),
    );
    const [before] = await listSavedCards(db.database, merchant);
    await payWithConsent(payments, merchant, await createTestSession(db.database, merchant), keyedCard('amex'));
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ lastFour: '0005' }, { lastFour: '4242' }]);
    await payWithConsent(
      payments,
      merchant,
      await createTestSession(db.database, merchant),
      keyedCard('visa', { expiry: '0835' }),
    );
    expect(await listSavedCards(db.database, merchant)).toMatchObject([
      { id: before?.id, lastFour: '4242', expiryMonth: 8, expiryYear: 2035 },
      { lastFour: '0005' },
    ]);
    expect(await listCardRemovals(db.database, merchant)).toEqual([]);
    expect((await listConsents(db.database, merchant)).map((row) => row.instrument_id)).toEqual([
      before?.id,
      expect.stringMatching(/^card_/),
      before?.id,
    ]);
  });

  it('leaves its earlier handle to be deleted', async () => {
    let number = 0;
    const processor = sandboxWith(db.database, {
      answer(answer) {
        if (answer.status !== 'succeeded' || answer.savedCard === undefined) return answer;
        number += 1;
        return { ...answer, savedCard: { ...answer.savedCard, handle: `handle-${number}` } };
      },
    });
    const payments = createCardSavingPayments(db.database, { processors: [processor] });
    const merchant = await createTestMerchant(db.database);
    for (let time = 0; time < 2; time += 1) {
      await payWithConsent(payments, merchant, await createTestSession(db.database, merchant), keyedCard('visa'));
    }
    const [card] = await listSavedCards(db.database, merchant);
    const [removal, ...others] = await listCardRemovals(db.database, merchant);
    expect(others).toEqual([]);
    if (card === undefined) throw new Error('no card');
    const { processor_handle: processorHandle, handle_sealed: handleSealed } = removal;
    expect(openHandle(VAULT, { id: card.id, processorHandle, handleSealed })).toBe('handle-1');
  });

  it('is one card if two calls save it at once, and both are paid', async () => {
    const payments = createCardSavingPayments(db.database);
    const merchant = await createTestMerchant(db.database);
    const sessions = [];
    for (let number = 0; number < 6; number += 1) sessions.push(await createTestSession(db.database, merchant));
    const results = await Promise.all(
      sessions.map((sessionId) => payWithConsent(payments, merchant, sessionId, keyedCard('visa'))),
    );
    expect(results.map(({ type }) => type)).toEqual(sessions.map(() => 'succeeded'));
    await keepDueCards(payments, neverAborted);
    expect(await listSavedCards(db.database, merchant)).toHaveLength(1);
    expect((await listConsents(db.database, merchant)).map(({ status }) => status)).toEqual(sessions.map(() => 'kept'));
  });

  it('is a different card for another caller or at another merchant', async () => {
    const payments = createCardSavingPayments(db.database);
    const [merchant, other] = [await createTestMerchant(db.database), await createTestMerchant(db.database)];
    await payWithConsent(payments, merchant, await createTestSession(db.database, merchant), keyedCard('visa'));
    await payWithConsent(
      payments,
      merchant,
      await createTestSession(db.database, merchant, { callerPhone: '+15550101299' }),
      keyedCard('visa'),
    );
    await payWithConsent(payments, other, await createTestSession(db.database, other), keyedCard('visa'));
    const ids = [
      ...(await listSavedCards(db.database, merchant)),
      ...(await listSavedCards(db.database, merchant, '+15550101299')),
      ...(await listSavedCards(db.database, other)),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  });
});

describe('the database', () => {
  it('records the outcome even if the card cannot be written', async () => {
    const processor = sandboxWith(db.database, {
      // Not a smallint, so the row cannot be written.
      answer: (answer) =>
        answer.status === 'succeeded' && answer.savedCard !== undefined
          ? { ...answer, savedCard: { ...answer.savedCard, expiryMonth: 70_000 } }
          : answer,
    });
    const payments = createCardSavingPayments(db.database, { processors: [processor] });
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    expect(await payWithConsent(payments, merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'succeeded',
      cardSaved: false,
    });
    expect((await readPaymentState(db.database, sessionId)).events).toEqual([
      'checkout.succeeded',
      'checkout.completed',
    ]);
    // The processor has saved it, and says so when it is asked again.
    await keepDueCards(payments, neverAborted);
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ lastFour: '4242' }]);
  });

  it('stores brand and last four of a card that only the processor knew', async () => {
    const merchant = await createTestMerchant(db.database);
    const sessionId = await createTestSession(db.database, merchant);
    await createCardSavingPayments(db.database).pay(merchant, sessionId, { kind: 'token', token: 'tok_amex' });
    expect((await readPaymentState(db.database, sessionId)).rows).toMatchObject([
      { brand: 'AMERICAN_EXPRESS', lastFour: '0005' },
    ]);
  });
});

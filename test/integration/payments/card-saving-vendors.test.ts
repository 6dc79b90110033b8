/** Saving cards at the vendors, from the payment to the next one, with their packages and fake servers. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetDueCards } from '../../../src/checkout/cards/forget.ts';
import { deleteInstrument } from '../../../src/db/cards/removals.ts';
import type { CardConsent } from '../../../src/domain/instrument.ts';
import { openHandle } from '../../../src/lib/vault/vault.ts';
import { keepDueCards } from '../../../src/payments/charges/keep-card.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { PaymentCard } from '../../../src/payments/shared/card.ts';
import { type FakeSquare, startFakeSquare } from '../../support/fake-square.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareProcessorAt,
  stripeProcessorAt,
} from '../../support/vendor-processors.ts';
import { listSavedCards, VAULT } from './card-saving.ts';
import { createTestPayments, keyedCard, paymentRequest } from './test-payments.ts';

const db = useTestDatabase();
beforeAll(async () => {
  await import('square');
});

const forever = new AbortController().signal;
const PAGE: CardConsent = {
  channel: 'page',
  callId: null,
  wordingId: 'keep_card',
  language: 'en-US',
  wording: 'Keep this card for next time',
};
const PHONE: CardConsent = { ...PAGE, channel: 'phone', wordingId: 'keep_card.1' };

const paymentsOf = (processor: Processor, credentials: PlainCredentials) =>
  createTestPayments(db.database, {
    vault: VAULT,
    processors: [processor],
    credentialsFor: async () => secretCredentials(credentials),
  });
type CardSavingPayments = ReturnType<typeof paymentsOf>;

async function pay(
  payments: CardSavingPayments,
  merchant: TestMerchant,
  card: PaymentCard,
  consent: CardConsent | null,
) {
  const sessionId = await createTestSession(db.database, merchant);
  return takePayment(payments, { ...paymentRequest(merchant, sessionId, card), consent });
}

/** The saved card of the merchant's caller, ready to pay with. */
async function savedCard(merchant: TestMerchant) {
  const [card, ...others] = await listSavedCards(db.database, merchant);
  if (card === undefined || others.length > 0) throw new Error('not one card');
  const { rows } = await db.database.query('select * from instruments where id = $1', [card.id]);
  const { processor_handle: processorHandle, handle_sealed: handleSealed } = rows[0];
  const handle = openHandle(VAULT, { id: card.id, processorHandle, handleSealed }) ?? '';
  return { kind: 'saved' as const, instrumentId: card.id, at: new Date(), handle };
}

/** Deletes the card, here and at the processor. */
async function forgotten(payments: CardSavingPayments, merchant: TestMerchant): Promise<void> {
  const { instrumentId } = await savedCard(merchant);
  await deleteInstrument(db.database, instrumentId);
  await forgetDueCards(payments, forever);
  const { rows } = await db.database.query('select status from card_removals where instrument_id = $1', [instrumentId]);
  expect(rows).toEqual([{ status: 'gone' }]);
}

describe('Stripe', () => {
  let fakeVendor: FakeStripe;
  let payments: CardSavingPayments;
  beforeEach(async () => {
    fakeVendor = await startFakeStripe();
    payments = paymentsOf(stripeProcessorAt(fakeVendor), STRIPE_CREDENTIALS);
  });
  afterEach(async () => {
    await fakeVendor.close();
    expect(fakeVendor.violations).toEqual([]);
  });

  it('saves a keyed card with its MOTO charge, charges it off session, and detaches it when it is deleted', async () => {
    const merchant = await createTestMerchant(db.database, { processor: 'stripe' });
    const result = await pay(payments, merchant, keyedCard('4242424242424242', { expiry: '0932' }), PHONE);
    expect(result).toMatchObject({ type: 'succeeded', cardSaved: true });
    expect(await listSavedCards(db.database, merchant)).toMatchObject([
      { brand: 'VISA', lastFour: '4242', expiryMonth: 9, expiryYear: 2032 },
    ]);
    const sent = fakeVendor.requests.filter(({ path }) => path === '/v1/payment_intents').map(({ body }) => body);
    expect(Object.fromEntries(new URLSearchParams(sent[0]))).toMatchObject({
      setup_future_usage: 'off_session',
      customer: expect.stringMatching(/^cus_/),
      'payment_method_options[card][moto]': 'true',
    });
    const saved = await savedCard(merchant);
    expect(await pay(payments, merchant, saved, null)).toMatchObject({ type: 'succeeded' });
    const [, method = ''] = saved.handle.split('/');
    expect(fakeVendor.methods.get(method)?.customer).toMatch(/^cus_/);
    await forgotten(payments, merchant);
    expect(fakeVendor.methods.get(method)?.customer).toBeNull();
  });

  it('charges a saved card by MOTO if the payer is on the phone, and off session if an agent charges it', async () => {
    const merchant = await createTestMerchant(db.database, { processor: 'stripe' });
    await pay(payments, merchant, keyedCard('4242424242424242', { expiry: '0932' }), PHONE);
    const { handle: _, ...card } = await savedCard(merchant);
    for (const source of ['phone', 'saved_card'] as const) {
      const sessionId = await createTestSession(db.database, merchant);
      const request = { ...paymentRequest(merchant, sessionId, card), source };
      expect(await takePayment(payments, request)).toMatchObject({ type: 'succeeded' });
    }
    const [, byPhone, byAgent] = fakeVendor.requests
      .filter(({ path }) => path === '/v1/payment_intents')
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    const moto = { 'payment_method_options[card][moto]': 'true', error_on_requires_action: 'true' };
    expect(byPhone).toMatchObject(moto);
    expect(byPhone).not.toHaveProperty('off_session');
    expect(byAgent).toMatchObject({ off_session: 'true' });
    expect(byAgent).not.toHaveProperty('payment_method_options[card][moto]');
  });

  it('saves the same card once, and detaches the earlier handle', async () => {
    const merchant = await createTestMerchant(db.database, { processor: 'stripe' });
    await pay(payments, merchant, keyedCard('4242424242424242', { expiry: '0932' }), PHONE);
    const first = await savedCard(merchant);
    await pay(payments, merchant, keyedCard('4242424242424242', { expiry: '1033' }), PHONE);
    const second = await savedCard(merchant);
    expect(second.instrumentId).toBe(first.instrumentId);
    expect(second.handle).not.toBe(first.handle);
    await forgetDueCards(payments, forever);
    const customerOf = (handle: string) => fakeVendor.methods.get(handle.split('/')[1] ?? '')?.customer;
    expect(customerOf(first.handle)).toBeNull();
    expect(customerOf(second.handle)).toMatch(/^cus_/);
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ expiryMonth: 10, expiryYear: 2033 }]);
  });

  it.each(['reset', 'half_sent', 'garbage', 'html_500', 'empty'] as const)(
    'takes the money all the same when no customer is to be had for the card (%s)',
    async (fault) => {
      const merchant = await createTestMerchant(db.database, { processor: 'stripe' });
      fakeVendor.failNext(fault);
      const result = await pay(payments, merchant, keyedCard('4242424242424242'), PHONE);
      expect(result).toMatchObject({ type: 'succeeded', cardSaved: false });
      await keepDueCards(payments, forever);
      expect(await listSavedCards(db.database, merchant)).toEqual([]);
      const { rows } = await db.database.query('select status from card_consents where merchant_id = $1', [
        merchant.merchantId,
      ]);
      expect(rows).toEqual([{ status: 'not_kept' }]);
    },
  );

  it('never saves a wallet’s card', async () => {
    const merchant = await createTestMerchant(db.database, { processor: 'stripe' });
    const token = fakeVendor.token('pm', '4242424242424242', 'apple_pay');
    expect(await pay(payments, merchant, { kind: 'token', token }, PAGE)).toMatchObject({
      type: 'succeeded',
      cardSaved: false,
    });
    await keepDueCards(payments, forever);
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    const { rows } = await db.database.query('select status from card_consents where merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect(rows).toEqual([{ status: 'not_kept' }]);
  });
});

describe('Square', () => {
  let fakeVendor: FakeSquare;
  let payments: CardSavingPayments;
  beforeEach(async () => {
    fakeVendor = await startFakeSquare();
    payments = paymentsOf(squareProcessorAt(fakeVendor), SQUARE_CREDENTIALS);
  });
  afterEach(async () => {
    await fakeVendor.close();
    expect(fakeVendor.violations).toEqual([]);
  });

  it('saves the page’s card after its charge, charges it, and disables it when it is deleted', async () => {
    const merchant = await createTestMerchant(db.database, { processor: 'square' });
    const card = { kind: 'token', token: fakeVendor.token() } as const;
    expect(await pay(payments, merchant, card, PAGE)).toMatchObject({ type: 'succeeded', cardSaved: false });
    await keepDueCards(payments, forever);
    expect(await listSavedCards(db.database, merchant)).toMatchObject([
      { brand: 'VISA', lastFour: '1111', expiryMonth: 11, expiryYear: 2049 },
    ]);
    const saved = await savedCard(merchant);
    expect(await pay(payments, merchant, saved, null)).toMatchObject({ type: 'succeeded' });
    await forgotten(payments, merchant);
    expect(await pay(payments, merchant, saved, null)).toMatchObject({
      type: 'refused',
      reason: 'card_unknown',
    });
    // The handle cannot be charged any more.
    await db.database.query('update instruments set deleted_at = null where id = $1', [saved.instrumentId]);
    expect(await pay(payments, merchant, saved, null)).toMatchObject({ type: 'declined' });
  });
});

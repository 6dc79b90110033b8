/** Keeping cards at the vendors, from the payment to the next one: over their packages, against their stand-ins. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetDueCards } from '../../../src/cards/forget.ts';
import type { CardConsent } from '../../../src/domain/consent.ts';
import type { PaymentCard } from '../../../src/payments/card.ts';
import { keepDueCards } from '../../../src/payments/keep-card.ts';
import { type PlainCredentials, type Processor, secretCredentials } from '../../../src/payments/ports.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { deleteInstrument } from '../../../src/db/cards/removals.ts';
import { openHandle } from '../../../src/vault/handles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type SquareStandIn, startSquareStandIn } from '../../support/fake-square.ts';
import { type StripeStandIn, startStripeStandIn } from '../../support/fake-stripe.ts';
import {
  LOADING_MS,
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareAt,
  stripeAt,
} from '../../support/vendor-processors.ts';
import { cardsOf, VAULT } from './card-saving.ts';
import { keyed, openSession, openShop, openTill, requestOf, type Shop } from './test-payments.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await import('square');
}, LOADING_MS);
afterAll(() => db.close());

const forever = new AbortController().signal;
const PAGE: CardConsent = {
  ...{ channel: 'page', callId: null, wordingId: 'keep_card', language: 'en-US' },
  wording: 'Keep this card for next time',
};
const PHONE: CardConsent = { ...PAGE, channel: 'phone', wordingId: 'keep_card.1' };

const tillOf = (processor: Processor, credentials: PlainCredentials) =>
  openTill(db.database, {
    vault: VAULT,
    processors: [processor],
    credentialsFor: async () => secretCredentials(credentials),
  });
type Till = ReturnType<typeof tillOf>;

async function pay(till: Till, shop: Shop, card: PaymentCard, consent: CardConsent | null) {
  const sessionId = await openSession(db.database, shop);
  return takePayment(till, { ...requestOf(shop, sessionId, card), consent });
}

/** The saved card of the shop's caller, ready to pay with. */
async function savedCard(shop: Shop) {
  const [card, ...others] = await cardsOf(db.database, shop);
  if (card === undefined || others.length > 0) throw new Error('not one card');
  const { rows } = await db.database.query('select * from instruments where id = $1', [card.id]);
  const { processor_handle: processorHandle, handle_sealed: handleSealed } = rows[0];
  const handle = openHandle(VAULT, { id: card.id, processorHandle, handleSealed }) ?? '';
  return { kind: 'saved' as const, instrumentId: card.id, at: new Date(), handle };
}

/** Deleted, and told to the processor. */
async function forgotten(till: Till, shop: Shop): Promise<void> {
  const { instrumentId } = await savedCard(shop);
  await deleteInstrument(db.database, instrumentId);
  await forgetDueCards(till, forever);
  const { rows } = await db.database.query('select status from card_removals where instrument_id = $1', [instrumentId]);
  expect(rows).toEqual([{ status: 'gone' }]);
}

describe('Stripe', () => {
  let standIn: StripeStandIn;
  let till: Till;
  beforeEach(async () => {
    standIn = await startStripeStandIn();
    till = tillOf(stripeAt(standIn), STRIPE_CREDENTIALS);
  });
  afterEach(async () => {
    await standIn.close();
    expect(standIn.violations).toEqual([]);
  });

  it('keeps a keyed card with its MOTO charge, which is then charged off session, and detached when it is deleted', async () => {
    const shop = await openShop(db.database, { processor: 'stripe' });
    const result = await pay(till, shop, keyed('4242424242424242', { expiry: '0932' }), PHONE);
    expect(result).toMatchObject({ type: 'succeeded', cardKept: true });
    expect(await cardsOf(db.database, shop)).toMatchObject([
      { brand: 'VISA', lastFour: '4242', expiryMonth: 9, expiryYear: 2032 },
    ]);
    const sent = standIn.requests.filter(({ path }) => path === '/v1/payment_intents').map(({ body }) => body);
    expect(Object.fromEntries(new URLSearchParams(sent[0]))).toMatchObject({
      setup_future_usage: 'off_session',
      customer: expect.stringMatching(/^cus_/),
      'payment_method_options[card][moto]': 'true',
    });
    const saved = await savedCard(shop);
    expect(await pay(till, shop, saved, null)).toMatchObject({ type: 'succeeded' });
    const [, method = ''] = saved.handle.split('/');
    expect(standIn.methods.get(method)?.customer).toMatch(/^cus_/);
    await forgotten(till, shop);
    expect(standIn.methods.get(method)?.customer).toBeNull();
  });

  it('keeps the same card once: the handle of before is detached', async () => {
    const shop = await openShop(db.database, { processor: 'stripe' });
    await pay(till, shop, keyed('4242424242424242', { expiry: '0932' }), PHONE);
    const first = await savedCard(shop);
    await pay(till, shop, keyed('4242424242424242', { expiry: '1033' }), PHONE);
    const second = await savedCard(shop);
    expect(second.instrumentId).toBe(first.instrumentId);
    expect(second.handle).not.toBe(first.handle);
    await forgetDueCards(till, forever);
    const customerOf = (handle: string) => standIn.methods.get(handle.split('/')[1] ?? '')?.customer;
    expect(customerOf(first.handle)).toBeNull();
    expect(customerOf(second.handle)).toMatch(/^cus_/);
    expect(await cardsOf(db.database, shop)).toMatchObject([{ expiryMonth: 10, expiryYear: 2033 }]);
  });

  it.each(['reset', 'half_sent', 'garbage', 'html_500', 'empty'] as const)(
    'takes the money all the same when no customer is to be had for the card (%s)',
    async (fault) => {
      const shop = await openShop(db.database, { processor: 'stripe' });
      standIn.failNext(fault);
      const result = await pay(till, shop, keyed('4242424242424242'), PHONE);
      expect(result).toMatchObject({ type: 'succeeded', cardKept: false });
      await keepDueCards(till, forever);
      expect(await cardsOf(db.database, shop)).toEqual([]);
      const { rows } = await db.database.query('select status from card_consents where merchant_id = $1', [
        shop.merchantId,
      ]);
      expect(rows).toEqual([{ status: 'not_kept' }]);
    },
  );

  it('keeps no wallet’s card', async () => {
    const shop = await openShop(db.database, { processor: 'stripe' });
    const token = standIn.token('pm', '4242424242424242', 'apple_pay');
    expect(await pay(till, shop, { kind: 'token', token }, PAGE)).toMatchObject({ type: 'succeeded', cardKept: false });
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toEqual([]);
    const { rows } = await db.database.query('select status from card_consents where merchant_id = $1', [
      shop.merchantId,
    ]);
    expect(rows).toEqual([{ status: 'not_kept' }]);
  });
});

describe('Square', () => {
  let standIn: SquareStandIn;
  let till: Till;
  beforeEach(async () => {
    standIn = await startSquareStandIn();
    till = tillOf(squareAt(standIn), SQUARE_CREDENTIALS);
  });
  afterEach(async () => {
    await standIn.close();
    expect(standIn.violations).toEqual([]);
  });

  it("keeps a page's card after its charge, which is then charged, and disabled when it is deleted", async () => {
    const shop = await openShop(db.database, { processor: 'square' });
    const card = { kind: 'token', token: standIn.token() } as const;
    expect(await pay(till, shop, card, PAGE)).toMatchObject({ type: 'succeeded', cardKept: false });
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toMatchObject([
      { brand: 'VISA', lastFour: '1111', expiryMonth: 11, expiryYear: 2049 },
    ]);
    const saved = await savedCard(shop);
    expect(await pay(till, shop, saved, null)).toMatchObject({ type: 'succeeded' });
    await forgotten(till, shop);
    expect(await pay(till, shop, saved, null)).toMatchObject({ type: 'refused', reason: 'card_not_chargeable' });
    // Whoever had the handle all the same would not get far with it.
    await db.database.query('update instruments set deleted_at = null where id = $1', [saved.instrumentId]);
    expect(await pay(till, shop, saved, null)).toMatchObject({ type: 'declined' });
  });
});

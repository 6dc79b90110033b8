/** A processor that answers badly, or too often: through the whole money path, over real HTTP. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { PaymentCard } from '../../../src/payments/card.ts';
import { type Processor, type ProcessorAnswer, secretCredentials } from '../../../src/payments/ports.ts';
import { resolveDueCharges } from '../../../src/payments/resolve.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { INSUFFICIENT } from '../../support/fake-stripe-cards.ts';
import { type StripeStandIn, startStripeStandIn } from '../../support/fake-stripe.ts';
import { FAULTS } from '../../support/fake-vendor-server.ts';
import { STRIPE_CREDENTIALS, stripeAt } from '../../support/vendor-processors.ts';
import { age, bookOf, keyed, openSession, openShop, openTill, QUICK, type Shop, type Till } from './test-payments.ts';

/** Only a vendor who never answers makes anyone wait that long. */
const PATIENCE_MS = 4_000;
const NEVER = new AbortController().signal;
const PAID = ['checkout.succeeded', 'checkout.completed'];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

describe('a vendor over HTTP', () => {
  let standIn: StripeStandIn;
  let shop: Shop;
  let till: Till;
  beforeEach(async () => {
    standIn = await startStripeStandIn();
    shop = await openShop(db.database, { processor: 'stripe' });
    const credentials = secretCredentials(STRIPE_CREDENTIALS);
    till = openTill(db.database, {
      processors: [stripeAt(standIn)],
      credentialsFor: async () => credentials,
      timings: { processorLimitMs: PATIENCE_MS },
    });
  });
  afterEach(() => standIn.close());

  const pay = async (card: PaymentCard): Promise<CheckoutSessionId> => {
    const sessionId = await openSession(db.database, shop);
    await till.pay(shop, sessionId, card);
    return sessionId;
  };
  const resolve = async (sessionId: CheckoutSessionId) => {
    await age(db.database, sessionId, 2);
    await resolveDueCharges(till, NEVER);
    return bookOf(db.database, sessionId);
  };

  it.each(FAULTS)('whose answer meets %s: pending, then as its books have it, charged once', async (fault) => {
    standIn.failNext(fault);
    const sessionId = await pay(keyed('visa'));
    expect(await bookOf(db.database, sessionId)).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    const book = await resolve(sessionId);
    expect(book).toMatchObject({ session: 'complete', charges: ['succeeded'], events: ['checkout.pending', ...PAID] });
    expect(standIn.booked(book.rows[0]?.id ?? '')).toBe(1);
  });

  it('whose look-up meets garbage is asked again', async () => {
    standIn.failNext('half_sent');
    const sessionId = await pay(keyed('visa'));
    standIn.failNext('garbage');
    expect(await resolve(sessionId)).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    expect(await resolve(sessionId)).toMatchObject({ charges: ['succeeded'] });
  });

  it('that answers twice does not have the next payment take the answer too many for its own', async () => {
    standIn.failNext('twice');
    const first = await pay(keyed('visa'));
    expect(await bookOf(db.database, first)).toMatchObject({ charges: ['succeeded'], events: PAID });
    const second = await resolve(await pay(keyed(INSUFFICIENT)));
    expect(second).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(second.rows[0]).toMatchObject({ declineCode: 'insufficient_funds' });
  });

  it('that answers with another payment is not believed', async () => {
    await pay(keyed('visa'));
    const [others] = standIn.intents.values();
    standIn.answerNext({ status: 200, body: others });
    const sessionId = await pay(keyed('visa'));
    expect(await bookOf(db.database, sessionId)).toMatchObject({ session: 'open', charges: ['pending'] });
  });
});

describe('an adapter that answers after its time', () => {
  const OK: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'late' };
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop(db.database);
  });

  /** Ignores its signal; `answer` ends its charge. */
  function latecomer() {
    let answer: (late: ProcessorAnswer | Error) => void = () => undefined;
    const sandbox = createSandbox(db.database, QUICK);
    const processor: Processor = {
      ...sandbox,
      charge: () =>
        new Promise((resolve, reject) => {
          answer = (late) => (late instanceof Error ? reject(late) : resolve(late));
        }),
      lookUp: async () => ({ ...OK, processorPaymentId: 'looked_up' }),
    };
    return { processor, answer: (late: ProcessorAnswer | Error) => answer(late) };
  }

  it.each<[string, ProcessorAnswer | Error]>([
    ['a yes', OK],
    ['a no', { status: 'declined', declineCode: 'lost_card', processorCode: null, processorPaymentId: null }],
    ['an error', new Error('late')],
  ])('(%s) changes nothing any more: the look-up decides, once', async (_name, late) => {
    const { processor, answer } = latecomer();
    const till = openTill(db.database, { processors: [processor], timings: { processorLimitMs: 50 } });
    const sessionId = await openSession(db.database, shop);
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'pending' });
    await age(db.database, sessionId, 2);
    await Promise.all([resolveDueCharges(till, NEVER), Promise.resolve(answer(late))]);
    const book = await bookOf(db.database, sessionId);
    expect(book).toMatchObject({ session: 'complete', charges: ['succeeded'], events: ['checkout.pending', ...PAID] });
    expect(book.rows[0]).toMatchObject({ processorPaymentId: 'looked_up' });
  });
});

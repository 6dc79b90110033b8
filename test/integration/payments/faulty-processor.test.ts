/** A processor with bad, late or repeated responses, through the whole payment path and over real HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { PaymentCard } from '../../../src/payments/shared/card.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { INSUFFICIENT } from '../../support/fake-stripe-cards.ts';
import { FAULTS } from '../../support/fake-vendor-server.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../../support/vendor-processors.ts';
import {
  agePendingCharges,
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  readPaymentState,
  type TestPayments,
} from './test-payments.ts';

/** Time limits for requests without a response, and for all others. */
const [HANG_LIMIT_MS, PATIENCE_MS] = [3_000, 60_000];
const NEVER = new AbortController().signal;
const PAID = ['checkout.succeeded', 'checkout.completed'];

const db = useTestDatabase();

describe('a vendor over HTTP', () => {
  let fakeVendor: FakeStripe;
  let merchant: TestMerchant;
  let payments: TestPayments;
  beforeEach(async () => {
    fakeVendor = await startFakeStripe();
    merchant = await createTestMerchant(db.database, { processor: 'stripe' });
    payments = paymentsWithin(PATIENCE_MS);
  });
  afterEach(() => fakeVendor.close());

  function paymentsWithin(processorLimitMs: number): TestPayments {
    const credentials = secretCredentials(STRIPE_CREDENTIALS);
    return createTestPayments(db.database, {
      processors: [stripeProcessorAt(fakeVendor)],
      credentialsFor: async () => credentials,
      timings: { processorLimitMs },
    });
  }

  const pay = async (card: PaymentCard): Promise<CheckoutSessionId> => {
    const sessionId = await createTestSession(db.database, merchant);
    await payments.pay(merchant, sessionId, card);
    return sessionId;
  };
  const resolve = async (sessionId: CheckoutSessionId) => {
    await agePendingCharges(db.database, sessionId, 2);
    await resolveDueCharges(payments, NEVER);
    return readPaymentState(db.database, sessionId);
  };

  it.each(FAULTS)(
    'if the response is hit by %s, the charge is pending, then settled as in its ledger, and made once',
    async (fault) => {
      if (fault === 'hang') payments = paymentsWithin(HANG_LIMIT_MS);
      fakeVendor.failNext(fault);
      const sessionId = await pay(keyedCard('visa'));
      expect(await readPaymentState(db.database, sessionId)).toMatchObject({
        charges: ['pending'],
        events: ['checkout.pending'],
      });
      const state = await resolve(sessionId);
      expect(state).toMatchObject({
        session: 'complete',
        charges: ['succeeded'],
        events: ['checkout.pending', ...PAID],
      });
      expect(fakeVendor.countPayments(state.rows[0]?.id ?? '')).toBe(1);
    },
  );

  it('repeats a lookup whose response is garbage', async () => {
    fakeVendor.failNext('half_sent');
    const sessionId = await pay(keyedCard('visa'));
    // The key, and then the list.
    fakeVendor.failNext('garbage', () => fakeVendor.failNext('garbage'));
    expect(await resolve(sessionId)).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    expect(await resolve(sessionId)).toMatchObject({ charges: ['succeeded'] });
  });

  it('does not use a surplus response for the next payment', async () => {
    fakeVendor.failNext('twice');
    const first = await pay(keyedCard('visa'));
    expect(await readPaymentState(db.database, first)).toMatchObject({ charges: ['succeeded'], events: PAID });
    const second = await resolve(await pay(keyedCard(INSUFFICIENT)));
    expect(second).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(second.rows[0]).toMatchObject({ declineCode: 'insufficient_funds' });
  });

  it('does not accept a response about another payment', async () => {
    await pay(keyedCard('visa'));
    const [others] = fakeVendor.intents.values();
    fakeVendor.answerNext({ status: 200, body: others });
    const sessionId = await pay(keyedCard('visa'));
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session: 'open', charges: ['pending'] });
  });
});

describe('an adapter that answers after its time limit', () => {
  const OK: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'late' };
  let merchant: TestMerchant;
  beforeEach(async () => {
    merchant = await createTestMerchant(db.database);
  });

  /** Ignores its signal; `answer` ends its charge. */
  function latecomer() {
    let answer: (late: ProcessorAnswer | Error) => void = () => undefined;
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
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
  ])('(%s) changes nothing any more: the lookup decides, once', async (_name, late) => {
    const { processor, answer } = latecomer();
    const payments = createTestPayments(db.database, { processors: [processor], timings: { processorLimitMs: 50 } });
    const sessionId = await createTestSession(db.database, merchant);
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, sessionId, 2);
    await Promise.all([resolveDueCharges(payments, NEVER), Promise.resolve(answer(late))]);
    const state = await readPaymentState(db.database, sessionId);
    expect(state).toMatchObject({ session: 'complete', charges: ['succeeded'], events: ['checkout.pending', ...PAID] });
    expect(state.rows[0]).toMatchObject({ processorPaymentId: 'looked_up' });
  });
});

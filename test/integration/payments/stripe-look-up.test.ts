/** How the Stripe adapter looks up charges, through the official package, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeRequest } from '../../../src/payments/port/charges.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { newIntent } from '../../support/fake-stripe-intents.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { stripeProcessorAt } from '../../support/vendor-processors.ts';
import { GOOD, keyed, requestFor } from './vendor-charges.ts';

const HOUR_MS = 3_600_000;

describe('stripe', () => {
  let fakeStripe: FakeStripe;
  beforeAll(async () => {
    fakeStripe = await startFakeStripe();
  });
  afterAll(() => fakeStripe.close());
  afterEach(() => expect(fakeStripe.violations).toEqual([]));

  const charge = (request: ChargeRequest) => stripeProcessorAt(fakeStripe).charge(request, requestTimeout());
  const lookUp = (request: ChargeRequest, createdAt = new Date()) =>
    stripeProcessorAt(fakeStripe).lookUp({ ...request, createdAt }, requestTimeout());

  describe('a charge to be settled', () => {
    const settle = (request: ChargeRequest) =>
      stripeProcessorAt(fakeStripe).lookUp(
        { ...request, createdAt: new Date(), settles: request.amount },
        requestTimeout(),
      );

    it('that is missing never succeeds, because a later request does nothing', async () => {
      const request = requestFor(keyed(GOOD));
      expect(await settle(request)).toEqual({ status: 'not_found', never: true });
      expect(await settle(request)).toEqual({ status: 'not_found', never: true });
      expect(await charge(request)).toEqual({ status: 'unknown', cause: 'idempotency_error' });
      expect(fakeStripe.countPayments(request.chargeId)).toBe(0);
      const left = [...fakeStripe.intents.values()].filter(
        ({ metadata }) => metadata.ringkey_lost_charge !== undefined,
      );
      expect(left).toMatchObject([{ status: 'canceled' }]);
    });

    it('that was taken is found, and its key takes no other payment', async () => {
      const request = requestFor(keyed(GOOD));
      await charge(request);
      const before = fakeStripe.requests.length;
      expect(await settle(request)).toMatchObject({ status: 'succeeded' });
      expect(fakeStripe.requests.slice(before).map(({ method }) => method)).toEqual(['POST', 'GET']);
      expect(fakeStripe.countPayments(request.chargeId)).toBe(1);
    });

    it('that is older than Stripe remembers its key is searched first', async () => {
      const request = requestFor(keyed(GOOD));
      await charge(request);
      const [wanted] = [...fakeStripe.intents.values()].slice(-1);
      if (wanted === undefined) throw new Error('no payment');
      const createdAt = new Date(Date.now() - 25 * 3_600_000);
      wanted.created = createdAt.getTime() / 1_000;
      fakeStripe.forgetKeys();
      const lookup = { ...request, createdAt, settles: request.amount };
      expect(await stripeProcessorAt(fakeStripe).lookUp(lookup, requestTimeout())).toMatchObject({
        status: 'succeeded',
      });
      expect(fakeStripe.countPayments(request.chargeId)).toBe(1);
    });

    describe('of an account with 3,500 payments in the same minutes', () => {
      /** A separate server, because other tests do not expect these payments. */
      const useBusyStripe = async (work: (stripe: FakeStripe) => Promise<void>) => {
        const stripe = await startFakeStripe();
        try {
          await work(stripe);
        } finally {
          await stripe.close();
        }
      };
      const crowd = (stripe: FakeStripe) => {
        for (let each = 0; each < 3_500; each += 1) {
          const intent = newIntent({ amount: 100, currency: 'usd', metadata: {} });
          stripe.intents.set(intent.id, intent);
        }
      };
      const lookUpAt = (stripe: FakeStripe, request: ChargeRequest, createdAt: Date, settles = true) =>
        stripeProcessorAt(stripe).lookUp(
          { ...request, createdAt, settles: settles ? request.amount : null },
          requestTimeout(),
        );

      it('is settled by two requests if it never arrived', async () => {
        await useBusyStripe(async (stripe) => {
          crowd(stripe);
          expect(await lookUpAt(stripe, requestFor(keyed(GOOD)), new Date())).toEqual({
            status: 'not_found',
            never: true,
          });
          expect(stripe.requests).toHaveLength(2);
        });
      });

      it('is found a minute later, by search, if it was taken', async () => {
        await useBusyStripe(async (stripe) => {
          const request = requestFor(keyed(GOOD));
          await stripeProcessorAt(stripe).charge(request, requestTimeout());
          crowd(stripe);
          expect(await lookUpAt(stripe, request, new Date())).toEqual({ status: 'unknown', cause: 'too_many' });
          const createdAt = new Date(Date.now() - 90_000);
          for (const intent of stripe.intents.values()) intent.created = Math.floor(createdAt.getTime() / 1_000);
          for (const settles of [true, false]) {
            const before = stripe.requests.length;
            expect(await lookUpAt(stripe, request, createdAt, settles)).toMatchObject({ status: 'succeeded' });
            expect(stripe.requests.slice(before).filter(({ path }) => path === '/v1/payment_intents')).toHaveLength(
              settles ? 1 : 0,
            );
          }
        });
      });

      it('stays unknown until the search finds it, except in a mere lookup', async () => {
        await useBusyStripe(async (stripe) => {
          const request = requestFor(keyed(GOOD));
          const createdAt = new Date(Date.now() - 90_000);
          crowd(stripe);
          await stripeProcessorAt(stripe).charge(request, requestTimeout());
          for (const intent of stripe.intents.values()) intent.created = Math.floor(createdAt.getTime() / 1_000);
          crowd(stripe);
          stripe.searchLags = true;
          expect(await lookUpAt(stripe, request, createdAt)).toEqual({ status: 'unknown', cause: 'too_many' });
          expect(await lookUpAt(stripe, request, createdAt, false)).toEqual({ status: 'not_found' });
        });
      });
    });

    it('stays unknown if it was received without a payment', async () => {
      const request = requestFor(keyed(GOOD));
      await charge(request);
      fakeStripe.intents.clear();
      expect(await settle(request)).toEqual({ status: 'not_found' });
    });

    // The type of this code was another one before (woocommerce-gateway-stripe, pull request 503).
    it.each(['idempotency_error', 'invalid_request_error'])(
      'and is being worked on is not certain at any age: 409 %s',
      async (type) => {
        const request = requestFor(keyed(GOOD));
        // A separate server, so that no late request of another test gets its response.
        const stripe = await startFakeStripe();
        const error = { type, code: 'idempotency_key_in_use', message: 'There is currently another request' };
        stripe.answerNext({ status: 409, body: { error } });
        const lookup = { ...request, createdAt: new Date(), settles: request.amount };
        expect(await stripeProcessorAt(stripe).lookUp(lookup, requestTimeout())).toEqual({
          status: 'unknown',
          cause: 'in_progress',
        });
        await stripe.close();
      },
    );
  });

  it('finds a charge among many others of its time', async () => {
    const request = requestFor(keyed(GOOD));
    await charge(request);
    const [wanted] = [...fakeStripe.intents.values()].slice(-1);
    if (wanted === undefined) throw new Error('no payment');
    for (let other = 0; other < 250; other += 1) {
      fakeStripe.intents.set(`pi_other${other}`, { ...wanted, id: `pi_other${other}`, metadata: {} });
    }
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded', processorPaymentId: wanted.id });
    expect(await lookUp(request, new Date(Date.now() - 86_400_000))).toEqual({ status: 'not_found' });
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is not believed that it has no charge of a time that is %i ms from its own',
    async (ms) => {
      const request = requestFor(keyed(GOOD));
      const at = new Date(Date.now() + ms);
      const createdAt = new Date(at.getTime() - 10_000);
      const late = () => stripeProcessorAt(fakeStripe).lookUp({ ...request, createdAt, askedAt: at }, requestTimeout());
      expect(await late()).toEqual({ status: 'unknown', cause: 'clocks_differ' });
      fakeStripe.answerNext({
        status: 200,
        headers: { date: at.toUTCString() },
        body: { object: 'list', url: '/v1/payment_intents', has_more: false, data: [] },
      });
      expect(await late()).toEqual({ status: 'not_found' });
    },
  );

  it('does not find a payment that was never confirmed, and finds one in progress', async () => {
    const request = requestFor(keyed(GOOD));
    await charge(request);
    const intent = [...fakeStripe.intents.values()].at(-1);
    if (intent === undefined) throw new Error('no payment');
    intent.status = 'requires_confirmation';
    expect(await lookUp(request)).toEqual({ status: 'not_found' });
    intent.status = 'processing';
    expect(await lookUp(request)).toEqual({ status: 'unknown', cause: 'processing' });
    intent.status = 'requires_action';
    expect(await lookUp(request)).toMatchObject({ status: 'declined' });
  });
});

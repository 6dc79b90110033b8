/** Stripe whose merchants' public keys are all set, for texts with links in live mode. */
import type { Processor } from '../../src/payments/port/processor.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';

export const STRIPE_WITH_PAGE: Processor = {
  ...createStripe(),
  tokenization: (environment) => ({ processor: 'stripe', publicKey: 'pk_live_test', locationId: null, environment }),
};

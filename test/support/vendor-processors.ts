/** The Stripe and Square processors, connected to their fakes on loopback, and test credentials. */
import type { Processor } from '../../src/payments/ports.ts';
import { createSquare } from '../../src/payments/square/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { ACCESS_TOKEN, type FakeSquare, LOCATION } from './fake-square.ts';
import { type FakeStripe, SECRET_KEY } from './fake-stripe.ts';

export const STRIPE_CREDENTIALS = { secret_key: SECRET_KEY, publishable_key: 'pk_test_51StandIn0000000000000000' };
export const SQUARE_CREDENTIALS = {
  access_token: ACCESS_TOKEN,
  application_id: 'sandbox-sq0idb-StandIn_000000000',
  location_id: LOCATION,
};

export function stripeProcessorAt({ port }: FakeStripe): Processor {
  return createStripe({ address: { host: '127.0.0.1', port, protocol: 'http' } });
}

/** The same fake serves both modes. */
export function squareProcessorAt({ url }: FakeSquare): Processor {
  return createSquare({ urls: { test: url, live: url } });
}
